// A team of as many members as the argument says, with barriers; prints how many there were.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** arguments)
{
    const int members = count > 1 ? atoi(arguments[1]) : 4;
    int seen = 0;
    int told = 0;
#pragma omp parallel num_threads(members) reduction(+ : seen)
    {
        seen++;
#pragma omp barrier
#pragma omp master
        told = omp_get_num_threads();
#pragma omp barrier
    }
    printf("%d of %d\n", seen, told);
    return seen != members || told != members;
}
