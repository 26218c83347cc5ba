"""Counts the threads that a process tree creates, without touching the tree.

A counting preload or ptrace would slow down exactly the programs that create many threads. The
kernel's process events connector (netlink) reports every clone to root; a socket filter in the
kernel keeps the fork events only, and the socket is drained a few times a second, so the measured
program pays about a microsecond per thread. Without the right to listen, the difference of the
kernel's last process number (/proc/loadavg) is an upper bound: it also counts what everybody else
started meanwhile. Sampling /proc/PID/task was rejected: it misses threads that live for
microseconds."""

import ctypes
import os
import socket
import struct

NETLINK_CONNECTOR = 11
CN_IDX_PROC = CN_VAL_PROC = 1
PROC_CN_MCAST_LISTEN = 1
PROC_EVENT_FORK = 1
SO_ATTACH_FILTER = 26
SO_RCVBUFFORCE = 33
EVENT_KIND_OFFSET = 36  # struct nlmsghdr (16 bytes), struct cn_msg (20), then struct proc_event
FORK_OFFSET = 52  # parent thread, parent process, child thread, child process


def threads_of_tree(forks, root):
    """How many of the fork events (parent process, child thread, child process) made a thread in
    root's process tree.

    A child that is its own process is a process, any other a thread. Events of different CPUs may
    arrive in any order."""
    tree = {root}
    grew = True
    while grew:
        new = {
            process for parent, thread, process in forks if thread == process and parent in tree
        } - tree
        tree |= new
        grew = bool(new)
    return sum(1 for _, thread, process in forks if thread != process and process in tree)


def pids_since(root):
    """How many process numbers the kernel has given out since root's own: threads have numbers from
    the same series."""
    with open("/proc/sys/kernel/pid_max", encoding="ascii") as file:
        limit = int(file.read())
    with open("/proc/loadavg", encoding="ascii") as file:
        return (int(file.read().split()[-1]) - root) % limit


class ConnectorCounter:
    """Exact counts from the kernel's process events. Raises OSError where the process may not
    listen to them."""

    source = "kernel process events (every clone)"

    def __init__(self):
        self._forks = []
        self._lost = False
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, NETLINK_CONNECTOR)
        try:
            self._socket.setblocking(False)
            try:
                self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
            except OSError:
                pass  # a small buffer only makes losses likelier, and losses are noticed
            self._keep_forks_only()
            self._socket.bind((0, CN_IDX_PROC))
            listen = struct.pack(
                "=IIIIHHI", CN_IDX_PROC, CN_VAL_PROC, 0, 0, 4, 0, PROC_CN_MCAST_LISTEN
            )
            self._socket.send(
                struct.pack("=IHHII", 16 + len(listen), 3, 0, 0, os.getpid()) + listen
            )
            self._prove_it_works()
        except OSError:
            self._socket.close()
            raise

    def _keep_forks_only(self):
        load, jump_if_equal, give = 0x20, 0x15, 0x06  # classic BPF: ld [k], jeq #k, ret #k
        kind = socket.htonl(PROC_EVENT_FORK)  # ld reads big-endian, the kernel wrote its own order
        program = b"".join(
            struct.pack("=HBBI", *step)
            for step in [
                (load, 0, 0, EVENT_KIND_OFFSET),
                (jump_if_equal, 0, 1, kind),
                (give, 0, 0, 0xFFFF),
                (give, 0, 0, 0),
            ]
        )
        # struct sock_fprog holds a pointer, so the program has to stay where it is during the call.
        memory = ctypes.create_string_buffer(program)
        self._socket.setsockopt(
            socket.SOL_SOCKET,
            SO_ATTACH_FILTER,
            struct.pack("HP", len(program) // 8, ctypes.addressof(memory)),
        )

    def _prove_it_works(self):
        """In a container the subscription succeeds and nothing ever arrives: better to know now."""
        self.start()
        child = os.posix_spawn("/bin/true", ["true"], {})
        os.waitpid(child, 0)
        self.drain()
        if not any(process == child for _, _, process in self._forks):
            raise OSError("no process events arrive")

    def close(self):
        self._socket.close()

    def start(self):
        """Forgets everything so far; call it right before the program starts."""
        self.drain()
        self._forks.clear()
        self._lost = False

    def drain(self):
        """Takes what has arrived; call it a few times a second."""
        while True:
            try:
                message = self._socket.recv(4096)
            except BlockingIOError:
                return
            except OSError:  # ENOBUFS: the kernel had to drop events
                self._lost = True
                continue
            if len(message) >= FORK_OFFSET + 16:
                kind = struct.unpack_from("=I", message, EVENT_KIND_OFFSET)[0]
                if kind == PROC_EVENT_FORK:
                    self._forks.append(struct.unpack_from("=4I", message, FORK_OFFSET)[1:])

    def count(self, root):
        """(threads created in root's tree since start(), True); (an upper bound, False) when events
        were lost.

        They are lost when an ordinary user, whose buffer is small, runs a program that creates
        thousands."""
        self.drain()
        return (
            (pids_since(root), False) if self._lost else (threads_of_tree(self._forks, root), True)
        )


class LastPidCounter:
    """Upper bounds, for users who may not listen to process events."""

    source = "process numbers given out meanwhile, an upper bound (run as root for exact counts)"

    def close(self):
        pass

    def start(self):
        pass

    def drain(self):
        pass

    def count(self, root):
        """(upper bound of the threads created in root's tree, False)."""
        return pids_since(root), False


def best_counter():
    """The most exact counter that this process may use."""
    try:
        return ConnectorCounter()
    except OSError:
        return LastPidCounter()
