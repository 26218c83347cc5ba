/* A library that takes its time to start, while another thread looks for new ones: that thread asks
   the dynamic linker about the library. The linker's lock is held by the thread that loads the
   library, which must not wait for the look. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void nap(long ms)
{
    const struct timespec t = {0, ms * 1000000};
    nanosleep(&t, NULL);
}

static void* load(void* file)
{
    return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}

int main(int count, char** words)
{
    unsigned (*const look)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "artel_openblas_look");
    unsigned (*const known)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "artel_openblas_count");
    if (count < 2 || look == NULL || known == NULL) {
        fprintf(stderr, "usage, under artel run: loading LIBRARY [KNOWN]\n");
        return 2;
    }
    pthread_t loader;
    void* library = NULL;
    pthread_create(&loader, NULL, load, words[1]);
    for (int i = 0; i < 20; ++i) {
        nap(20);
        look();
    }
    pthread_join(loader, &library);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (known() != (count > 2 ? (unsigned)atoi(words[2]) : 1U)) {
        fprintf(stderr, "%u libraries are known\n", known());
        return 1;
    }
    puts("all right");
    return 0;
}
