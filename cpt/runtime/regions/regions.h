/* Entry into a parallel region, and the functions that it needs of a family of runtimes: that of
 * the crew, or the common part of all others. */
#ifndef CPT_REGIONS_H
#define CPT_REGIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A zone: teams in it are no larger than its number of streams. Owned by the thread that opened
 * it. */
struct cp_zone {
    struct cp_zone* outer;
    unsigned streams; /* 0: all */
    void* part;       /* the part of the streams; null: all of them */
};

/* The state of each thread of the program, and of each light thread. */
struct cp_caller {
    struct cp_zone* zone; /* the innermost zone */
    struct cp_zone* next; /* the zone of the next region only */
    unsigned opened;      /* the number of zones that it has opened itself, in this region */
    unsigned least, most; /* cp_set_bounds */
    int has_bounds;       /* whether cp_set_bounds was called */
    int bounded;          /* the size of the next region is final */
};

/* --- what a family implements */

/* The calling thread's state; to be called again after each wait. */
struct cp_caller* cp_calling(void);
void cp_region(void (*body)(void*), void* frame, unsigned threads, unsigned bind,
               const struct cp_zone* zone);
/* The size of a region that asks for none. */
unsigned cp_default_threads(void);
/* The streams on these nodes (null: on all); null if the library of light threads does not
 * distinguish nodes. */
void* cp_open_part(const char* numas);
void cp_close_part(void* part);
const char* cp_name(void);

/* --- profile.c */

/* Adds one call of the region at a place: how long it took, the sum of its members' times, and how
 * many they were. */
void cp_profile_add(const char* place, double wall, double work, unsigned members);
double cp_profile_now(void);
/* True where CP_PROFILE asks for one. */
int cp_profile_wanted(void);

#ifdef __cplusplus
}
#endif

#endif
