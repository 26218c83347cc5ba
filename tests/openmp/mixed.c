/* Code of gcc and of clang in one process. Under Artel both halves are served by the same crew: the
   same members, the same numbers, and each half sees the other's regions. Under the stock runtimes
   they are two strangers, and only the results are checked. */
#include "check.h"

#include <pthread.h>

enum { most = 64 };

int gcc_region(int, pthread_t*, int), clang_region(int, pthread_t*, int);
void gcc_ask(int*, int*, int*), clang_ask(int*, int*, int*);
void gcc_call(int, void (*)(void)), clang_call(int, void (*)(void));
void gcc_split(int, int, int*), clang_split(int, int, int*);

__thread int shared_tls;

static int calls, artel;

static void both_agree(void)
{
    int a[3], b[3];
    gcc_ask(a, a + 1, a + 2);
    clang_ask(b, b + 1, b + 2);
    CHECK(!artel || (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]));
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}

/* Where libomp notes that it has started. It is mapped in any case, and must not start beside us.
 */
static const char* note_of_libomp(void)
{
    static char path[100];
    snprintf(path, sizeof path, "/dev/shm/__KMP_REGISTERED_LIB_%d_%d", (int)getpid(),
             (int)getuid());
    return path;
}

static void clang_inside(void)
{
    clang_call(2, both_agree);
}

static void gcc_inside(void)
{
    gcc_call(2, both_agree);
}

int main(void)
{
    artel = getenv("UNDER_ARTEL") != NULL;
    unlink(note_of_libomp()); /* of a process that had this number and was killed */
    both_agree();
    for (int round = 0; round < 20; ++round) {
        pthread_t by_gcc[most] = {0}, by_clang[most] = {0};
        const int threads = 2 + round % 3;
        gcc_region(threads, by_gcc, 1);
        const int found = clang_region(threads, by_clang, 2);
        CHECK(!artel || found == threads);
        for (int i = 0; artel && i < threads; ++i) {
            CHECK(pthread_equal(by_gcc[i], by_clang[i]));
        }
        shared_tls = 0;
    }
    calls = 0;
    gcc_call(3, both_agree);
    clang_call(3, both_agree);
    gcc_call(3, clang_inside);
    clang_call(3, gcc_inside);
    CHECK(calls == 18);
    CHECK((access(note_of_libomp(), F_OK) == 0) == !artel);
    int one[101], other[101];
    gcc_split(4, 101, one);
    clang_split(4, 101, other);
    CHECK(!artel || memcmp(one, other, sizeof one) == 0);
    return finish("mixed");
}
