/* Words of OpenMP 5.2 where Clang reads 5.1 without being told otherwise. */
#include <stdlib.h>
static int mapped[4];
#pragma omp declare target enter(mapped)
int main(void)
{
    int chain[8] = {0}, x = 3, sum = 0;
#pragma omp target
    mapped[1] = 2;
#pragma omp target enter data map(x)
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 1; i < 8; i++) {
#pragma omp ordered doacross(sink : i - 1)
        chain[i] = chain[i - 1] + i;
#pragma omp ordered doacross(source:)
    }
#pragma omp parallel num_threads(3)
    {
#pragma omp scope reduction(+ : sum)
        sum += x + 1;
#pragma omp flush seq_cst
    }
#pragma omp target exit data map(x)
    if (chain[7] != 28 || mapped[1] != 2 || x != 3 || sum != 12)
        abort();
    return 0;
}
