/* Teams of a league whose members OMP_DISPLAY_AFFINITY makes report, in two leagues. */
#include <omp.h>

static volatile int level; /* a region without effects would be left out by the compiler */

int main(void)
{
    for (int i = 0; i < 2; ++i) {
#pragma omp teams num_teams(3)
        {
#pragma omp parallel num_threads(2)
            level = omp_get_level();
        }
    }
    return level != 1;
}
