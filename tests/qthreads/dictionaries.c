/* Dictionaries, and iterators over them. */
#include "check.h"

#include <qthread/dictionary.h>
#include <qthread/qthread.h>

static int equal(void* a, void* b)
{
    return *(int*)a == *(int*)b;
}
static int hash(void* a)
{
    return *(int*)a % 100; /* so that many collide */
}
static aligned_t cleaned;
static int cleans_all; /* not one key, whose value goes to the caller */
static void clean(void* k, void* v)
{
    CHECK(k != NULL && v == (cleans_all ? k : NULL));
    qthread_incr(&cleaned, 1);
}
static void dictionaries(void)
{
    enum { many = 1000 };
    static int numbers[many];
    qt_dictionary* const d = qt_dictionary_create(equal, hash, clean);
    for (int i = 0; i < many; ++i) {
        numbers[i] = i;
        CHECK(qt_dictionary_put(d, &numbers[i], &numbers[i]) == &numbers[i]);
    }
    int seven = 7;
    CHECK(qt_dictionary_get(d, &seven) == &numbers[7]);
    CHECK(qt_dictionary_put_if_absent(d, &seven, &seven) == &numbers[7]);
    cleaned = 0;
    cleans_all = 0;
    CHECK(qt_dictionary_delete(d, &seven) == &numbers[7] && qt_dictionary_get(d, &seven) == NULL);
    CHECK(cleaned == 1 && qt_dictionary_delete(d, &seven) == NULL);
    cleans_all = 1;
    int seen = 0;
    qt_dictionary_iterator* const it = qt_dictionary_iterator_create(d);
    qt_dictionary_iterator* const end = qt_dictionary_end(d);
    for (list_entry* e; (e = qt_dictionary_iterator_next(it)) != NULL; ++seen) {
        CHECK(e->key == e->value && qt_dictionary_iterator_get(it) == e);
        qt_dictionary_iterator* const copy = qt_dictionary_iterator_copy(it);
        CHECK(qt_dictionary_iterator_equals(it, copy) && !qt_dictionary_iterator_equals(it, end));
        qt_dictionary_iterator_destroy(copy);
    }
    CHECK(seen == many - 1 && qt_dictionary_iterator_equals(it, end));
    qt_dictionary_iterator_destroy(it);
    qt_dictionary_iterator_destroy(end);
    qt_dictionary_destroy(d);
    CHECK(cleaned == many);
}

/* A caller that iterates over a dictionary may remove entries, and others may meanwhile. */
static qt_dictionary* walked;
static int keys_of[2000];
static aligned_t removes(void* first)
{
    for (int i = *(int*)first; i < 2000; i += 2) {
        qt_dictionary_delete(walked, &keys_of[i]);
        if (i % 64 == 0) {
            qthread_yield();
        }
    }
    return 0;
}
static void removals_while_walking(void)
{
    enum { many = 2000 };
    walked = qt_dictionary_create(equal, hash, NULL);
    for (int i = 0; i < many; ++i) {
        keys_of[i] = i;
        CHECK(qt_dictionary_put(walked, &keys_of[i], &keys_of[i]) != NULL);
    }
    int seen = 0;
    qt_dictionary_iterator* it = qt_dictionary_iterator_create(walked);
    CHECK(qt_dictionary_iterator_get(it) == NULL);
    for (list_entry* e; (e = qt_dictionary_iterator_next(it)) != NULL; ++seen) {
        CHECK(qt_dictionary_delete(walked, e->key) == e->value);
        CHECK(qt_dictionary_iterator_get(it) == NULL);
    }
    CHECK(seen == many && qt_dictionary_iterator_next(it) == NULL);
    qt_dictionary_iterator_destroy(it);
    for (int i = 0; i < many; ++i) {
        CHECK(qt_dictionary_put_if_absent(walked, &keys_of[i], &keys_of[i]) == &keys_of[i]);
    }
    aligned_t done[2];
    for (int i = 0; i < 2; ++i) {
        CHECK(qthread_fork(removes, &keys_of[i], &done[i]) == QTHREAD_SUCCESS);
    }
    for (int i = 0; i < 20; ++i) {
        it = qt_dictionary_iterator_create(walked);
        for (list_entry* e; (e = qt_dictionary_iterator_next(it)) != NULL;) {
            const int n = *(int*)e->key;
            CHECK(n >= 0 && n < many && e->value == &keys_of[n]);
        }
        qt_dictionary_iterator_destroy(it);
        qthread_yield();
    }
    for (int i = 0; i < 2; ++i) {
        qthread_readFF(NULL, &done[i]);
    }
    /* An iterator may be destroyed after its dictionary. */
    CHECK(qt_dictionary_put(walked, &keys_of[7], &keys_of[7]) == &keys_of[7]);
    it = qt_dictionary_iterator_create(walked);
    CHECK(((list_entry*)qt_dictionary_iterator_next(it))->key == &keys_of[7]);
    qt_dictionary_iterator* const copy = qt_dictionary_iterator_copy(it);
    qt_dictionary_destroy(walked);
    qt_dictionary_iterator_destroy(it);
    qt_dictionary_iterator_destroy(copy);
    CHECK(qt_dictionary_iterator_create(NULL) == ERROR && qt_dictionary_end(NULL) == NULL);
    CHECK(qt_dictionary_iterator_next(NULL) == ERROR && qt_dictionary_iterator_copy(NULL) == NULL);
    qt_dictionary_iterator* const none = ERROR;
    CHECK(qt_dictionary_iterator_equals(none, none) && !qt_dictionary_iterator_equals(none, NULL));
    walked = qt_dictionary_create(equal, hash, NULL);
    it = qt_dictionary_end(walked);
    CHECK(!qt_dictionary_iterator_equals(none, it) && !qt_dictionary_iterator_equals(it, none));
    qt_dictionary_iterator_destroy(it);
    qt_dictionary_destroy(walked);
}

/* An iterator visits each entry that is there all the time once, however many are added
 * meanwhile. */
static void additions_while_walking(void)
{
    enum { first = 40, last = 99, many = 1000 };
    static int keys[many], seen[many];
    qt_dictionary* const d = qt_dictionary_create(equal, hash, NULL);
    for (int i = 0; i < many; ++i) {
        keys[i] = i;
    }
    for (int i = first; i <= last; ++i) {
        CHECK(qt_dictionary_put(d, &keys[i], &keys[i]) != NULL);
    }
    int visits = 0;
    qt_dictionary_iterator* const it = qt_dictionary_iterator_create(d);
    for (list_entry* e; (e = qt_dictionary_iterator_next(it)) != NULL;) {
        ++seen[*(int*)e->key];
        if (++visits == 10) {
            for (int i = last + 1; i < many; ++i) {
                CHECK(qt_dictionary_put(d, &keys[i], &keys[i]) != NULL);
            }
        }
    }
    qt_dictionary_iterator_destroy(it);
    for (int i = 0; i < many; ++i) {
        CHECK(i < first || i > last ? seen[i] <= 1 : seen[i] == 1);
    }
    CHECK(qt_dictionary_put(d, &keys[0], &keys[0]) != NULL);
    for (int i = first; i < many; ++i) {
        CHECK(qt_dictionary_get(d, &keys[i]) == &keys[i]);
    }
    qt_dictionary_destroy(d);
}

int main(void)
{
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    dictionaries();
    removals_while_walking();
    additions_while_walking();
    puts("good");
    return 0;
}
