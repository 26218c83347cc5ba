/* mixed.c — a program without OpenMP that has two plug-ins with regions of 20 us, one compiled by
 * gcc, one by clang: their runtimes share the CPUs, or compete for them.
 *
 * "mixed": how long a region takes when the plug-ins have one in turn, as a ratio to what it took
 * when the first was alone in the process: a runtime that has been used once may take CPU time even
 * while it has nothing to do. Both times are divided by that of the same work without a region, so
 * the CPU's momentary speed cancels. "mixed-region": a region in turn, us. */
#include "../measure/measure.h"

#include <libgen.h>
#include <limits.h>
#include <unistd.h>

enum { in_turn = 25 };
static const double region_seconds = 20e-6;

struct part {
    double (*regions)(int threads, long steps, long count);
    const char* (*library)(void);
};

struct mixture {
    struct part parts[2];
    int threads;
    long steps;
};

static void* found(void* address)
{
    if (!address) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return address;
}

/* The plug-in of that name, which lies beside this program. */
static struct part open_part(const char* name)
{
    char here[PATH_MAX], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0) {
        perror("/proc/self/exe");
        exit(1);
    }
    here[length] = 0;
    snprintf(path, sizeof path, "%s/%s", dirname(here), name);
    void* plugin = found(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    struct part part;
    *(void**)&part.regions = found(dlsym(plugin, "part_regions"));
    *(void**)&part.library = found(dlsym(plugin, "part_library"));
    return part;
}

static double turns(const struct mixture* m)
{
    double took = 0;
    for (int i = 0; i < in_turn; ++i)
        for (int j = 0; j < 2; ++j)
            took += m->parts[j].regions(m->threads, m->steps, 1);
    return took / 2;
}

/* The time of the work of so many regions for one thread alone. */
static double bare(const struct mixture* m)
{
    double start = measure_now();
    for (int i = 0; i < in_turn; ++i)
        measure_work(m->steps);
    return measure_now() - start;
}

/* The median ratio of regions of the first plug-in to their bare work, before the second has had
 * any. */
static double alone(const struct mixture* m)
{
    enum { samples = 201 };
    double values[samples];
    for (int i = 0; i < samples; ++i)
        values[i] = m->parts[0].regions(m->threads, m->steps, in_turn) / bare(m);
    qsort(values, samples, sizeof *values, measure_compare);
    return values[samples / 2];
}

static double ratios(long count, void* context)
{
    double sum = 0;
    for (long i = 0; i < count; ++i)
        sum += turns(context) / bare(context);
    return sum;
}

static double regions(long count, void* context)
{
    double sum = 0;
    for (long i = 0; i < count; ++i)
        sum += turns(context);
    return sum;
}

int main(int argc, char** argv)
{
    struct measure_options options;
    measure_parse(&options, argc, argv);
    struct mixture m;
    m.parts[0] = open_part("openmp-mixed-gcc.so");
    m.parts[1] = open_part("openmp-mixed-clang.so");
    m.threads = options.threads;
    m.steps = measure_steps(region_seconds);
    char extra[2 * PATH_MAX + 96];
    double first = alone(&m);
    snprintf(extra, sizeof extra, ",\"alone\":%.6g,\"library\":\"%s\",\"second_library\":\"%s\"",
             first, m.parts[0].library(), m.parts[1].library());
    measure_run("mixed", "x alone", 1 / first, &options, ratios, &m, extra);
    measure_run("mixed-region", "us", 1e6 / in_turn, &options, regions, &m, extra);
    return 0;
}
