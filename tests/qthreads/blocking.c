/* System calls and blocking actions, in which a qthread leaves its worker to others. */
#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <qthread/io.h>
#include <qthread/qloop.h>
#include <qthread/qt_syscalls.h>
#include <qthread/qthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static aligned_t connects(void* port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = *(in_port_t*)port};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(qt_connect(s, (struct sockaddr*)&to, sizeof to) == 0);
    CHECK(qt_write(s, "hello", 5) == 5);
    close(s);
    return 0;
}
static aligned_t serves(void* listening)
{
    char text[8] = "";
    const int listener = *(int*)listening;
    const int s = qt_accept(listener, NULL, NULL);
    struct pollfd one = {.fd = s, .events = POLLIN};
    CHECK(s >= 0 && qt_poll(&one, 1, -1) == 1);
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(s, &readable);
    CHECK(qt_select(s + 1, &readable, NULL, NULL, NULL) == 1);
    CHECK(qt_read(s, text, 5) == 5 && memcmp(text, "hello", 5) == 0);
    close(s);
    return 0;
}
static aligned_t blocks(void* unused)
{
    (void)unused;
    int status = 0;
    qt_begin_blocking_action();
    const pid_t child = fork();
    if (child == 0) {
        _exit(7);
    }
    CHECK(qt_wait4(child, &status, 0, NULL) == child && WEXITSTATUS(status) == 7);
    CHECK(qthread_shep() == NO_SHEPHERD); /* still in the action */
    qt_end_blocking_action();
    CHECK(qthread_shep() != NO_SHEPHERD);
    CHECK(WEXITSTATUS(qt_system("exit 3")) == 3);
    char c = 0;
    FILE* const f = tmpfile();
    CHECK(f != NULL && qt_pwrite(fileno(f), "abc", 3, 10) == 3);
    CHECK(qt_pread(fileno(f), &c, 1, 12) == 1 && c == 'c');
    fclose(f);
    CHECK(qt_read(-1, &c, 1) == -1);
    return 0;
}
/* In a blocking action, too, a qthread may yield, move and wait, which ends the action, and end. */
static aligned_t yields_in_action(void* shepherds)
{
    const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(*(aligned_t*)shepherds - 1);
    qt_begin_blocking_action();
    qt_begin_blocking_action();
    for (int i = 0; i < 100; ++i) {
        qthread_yield();
        CHECK(qthread_shep() == NO_SHEPHERD);
    }
    CHECK(qthread_migrate_to(last) == QTHREAD_SUCCESS && qthread_shep() == last);
    qt_end_blocking_action();
    qt_end_blocking_action();
    CHECK(qthread_shep() == last);
    return 1;
}
static aligned_t ends_in_action(void* unused)
{
    (void)unused;
    qt_begin_blocking_action();
    return 7;
}
static void begins_action(const size_t from, const size_t to, void* unused)
{
    (void)unused;
    CHECK(from + 1 == to);
    qt_begin_blocking_action();
}
static void actions(void)
{
    enum { many = 50 };
    aligned_t shepherds = qthread_num_shepherds();
    aligned_t yielded[many], ended[many];
    for (int i = 0; i < many; ++i) {
        CHECK(qthread_fork(yields_in_action, &shepherds, &yielded[i]) == QTHREAD_SUCCESS);
        CHECK(qthread_fork(ends_in_action, NULL, &ended[i]) == QTHREAD_SUCCESS);
    }
    for (int i = 0; i < many; ++i) {
        CHECK(qthread_readFF(&yielded[i], &yielded[i]) == QTHREAD_SUCCESS && yielded[i] == 1);
        CHECK(qthread_readFF(&ended[i], &ended[i]) == QTHREAD_SUCCESS && ended[i] == 7);
    }
    qt_loop(0, many, begins_action, NULL);
    CHECK(qthread_shep() == 0);
}
/* Each waits for what the program does after all have begun, also those that the OS thread of the
   program would run. */
enum { readers = 24 };
static int pipes[readers][2];
static aligned_t reads_pipe(void* ends)
{
    char c = 0;
    CHECK(qt_read(((int*)ends)[0], &c, 1) == 1);
    return (aligned_t)c;
}
static void many_blocked(void)
{
    aligned_t got[readers];
    for (int i = 0; i < readers; ++i) {
        CHECK(pipe(pipes[i]) == 0);
        CHECK(qthread_fork(reads_pipe, pipes[i], &got[i]) == QTHREAD_SUCCESS);
    }
    for (int i = readers - 1; i >= 0; --i) {
        const char c = (char)(i + 1);
        CHECK(write(pipes[i][1], &c, 1) == 1);
        CHECK(qthread_readFF(&got[i], &got[i]) == QTHREAD_SUCCESS && got[i] == (aligned_t)c);
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
}
static void system_calls(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    aligned_t server, client, other;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(listener, (struct sockaddr*)&at, sizeof at) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr*)&at, &size) == 0);
    CHECK(qthread_fork_to(serves, &listener, &server, 0) == QTHREAD_SUCCESS);
    CHECK(qthread_fork_to(connects, &at.sin_port, &client, 0) == QTHREAD_SUCCESS);
    CHECK(qthread_fork(blocks, NULL, &other) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &server);
    qthread_readFF(NULL, &client);
    qthread_readFF(NULL, &other);
    close(listener);
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    system_calls();
    actions();
    many_blocked();
    puts("good");
    return 0;
}
