/* Of the Qthreads interface: a hash table of pointers. */
#ifndef QTHREAD_DICTIONARY_H
#define QTHREAD_DICTIONARY_H

#include "macros.h"

#include <inttypes.h>
#include <stdlib.h>

Q_STARTCXX

#define DELETE_SUPPORT
#define ERROR ((void*)(-1))

typedef int (*qt_dict_key_equals_f)(void*, void*);
typedef int (*qt_dict_hash_f)(void*);
typedef void (*qt_dict_cleanup_f)(void*, void*);
struct list_entry {
    void* value;
    void* key;
    uint64_t hashed_key;
    struct list_entry* next;
};
typedef struct list_entry list_entry;
typedef struct qt_dictionary qt_dictionary;
typedef struct qt_dictionary_iterator qt_dictionary_iterator;

qt_dictionary* qt_dictionary_create(qt_dict_key_equals_f eq, qt_dict_hash_f hash,
                                    qt_dict_cleanup_f cleanup);
void qt_dictionary_destroy(qt_dictionary* d);
void* qt_dictionary_put(qt_dictionary* d, void* key, void* value);
void* qt_dictionary_put_if_absent(qt_dictionary* d, void* key, void* value);
void* qt_dictionary_get(qt_dictionary* d, void* key);
void* qt_dictionary_delete(qt_dictionary* d, void* key);
void qt_dictionary_printbuckets(qt_dictionary* d);

qt_dictionary_iterator* qt_dictionary_iterator_create(qt_dictionary* d);
void qt_dictionary_iterator_destroy(qt_dictionary_iterator* it);
list_entry* qt_dictionary_iterator_next(qt_dictionary_iterator* it);
list_entry* qt_dictionary_iterator_get(const qt_dictionary_iterator* it);
qt_dictionary_iterator* qt_dictionary_end(qt_dictionary* d);
int qt_dictionary_iterator_equals(qt_dictionary_iterator* a, qt_dictionary_iterator* b);
qt_dictionary_iterator* qt_dictionary_iterator_copy(qt_dictionary_iterator* it);

Q_ENDCXX

#endif
