/* Queens on a board: recursion with tasks.
 *
 * Counts the ways to put N queens on an N x N board so that none attacks another. Every placement
 * that is still possible becomes a task, the parent waits for its children with taskwait and adds
 * up what they found: as many tiny tasks as the search tree has nodes, which measures what a task
 * costs. --cutoff makes a task of the first rows only and searches the rest in plain recursion, as
 * programs do when tasks are expensive. */
#include "example.h"

#include <getopt.h>
#include <omp.h>

enum { most_queens = 20 };

/* Rows are filled from the top; a set bit in columns, left or right is a square of this row that is
 * attacked. */
static long search(int size, int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == size)
        return 1;
    long found = 0;
    for (unsigned open = ~(columns | left | right) & ((1u << size) - 1); open != 0;
         open &= open - 1) {
        const unsigned queen = open & -open;
        found += search(size, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return found;
}

static long search_with_tasks(int size, int row, int cutoff, unsigned columns, unsigned left,
                              unsigned right)
{
    if (row == size)
        return 1;
    if (row >= cutoff)
        return search(size, row, columns, left, right);
    long found[most_queens];
    int children = 0;
    for (unsigned open = ~(columns | left | right) & ((1u << size) - 1); open != 0;
         open &= open - 1) {
        const unsigned queen = open & -open;
        long* const mine = &found[children++];
#pragma omp task default(none) firstprivate(size, row, cutoff, columns, left, right, queen, mine)
        *mine = search_with_tasks(size, row + 1, cutoff, columns | queen, (left | queen) << 1,
                                  (right | queen) >> 1);
    }
#pragma omp taskwait
    long sum = 0;
    for (int i = 0; i < children; ++i)
        sum += found[i];
    return sum;
}

static void usage(void)
{
    puts(
        "usage: queens [options]\n"
        "Counts the solutions of the N queens problem with one OpenMP task per placement.\n\n"
        "  --size N      queens and sides of the board, 1 to 20 (default 12)\n"
        "  --cutoff N    rows that are searched with tasks; the rest is plain recursion (default: "
        "all rows)\n"
        "  --threads N   threads (default: what OpenMP chooses)\n"
        "  --help        this text");
}

int main(int argc, char** argv)
{
    /* https://oeis.org/A000170 */
    static const long known[most_queens + 1] = {
        1,      1,       0,        0,        2,         10,         4,
        40,     92,      352,      724,      2680,      14200,      73712,
        365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};
    int size = 12, cutoff = most_queens, threads = 0;
    static const struct option options[] = {{"size", 1, 0, 's'},
                                            {"cutoff", 1, 0, 'c'},
                                            {"threads", 1, 0, 't'},
                                            {"help", 0, 0, 'h'},
                                            {0, 0, 0, 0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (c) {
        case 's': size = (int)parse_long("size", optarg, 1, most_queens); break;
        case 'c': cutoff = (int)parse_long("cutoff", optarg, 0, most_queens); break;
        case 't': threads = (int)parse_long("threads", optarg, 1, 4096); break;
        case 'h': usage(); return 0;
        default: return 2;
        }
    no_more_arguments(argc, argv, optind);
    omp_set_dynamic(0);
    if (threads == 0)
        threads = omp_get_max_threads();

    long found = 0;
    const double start = seconds();
#pragma omp parallel num_threads(threads)
#pragma omp single
    found = search_with_tasks(size, 0, cutoff, 0, 0, 0);
    const double took = seconds() - start;

    printf("result: queens size=%d solutions=%ld\n", size, found);
    printf("time: %.3f s\n", took);
    if (found != known[size])
        fail(1, "there are %ld solutions for %d queens, not %ld", known[size], size, found);
    return 0;
}
