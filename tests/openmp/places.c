/* Says where members are: "PATH bind B place P partition p p p", PATH being the numbers of the
   member and its ancestors. places REGIONS... REGIONS is for nested regions, outermost first, three
   characters each: the proc_bind clause (c close, p primary, s spread, n none), how many members,
   and which of them meets the next one. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char* path)
{
    int count = omp_get_partition_num_places(), numbers[256];
    omp_get_partition_place_nums(numbers);
    printf("%s bind %d place %d partition", path, omp_get_proc_bind(), omp_get_place_num());
    for (int i = 0; i < count; i++)
        printf(" %d", numbers[i]);
    printf("\n");
}

static void regions(const char* path, const char* spec);

static void member(const char* path, const char* spec, int threads)
{
    char mine[200];
    snprintf(mine, sizeof mine, "%s/%d", path, omp_get_thread_num());
    for (int i = 0; i < threads; i++) {
        if (omp_get_thread_num() == i)
            say(mine);
#pragma omp barrier
    }
    if (omp_get_thread_num() == spec[2] - '0' && spec[3] != 0) {
        regions(mine, spec + 3);
        say(mine);
    }
}

static void regions(const char* path, const char* spec)
{
    int threads = spec[1] - '0';
    switch (spec[0]) {
    case 'n':
#pragma omp parallel num_threads(threads)
        member(path, spec, threads);
        break;
    case 'p':
#pragma omp parallel num_threads(threads) proc_bind(primary)
        member(path, spec, threads);
        break;
    case 'c':
#pragma omp parallel num_threads(threads) proc_bind(close)
        member(path, spec, threads);
        break;
    case 's':
#pragma omp parallel num_threads(threads) proc_bind(spread)
        member(path, spec, threads);
        break;
    default: exit(2);
    }
}

int main(int argc, char** argv)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    printf("%d processors\n", omp_get_num_procs());
    for (int i = 0; i < omp_get_num_places(); i++) {
        int count = omp_get_place_num_procs(i), numbers[256];
        omp_get_place_proc_ids(i, numbers);
        printf("place %d:", i);
        for (int j = 0; j < count; j++)
            printf(" %d", numbers[j]);
        printf("\n");
    }
    omp_set_max_active_levels(8);
    say("initial");
    for (int i = 1; i < argc; i++) {
        regions("", argv[i]);
        say("initial");
    }
    return 0;
}
