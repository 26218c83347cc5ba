/* Counts the nodes of an unbalanced tree that is not known beforehand, with a task per node: a
 * binomial tree as in the Unbalanced Tree Search benchmark, in which a node's number determines its
 * children. */
#include "tasks.h"

#include <stdint.h>

enum { children = 8 };

static uint64_t root_children;
static uint64_t counted, counted_alone;

/* splitmix64 */
static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct node {
    uint64_t number;
    uint64_t below; /* the result: nodes of this tree */
};

/* A node has 8 children in 124 of 1000 cases, so the tree is finite; most subtrees are small, some
 * very large. Takes as long as one step of the benchmark's SHA-1. */
static int children_of(uint64_t number)
{
    for (int i = 0; i < 64; ++i) {
        number = mixed(number);
    }
    return number % 1000 < 124 ? children : 0;
}

static void count(void* argument)
{
    struct node* const n = argument;
    const int c = children_of(n->number);
    struct node below[children];
    struct job jobs[children];
    for (int i = 0; i < c; ++i) {
        below[i].number = mixed(n->number + (uint64_t)i + 1);
        jobs[i] = (struct job){.run = count, .argument = &below[i]};
        spawn(&jobs[i]);
    }
    wait_for(jobs, c);
    n->below = 1;
    for (int i = 0; i < c; ++i) {
        n->below += below[i].below;
    }
}

static uint64_t count_alone(uint64_t number)
{
    uint64_t all = 1;
    for (int i = 0, c = children_of(number); i < c; ++i) {
        all += count_alone(mixed(number + (uint64_t)i + 1));
    }
    return all;
}

static void prepare(int exponent)
{
    root_children = (uint64_t)1 << (exponent != 0 ? exponent : 12);
    counted_alone = 0;
    for (uint64_t i = 0; i < root_children; ++i) {
        counted_alone += count_alone(mixed(i));
    }
}

struct range {
    uint64_t begin, end, below;
};

static void count_range(void* argument)
{
    struct range* const r = argument;
    if (r->end - r->begin == 1) {
        struct node n = {mixed(r->begin), 0};
        count(&n);
        r->below = n.below;
        return;
    }
    const uint64_t middle = r->begin + (r->end - r->begin) / 2;
    struct range parts[2] = {{r->begin, middle, 0}, {middle, r->end, 0}};
    struct job jobs[2] = {{.run = count_range, .argument = &parts[0]},
                          {.run = count_range, .argument = &parts[1]}};
    spawn(&jobs[0]);
    spawn(&jobs[1]);
    wait_for(jobs, 2);
    r->below = parts[0].below + parts[1].below;
}

static void run(void)
{
    struct range all = {0, root_children, 0};
    count_range(&all);
    counted = all.below;
}

static int is_right(void)
{
    return counted == counted_alone;
}

const struct kernel uts = {"uts", prepare, run, is_right};
