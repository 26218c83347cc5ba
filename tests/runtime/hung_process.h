/* Where the threads of a process are that does not end. For a sleeper in a futex also whether its
 * word still has the value that it waits on: if not, a wake-up was lost in the kernel. */
#ifndef HUNG_PROCESS_H
#define HUNG_PROCESS_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* The first line of /proc/PROCESS/task/THREAD/NAME; empty if it cannot be read. */
static inline void read_of_thread(int process, const char* thread, const char* name, char* text,
                                  size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/%s", process, thread, name);
    FILE* const file = fopen(path, "r");
    if (file == NULL || fgets(text, (int)size, file) == NULL)
        *text = 0;
    if (file != NULL)
        fclose(file);
    text[strcspn(text, "\n")] = 0;
}

/* Returns its stack pointer in the kernel's view; 0 if it runs. */
static inline unsigned long tell_thread(int process, const char* thread)
{
    char name[64], stat[512], where[128], call[256];
    read_of_thread(process, thread, "comm", name, sizeof name);
    read_of_thread(process, thread, "stat", stat, sizeof stat);
    read_of_thread(process, thread, "wchan", where, sizeof where);
    read_of_thread(process, thread, "syscall", call, sizeof call);
    const char* const name_ends = strrchr(stat, ')');
    fprintf(stderr, "  thread %s %s, state %c, in %s, call %s", thread, name,
            name_ends != NULL && name_ends[1] != 0 ? name_ends[2] : '?', where, call);
    long number = -1;
    unsigned long address = 0, operation = 0, expected = 0;
    if (sscanf(call, "%ld %lx %lx %lx", &number, &address, &operation, &expected) == 4 &&
        number == SYS_futex) {
        uint32_t word = 0;
        struct iovec here = {&word, sizeof word};
        struct iovec there = {(void*)address, sizeof word}; /* NOLINT: in the other process */
        if (process_vm_readv(process, &here, 1, &there, 1, 0) == (ssize_t)sizeof word)
            fprintf(stderr, ", word %u %s %lu", word,
                    word == (uint32_t)expected ? "is still" : "is no longer",
                    expected & 0xffffffff);
    }
    fputc('\n', stderr);
    unsigned long stack = 0;
    sscanf(call, "%*s %*s %*s %*s %*s %*s %*s %lx", &stack);
    return stack;
}

struct code_map {
    unsigned long from, to;
    unsigned long base; /* where the file's first byte would be */
    char name[48];
};

enum { most_maps = 64 };

static inline int read_code_maps(int process, struct code_map* maps, struct code_map* main_stack)
{
    char line[400];
    snprintf(line, sizeof line, "/proc/%d/maps", process);
    FILE* const file = fopen(line, "r");
    int n = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct code_map m = {0, 0, 0, ""};
        unsigned long offset = 0;
        char rights[5] = "", path[300] = "";
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %299s", &m.from, &m.to, rights, &offset, path) <
            4)
            continue;
        const char* const slash = strrchr(path, '/');
        snprintf(m.name, sizeof m.name, "%.40s", slash != NULL ? slash + 1 : path);
        m.base = m.from - offset;
        if (rights[2] == 'x' && n < most_maps)
            maps[n++] = m;
        else if (strcmp(path, "[stack]") == 0)
            *main_stack = m;
    }
    if (file != NULL)
        fclose(file);
    return n;
}

/* The words of a stack that may be return addresses, as addresses in the files; innermost first. */
static inline void tell_stack(int process, const struct code_map* maps, int count,
                              unsigned long from, unsigned long size)
{
    static unsigned long words[4096];
    if (size > sizeof words)
        size = sizeof words;
    struct iovec here = {words, size};
    struct iovec there = {(void*)from, size}; /* in the other process */
    const ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
    int told = 0;
    for (ssize_t i = 0; i < got / (ssize_t)sizeof *words && told < 60; ++i)
        for (int m = 0; m < count; ++m)
            if (words[i] >= maps[m].from && words[i] < maps[m].to) {
                fprintf(stderr, "%s%s+%#lx", told++ == 0 ? "    " : " ", maps[m].name,
                        words[i] - maps[m].base);
            }
    if (told != 0)
        fputc('\n', stderr);
}

static inline void tell_threads(int process)
{
    struct code_map maps[most_maps], main_stack = {0, 0, 0, ""};
    const int count = read_code_maps(process, maps, &main_stack);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR* const threads = opendir(path);
    if (threads == NULL)
        return;
    for (struct dirent* each; (each = readdir(threads)) != NULL;)
        if (each->d_name[0] != '.')
            tell_stack(process, maps, count, tell_thread(process, each->d_name), 4096);
    closedir(threads);
    /* The first thread may run on another stack just now, while its own waits. */
    fputs("  the stack of the first thread\n", stderr);
    const unsigned long last = 32768;
    tell_stack(process, maps, count,
               main_stack.to - main_stack.from > last ? main_stack.to - last : main_stack.from,
               last);
}

#endif
