/* Of the Qthreads interface (qthread.h): memory from a file. */
#ifndef QTHREAD_QALLOC_H
#define QTHREAD_QALLOC_H

#include "macros.h"

#include <stddef.h>
#include <sys/types.h>

Q_STARTCXX

typedef struct mapinfo_s mapinfo_t;       /* a static map: items of one size */
typedef struct dynmapinfo_s dynmapinfo_t; /* a dynamic map: blocks of any size */

void* qalloc_makestatmap(off_t filesize, void* addr, const char* filename, size_t itemsize,
                         size_t streams);
void* qalloc_makedynmap(off_t filesize, void* addr, const char* filename, size_t streams);
void* qalloc_loadmap(const char* filename);
void qalloc_checkpoint(void);
void qalloc_cleanup(void);

void* qalloc_statmalloc(mapinfo_t* map);
void* qalloc_dynmalloc(dynmapinfo_t* map, size_t size);
void* qalloc_malloc(void* map, size_t size);
void qalloc_statfree(void* block, mapinfo_t* map);
void qalloc_dynfree(void* block, dynmapinfo_t* map);
void qalloc_free(void* block, void* map);

Q_ENDCXX

#endif
