/* tormentor.c — a preloadable library that stops running threads of its process at random
 * instructions, for random times. What goes wrong when a thread is preempted at an unlucky place
 * goes wrong within seconds, and not once in a million runs.
 *
 * A thread of its own picks threads that the kernel shows as running, and sends them a signal whose
 * handler sleeps. The handler uses bare system calls only: it may interrupt any instruction, also
 * between a change of the thread pointer and the jump that belongs to it, so it must touch neither
 * thread-local data nor errno. Threads that block the signal are never stopped; the signal is no
 * real-time one, so that none queue up there, and one that is ignored by default: what is still
 * pending when a process executes another program would otherwise be that program's end.
 *
 * Only processes that have libartel in them when they start are tormented: shells, compilers and
 * interpreters that a test starts are not. Environment:
 *   TORMENT_SEED        which threads, when, how long (default 1); mixed with the process number
 *   TORMENT_INTERVAL_US mean time between two stops (default 300; 0: never)
 *   TORMENT_STALL_US    the longest stop (default 3000); most are much shorter
 *   TORMENT_REPORT      a file that gets a line "stops SECONDS PROGRAM" when the process exits
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { the_signal = SIGURG, most_threads = 4096 };

static uint64_t seed = 1;
static long interval_us = 300;
static long stall_us = 3000;
static const char* report;
static struct timespec begun;
static atomic_ulong stops;
static atomic_ulong draws;

static long bare_syscall(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* relaxed: any number will do, as long as it is another each time. */
static uint64_t draw(void)
{
    return mix(seed + atomic_fetch_add_explicit(&draws, 1, memory_order_relaxed));
}

/* Half of them some microseconds, a few as long as is allowed: a number of binary digits is drawn
 * first. */
static long random_time(long most_us)
{
    unsigned digits = 0;
    while (most_us >> digits != 0)
        ++digits;
    const uint64_t r = draw();
    const long most = most_us >> (r % (digits + 1)) / 2;
    return (long)(r >> 16) % (most + 1);
}

__attribute__((no_stack_protector)) static void stop(int number)
{
    (void)number;
    /* relaxed: a statistic. */
    atomic_fetch_add_explicit(&stops, 1, memory_order_relaxed);
    const long us = random_time(stall_us);
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    bare_syscall(SYS_nanosleep, (long)&time, 0, 0, 0);
}

static int is_running(int thread)
{
    char path[64];
    char text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    const char* const name_ends = strrchr(text, ')');
    return name_ends != NULL && name_ends[1] == ' ' && name_ends[2] == 'R';
}

static unsigned list_threads(int* threads)
{
    unsigned n = 0;
    DIR* const folder = opendir("/proc/self/task");
    for (struct dirent* e; folder != NULL && n < most_threads && (e = readdir(folder)) != NULL;) {
        const int thread = atoi(e->d_name);
        if (thread > 0)
            threads[n++] = thread;
    }
    if (folder != NULL)
        closedir(folder);
    return n;
}

static void* torment(void* unused)
{
    (void)unused;
    static int threads[most_threads];
    const int self = (int)syscall(SYS_gettid);
    const int process = getpid();
    unsigned n = 0;
    for (unsigned round = 0;; ++round) {
        if (round % 16 == 0 || n == 0)
            n = list_threads(threads);
        const long us = random_time(2 * interval_us) + 1;
        const struct timespec pause = {us / 1000000, us % 1000000 * 1000};
        nanosleep(&pause, NULL);
        /* The first of a few that runs; anybody now and then, whoever sleeps in the kernel. */
        const unsigned first = n != 0 ? (unsigned)(draw() % n) : 0;
        for (unsigned i = 0; i < n && i < 16; ++i) {
            const int thread = threads[(first + i) % n];
            if (thread != self && (is_running(thread) || draw() % 64 == 0)) {
                syscall(SYS_tgkill, process, thread, the_signal);
                break;
            }
        }
    }
    return NULL;
}

static void start(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    /* Where no thread is to be had the process is not tormented, and the report says so. */
    pthread_create(&thread, &attributes, torment, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void start_in_child(void)
{
    /* relaxed: the child has one thread. */
    atomic_store_explicit(&stops, 0, memory_order_relaxed);
    seed = mix(seed ^ (uint64_t)getpid());
    start();
}

static int is_artel(struct dl_phdr_info* object, size_t size, void* unused)
{
    (void)size;
    (void)unused;
    const char* const name = strrchr(object->dlpi_name, '/');
    return name != NULL &&
           (strstr(name, "artel.so") != NULL || strstr(name, "gomp-artel") != NULL ||
            strstr(name, "mpi-artel") != NULL || strstr(name, "coll_artel") != NULL);
}

static long number_from(const char* name, long otherwise, long most)
{
    const char* const text = getenv(name);
    if (text == NULL || *text == 0)
        return otherwise;
    char* end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (*end != 0 || errno != 0 || value < 0 || value > most) {
        fprintf(stderr, "tormentor: %s=%s: a number from 0 to %ld is wanted\n", name, text, most);
        _exit(2);
    }
    return value;
}

static void write_report(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)(now.tv_sec - begun.tv_sec) +
                           1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
    char line[256];
    const int length = snprintf(line, sizeof line, "%lu %.3f %s\n",
                                atomic_load_explicit(&stops, memory_order_relaxed), seconds,
                                program_invocation_short_name);
    const int file = open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0) {
        if (length > 0 && write(file, line, (size_t)length) < 0)
            fprintf(stderr, "tormentor: %s: %s\n", report, strerror(errno));
        close(file);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const long number = number_from("TORMENT_SEED", 1, LONG_MAX);
    interval_us = number_from("TORMENT_INTERVAL_US", interval_us, 1000000);
    stall_us = number_from("TORMENT_STALL_US", stall_us, 1000000);
    report = getenv("TORMENT_REPORT");
    if (interval_us == 0 || dl_iterate_phdr(is_artel, NULL) == 0)
        return;
    seed = mix((uint64_t)number ^ (uint64_t)getpid() << 32);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    sigaction(the_signal, &action, NULL);
    pthread_atfork(NULL, NULL, start_in_child);
    if (report != NULL)
        atexit(write_report);
    start();
}
