/* Dependences with iterators, whose bounds are variables, and depend objects. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void lists(int n)
{
    int v[8] = {0}, k, sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (k = 0; k < n; k++) {
#pragma omp task depend(out : v[k]) firstprivate(k) shared(v)
            v[k] = k + 1;
        }
#pragma omp task depend(iterator(int j = 0 : n : 2, unsigned char c = 1 : 2), \
                            inout : v[j + c - 1])                             \
    depend(iterator(int* q = &v[1] : &v[7] : 2), in : *q) shared(v)
        {
            int j;
            for (j = 0; j < n; j += 2)
                v[j] *= 10;
        }
#pragma omp task depend(iterator(long j = n - 1 : -1 : -1), in : v[j]) shared(v, sum)
        {
            int j;
            for (j = 0; j < n; j++)
                sum += v[j];
        }
#pragma omp taskwait depend(iterator(j = 0 : n), inout : v[j])
        printf("%d %d\n", sum, v[6]);
    }
}

static void grid(int n)
{
    int m[4][4], i, j;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
#pragma omp task depend(inout : m[i][j]) depend(iterator(a = 0 : i), in : m[a][j]) \
    depend(iterator(a = 0 : j), in : m[i][a]) shared(m) firstprivate(i, j)
            {
                int s = 1, a;
                for (a = 0; a < i; a++)
                    s += m[a][j];
                for (a = 0; a < j; a++)
                    s += m[i][a];
                m[i][j] = s;
            }
        }
    }
    printf("%d %d\n", m[3][3], m[2][3]);
}

static void rows(int width)
{
    int* memory = malloc(100 * sizeof *memory);
    int(*row)[width] = (int(*)[width])memory;
    int r, i;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (r = 0; r < 3; r++) {
        for (i = 0; i < 10; i++) {
#pragma omp task firstprivate(r, i) depend(inout : row[i][0 : width]) \
    depend(in : row[(i + 9) % 10][ : ])
            row[i][0] = r == 0 ? i : row[i][0] + row[(i + 9) % 10][0];
        }
    }
    printf("%d %d\n", row[9][0], row[5][0]);
    free(memory);
}

int main(void)
{
    lists(8);
    grid(4);
    rows(10);
    return 0;
}
