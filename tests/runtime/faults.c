// Faults and SIGSEGVs of the program, with a handler that it installed before its first region, or
// none: what happens is what happens without us.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char* page;
static int mask_inside;

static int region(void)
{
    int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
    n += 1;
    return n;
}

static void say(const char* text)
{
    if (write(1, text, strlen(text)) < 0)
        _exit(1);
}

// As a memory manager that maps what is used. It has the stack of the faulting thread.
static void map_page(int signal, siginfo_t* info, void* context)
{
    (void)signal;
    (void)context;
    volatile char large[200 * 1024];
    memset((void*)large, 1, sizeof large);
    if ((char*)info->si_addr != page || large[1000] != 1)
        _exit(2);
    sigset_t now;
    sigprocmask(SIG_BLOCK, NULL, &now);
    mask_inside = sigismember(&now, SIGUSR1) && sigismember(&now, SIGSEGV);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void report_and_fault(int signal)
{
    (void)signal;
    say("report\n");
    *(volatile char*)page = 1;
}

static void report_and_raise(int signal)
{
    say("report\n");
    raise(signal);
}

int main(int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "";
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigaddset(&action.sa_mask, SIGUSR1);
    if (strcmp(what, "map") == 0) {
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = map_page;
    } else if (strcmp(what, "fault") == 0) {
        action.sa_handler = report_and_fault;
    } else if (strcmp(what, "once") == 0) {
        action.sa_flags = SA_RESETHAND;
        action.sa_handler = report_and_raise;
    } else if (strcmp(what, "ignored") == 0) {
        action.sa_handler = SIG_IGN;
    }
    sigaction(SIGSEGV, &action, NULL);
    if (region() != 3)
        return 1;
    if (strcmp(what, "sent") == 0 || strcmp(what, "ignored") == 0)
        raise(SIGSEGV);
    else
        *(volatile char*)page = 1;
    printf("went on, masks %d, %d members\n", mask_inside, region());
    return 0;
}
