/* usage: late FACADE STAND_IN FORKING

   An OpenBLAS is found by a look, as Python makes it when it has loaded the facade. Meanwhile the
   constructor of FORKING forks in another thread, which holds the dynamic linker's lock: the look
   asks the linker, and the fork must not wait for it. Prints "all right", or what is not. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void* load(void* file)
{
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

static void* need(void* found)
{
    if (found == NULL) {
        puts(dlerror());
        exit(1);
    }
    return found;
}

int main(int count, char** words)
{
    if (count != 4)
        return 2;
    void* facade = need(dlopen(words[1], RTLD_NOW | RTLD_GLOBAL));
    unsigned (*const look)(void) = (unsigned (*)(void))need(dlsym(facade, "artel_openblas_look"));
    /* Lazily: the linker is asked about references that are not resolved yet. */
    need(dlopen(words[2], RTLD_LAZY | RTLD_LOCAL));
    pthread_t loader;
    void* library = NULL;
    pthread_create(&loader, NULL, load, words[3]);
    const struct timespec until_the_constructor_runs = {0, 100000000};
    nanosleep(&until_the_constructor_runs, NULL);
    const unsigned found = look();
    pthread_join(loader, &library);
    need(library);
    if (found != 1) {
        printf("%u libraries were found\n", found);
        return 1;
    }
    puts("all right");
    return 0;
}
