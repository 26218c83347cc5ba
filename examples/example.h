/* What the example programs share besides OpenMP: reading numbers from the command line, a
 * checksum, a clock.
 *
 * Every example keeps three promises that ./quickstart relies on:
 *  - a line that starts with "result:" depends on the input and the sizes only, never on the number
 * of threads, the order in which they ran or the runtime underneath, so two runs can be compared by
 * comparing these lines;
 *  - whatever does vary from run to run (times) is on lines that start with "time:";
 *  - exit status 0 means the program checked its own answer, 1 that the answer or the input was
 * wrong, 2 that the command line was.
 *
 * Nothing here knows about Artel: the examples are built by the system's gcc -fopenmp and know
 * OpenMP only. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* program_invocation_short_name */
#endif

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Prints "PROGRAM: message" to stderr and ends the program with the given status. */
__attribute__((noreturn, format(printf, 2, 3))) static inline void fail(int status,
                                                                        const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

/* The whole text as an integer in [least, most]; anything else ends the program with status 2 and
 * says why. */
static inline long parse_long(const char* option, const char* text, long least, long most)
{
    char* end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || value < least || value > most)
        fail(2, "--%s wants a whole number from %ld to %ld, not '%s'", option, least, most, text);
    return value;
}

/* malloc that ends the program instead of returning NULL; the block is aligned for any vector
 * instruction. */
static inline void* allocate(size_t bytes)
{
    void* block = NULL;
    if (posix_memalign(&block, 64, bytes ? bytes : 1) != 0)
        fail(1, "no memory for %zu bytes", bytes);
    return block;
}

/* Refuses arguments that are not options: none of the examples takes any. */
static inline void no_more_arguments(int argc, char** argv, int next)
{
    if (next < argc)
        fail(2, "unexpected argument '%s' (try --help)", argv[next]);
}

/* FNV-1a, 64 bits: start with CHECKSUM_START and feed any number of blocks of bytes. Not meant
 * against malice. */
#define CHECKSUM_START UINT64_C(14695981039346656037)
static inline uint64_t checksum(uint64_t sum, const void* data, size_t bytes)
{
    const unsigned char* byte = data;
    for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ byte[i]) * UINT64_C(1099511628211);
    return sum;
}

/* Seconds on a clock that never jumps. */
static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
