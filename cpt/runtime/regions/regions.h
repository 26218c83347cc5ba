/* The way into a parallel region, and what it asks of a family of runtimes: the crew's, or the
 * common part of all others. */
#ifndef CPT_REGIONS_H
#define CPT_REGIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Its teams are no larger than it has streams. Belongs to who opened it. */
struct cp_zone {
    struct cp_zone* outer;
    unsigned streams; /* 0: all */
    void* part;       /* of the library of light threads; null: all of it */
};

/* What is known of each thread of the program, a light one too. */
struct cp_caller {
    struct cp_zone* zone; /* the innermost one that it is in */
    struct cp_zone* next; /* of the next region alone */
    unsigned opened;      /* so many of them by itself, in this region */
    unsigned least, most; /* cp_set_bounds */
    int has_bounds;       /* it was called */
    int bounded;          /* the size of the next region is final */
};

/* --- what a family implements */

/* Of the calling thread; to be asked anew after each wait. */
struct cp_caller* cp_calling(void);
void cp_region(void (*body)(void*), void* frame, unsigned threads, unsigned bind,
               const struct cp_zone* zone);
/* The size of a region that asks for none. */
unsigned cp_default_threads(void);
/* The streams on these nodes (null: on all). Null: the library of light threads does not tell them
 * apart. */
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
