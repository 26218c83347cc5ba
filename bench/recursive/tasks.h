/* The kernels' interface to the runtime: fork and join. tasks.c implements it for each runtime, and
 * is the only file that differs between the programs, so that the kernels are the same code in
 * all. */
#pragma once

/* Lies in the frame of the function that spawns it, which waits for it before it returns. */
struct job {
    void (*run)(void* argument);
    void* argument;
    void* handle; /* the runtime's */
};

void spawn(struct job* j);

/* Waits for all jobs that the calling task has spawned; `jobs` are these. */
void wait_for(struct job* jobs, int count);

/* Calls f on a task of a runtime with so many threads. */
void with_threads(int threads, void (*f)(void));

/* The kernels, one per file. `run` is called on a task, several times. */
struct kernel {
    const char* name;
    void (*prepare)(int exponent); /* sizes are powers of two; 0: the usual size */
    void (*run)(void);
    int (*is_right)(void); /* after a run */
};

extern const struct kernel fft, uts, sort, strassen;
