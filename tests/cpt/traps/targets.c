/* What target regions have of their own on the host: pointers whose memory is mapped, allocators,
 * and parts in reductions of tasks. */
#include <omp.h>
#include <stdlib.h>
static void pointers(void)
{
    int memory[4] = {0, 0, 0, 0}, *p = memory, *q = memory, *own = NULL, *kept = memory;
#pragma omp target map(p[ : 4]) map(tofrom : q, q[ : 4])
    {
        *(++p) = 9;
        q++;
        own = malloc(sizeof *own);
        *own = 3;
        memory[3] += *own;
        free(own);
    }
    if (p != memory || q != memory + 1 || own != NULL || memory[1] != 9 || memory[3] != 3)
        abort();
#pragma omp target defaultmap(tofrom : pointer)
    kept++;
#pragma omp target teams distribute parallel for map(p[ : 4])
    for (int i = 0; i < 4; i++)
        p[i] = i;
    if (kept != memory + 1 || memory[2] != 2)
        abort();
}
static void allocators(void)
{
    const omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
    omp_allocator_handle_t mine = omp_null_allocator;
    int x = 0, right = 0;
#pragma omp target map(tofrom : right) uses_allocators(omp_default_mem_alloc, mine(traits)) \
    firstprivate(x) allocate(mine : x)
    {
        char* const a = omp_alloc(10, mine);
        right = a != NULL && (unsigned long)a % 128 == 0 && x == 0;
        omp_free(a, mine);
    }
    if (!right || mine != omp_null_allocator)
        abort();
}
static void reductions(void)
{
    int sum = 5, array[3] = {1, 1, 1}, n = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, array)
    {
#pragma omp target in_reduction(+ : sum, array) map(tofrom : n)
        {
            sum += 10;
            array[1] += 4;
            n++;
        }
#pragma omp task in_reduction(+ : sum)
        sum += 100;
#pragma omp target in_reduction(+ : sum) map(tofrom : n)
        {
#pragma omp parallel for reduction(+ : sum)
            for (int i = 0; i < 4; i++)
                sum += i == 3 ? 1000 : 0;
            n += 6;
        }
    }
    if (sum != 1115 || array[0] != 1 || array[1] != 5 || n != 7)
        abort();
}
int main(void)
{
    pointers();
    allocators();
    reductions();
    return 0;
}
