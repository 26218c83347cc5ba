/* Runs regions until every member has been carried by an OS thread that keeps to the member's
   place, or gives up after many, since others may carry a member for a while. Prints which were
   never there, and then the CPUs of the initial thread and of each of the crew's threads. */
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_members = 64 };

static int within_place(int place)
{
    cpu_set_t allowed, mine;
    int ids[CPU_SETSIZE];
    if (place < 0 || sched_getaffinity(0, sizeof mine, &mine) != 0)
        return 0;
    omp_get_place_proc_ids(place, ids);
    CPU_ZERO(&allowed);
    for (int i = 0; i < omp_get_place_num_procs(place); i++)
        CPU_SET(ids[i], &allowed);
    CPU_AND(&allowed, &allowed, &mine);
    return CPU_EQUAL(&allowed, &mine);
}

static void print_mask(const char* name, pid_t thread)
{
    cpu_set_t mask;
    if (sched_getaffinity(thread, sizeof mask, &mask) != 0)
        return; /* it has ended */
    printf("%s", name);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &mask))
            printf(" %d", i);
    printf("\n");
}

int main(void)
{
    int home[most_members] = {0}, missing = 1, members = 0;
    for (int region = 0; region < 20000 && missing > 0; region++) {
        missing = 0;
#pragma omp parallel reduction(+ : missing)
        {
            const int me = omp_get_thread_num();
#pragma omp barrier
            home[me] |= within_place(omp_get_place_num());
            missing += !home[me];
            if (me == 0)
                members = omp_get_num_threads();
        }
    }
    for (int i = 0; i < members; i++)
        if (!home[i])
            printf("never at home: member %d\n", i);
    print_mask("initial", 0);
    DIR* const tasks = opendir("/proc/self/task");
    for (struct dirent* entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        char path[300], name[40] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE* const f = fopen(path, "r");
        if (f != NULL && fgets(name, sizeof name, f) != NULL && strcmp(name, "artel-worker\n") == 0)
            print_mask("worker", (pid_t)atoi(entry->d_name));
        if (f != NULL)
            fclose(f);
    }
    return 0;
}
