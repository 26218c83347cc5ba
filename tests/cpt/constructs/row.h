/* What the programs of this folder have in common. Each has a function per row of
 * docs/cpt-constructs.md, which returns 0 when the construct did what it is for. A program that is
 * started with the name of a row runs it, without one it prints the names of its rows. The rows are
 * run with fewer streams than threads, too: then a construct that kept its OS thread while one of
 * its threads waits would never end. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { threads = 4, n = 1000 };

struct row {
    const char* name;
    int (*test)(void);
};
extern const struct row rows[]; /* of the program, up to one without a name */

int main(int count, char** arguments)
{
    for (const struct row* r = rows; r->name != NULL; r++) {
        if (count < 2)
            printf("%s\n", r->name);
        else if (strcmp(arguments[1], r->name) == 0)
            return r->test() != 0;
    }
    return count < 2 ? 0 : 2;
}
