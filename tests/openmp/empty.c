/* Uses the runtime just enough to be linked to it. */
#include <omp.h>

int main(void)
{
    return omp_get_wtime() < 0;
}
