/* Of the Qthreads interface: system calls that leave the worker to others while they wait. */
#ifndef QTHREAD_QT_SYSCALLS_H
#define QTHREAD_QT_SYSCALLS_H

#include "macros.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>

Q_STARTCXX

int qt_accept(int socket, struct sockaddr* address, socklen_t* address_len);
int qt_connect(int socket, const struct sockaddr* address, socklen_t address_len);
int qt_poll(struct pollfd fds[], nfds_t nfds, int timeout);
ssize_t qt_pread(int fd, void* buf, size_t nbyte, off_t offset);
ssize_t qt_pwrite(int fd, const void* buf, size_t nbyte, off_t offset);
ssize_t qt_read(int fd, void* buf, size_t nbyte);
ssize_t qt_write(int fd, const void* buf, size_t nbyte);
int qt_select(int nfds, fd_set* readfds, fd_set* writefds, fd_set* errorfds,
              struct timeval* timeout);
int qt_system(const char* command);
pid_t qt_wait4(pid_t pid, int* stat_loc, int options, struct rusage* rusage);

Q_ENDCXX

#endif
