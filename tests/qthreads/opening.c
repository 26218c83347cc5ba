/* Keys of OS threads where the dynamic linker's lock is taken: the argument is a library, made of
   opening_part.c, whose constructor waits for such a thread. Those of the main thread, when it has
   no qthread, end with the process. */
#include "check.h"

#include <dlfcn.h>
#include <qthread/qthread.h>
#include <qthread/tls.h>
#include <unistd.h>

static int expected;

static void end(void* value)
{
    _exit(value == &expected ? 0 : 2);
}

int main(int count, char** arguments)
{
    qthread_key_t key;
    CHECK(count == 2 && dlopen(arguments[1], RTLD_NOW) != NULL);
    CHECK(qthread_key_create(&key, end) == QTHREAD_SUCCESS);
    CHECK(qthread_setspecific(key, &expected) == QTHREAD_SUCCESS);
    return 1; /* the destructor of the value says 0 */
}
