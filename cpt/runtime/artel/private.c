/* threadprivate variables: members have thread-local storage of their own, which holds a table
 * of copies.
 */
#include "gomp.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct image {
    void* original;
    unsigned long bytes, alignment;
    void* value;
};
static struct {
    pthread_mutex_t lock;
    struct image* all;
    unsigned long n;
    pthread_key_t leaving;
} variables = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread struct {
    void** copies;
    unsigned long n;
    int is_first; /* 1: the program's first thread; 2: another one that has copies */
} mine;

static void* checked(void* memory)
{
    if (memory == NULL) {
        static const char text[] = "cpt: error: no memory for threadprivate variables\n";
        if (write(2, text, sizeof text - 1) >= 0) {
            _exit(1);
        }
        _exit(1);
    }
    return memory;
}

static void leave(void* unused)
{
    (void)unused;
    for (unsigned long i = 0; i < mine.n; ++i) {
        free(mine.copies[i]);
    }
    free(mine.copies);
    mine.copies = NULL;
    mine.n = 0;
}

__attribute__((constructor(101))) static void begin(void)
{
    pthread_key_create(&variables.leaving, leave);
    /* The member keeps its thread-local storage wherever it runs. */
    mine.is_first = syscall(SYS_gettid) == getpid() ? 1 : 0;
}

/* Under the lock. */
static unsigned long number_of(struct __cp_private_variable* v)
{
    for (unsigned long i = 0; i < variables.n; ++i) {
        if (variables.all[i].original == v->original) {
            return i + 1;
        }
    }
    variables.all = checked(realloc(variables.all, (variables.n + 1) * sizeof(struct image)));
    struct image* const i = &variables.all[variables.n++];
    *i = (struct image){v->original, v->bytes, v->alignment, checked(malloc(v->bytes + 1))};
    memcpy(i->value, v->original, v->bytes);
    return variables.n;
}

CP void __cp_private_register(struct __cp_private_variable* v)
{
    pthread_mutex_lock(&variables.lock);
    /* release: publishes the entry of this number to __cp_private. */
    __atomic_store_n(&v->number, number_of(v), __ATOMIC_RELEASE);
    pthread_mutex_unlock(&variables.lock);
}

static void* copy_of(struct __cp_private_variable* v)
{
    if (mine.is_first == 0) {
        mine.is_first = 2;
        pthread_setspecific(variables.leaving, &mine);
    }
    pthread_mutex_lock(&variables.lock);
    const unsigned long at = number_of(v) - 1;
    if (at >= mine.n) {
        mine.copies = checked(realloc(mine.copies, (at + 1) * sizeof(void*)));
        memset(mine.copies + mine.n, 0, (at + 1 - mine.n) * sizeof(void*));
        mine.n = at + 1;
    }
    if (mine.copies[at] != NULL) { /* made through another unit's record */
        void* const known = mine.copies[at];
        pthread_mutex_unlock(&variables.lock);
        __atomic_store_n(&v->number, at + 1, __ATOMIC_RELEASE); /* release: as above */
        return known;
    }
    const struct image* const from = &variables.all[at];
    const unsigned long edge = from->alignment < 64 ? 64 : from->alignment;
    void* const copy = checked(aligned_alloc(edge, (from->bytes + edge - 1) / edge * edge));
    memcpy(copy, from->value, from->bytes);
    mine.copies[at] = copy;
    pthread_mutex_unlock(&variables.lock);
    __atomic_store_n(&v->number, at + 1, __ATOMIC_RELEASE); /* release: as above */
    return copy;
}

CP void* __cp_private(struct __cp_private_variable* v)
{
    if (mine.is_first == 1) {
        return v->original;
    }
    /* acquire: pairs with __cp_private_register. */
    const unsigned long at = __atomic_load_n(&v->number, __ATOMIC_ACQUIRE) - 1;
    return at < mine.n && mine.copies[at] != NULL ? mine.copies[at] : copy_of(v);
}
