/* Regions in the constructors of libraries that are opened: the thread that opens one holds the
   lock of the dynamic linker, so no member may need that. The arguments are the libraries, made of
   opening_part.c. */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static void open_once(const char* path)
{
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    int (*const members)(int) = (int (*)(int))dlsym(library, "members");
    CHECK(members(3) == 3 && members(5) == 5);
    CHECK(dlclose(library) == 0);
}

static void* open_on_thread(void* path)
{
    open_once(path);
    return NULL;
}

int main(int count, char** arguments)
{
    for (int i = 1; i < count; i++) {
        open_once(arguments[i]);
        for (int round = 0; round < 3; round++) {
            pthread_t threads[3];
            for (int t = 0; t < 3; t++)
                CHECK(pthread_create(&threads[t], NULL, open_on_thread, arguments[i]) == 0);
            for (int t = 0; t < 3; t++)
                CHECK(pthread_join(threads[t], NULL) == 0);
        }
    }
    return finish("opening");
}
