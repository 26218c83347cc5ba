/* Variables that are called like types, names right behind braces, extremes of wide integers, and
 * what a function is called in itself. */
#include <stdlib.h>
#include <string.h>
typedef struct node {
    int value;
    struct node* next;
} node;
typedef double real;
typedef struct {
    real re, im;
} pair;
typedef unsigned row[3];
static int pointers(node* first, node* node, int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += node->value + first->value;
    return sum;
}
static real numbers(pair* pair, int n)
{
    real real = 0, other = 1;
    row table = {1, 2, 3}, row = {4, 5, 6};
#pragma omp parallel for reduction(+ : real) firstprivate(row, table) lastprivate(other)
    for (int i = 0; i < n; i++) {
        real += pair[i].re + pair[i].im + row[i % 3];
        other = table[2];
    }
#pragma omp parallel num_threads(2) firstprivate(pair)
#pragma omp single
#pragma omp task shared(other) firstprivate(pair)
    other += pair[0].re;
    return real + other;
}
/* clang-format off */
static int braces(void)
{
    int sum = 0;
    struct{int a, b;}s={1, 2};
    union{int i; float f;}u={3};
    enum{RED=4, GREEN}e=GREEN;
#pragma omp parallel num_threads(2) reduction(+ : sum) firstprivate(s)
    sum += s.a + s.b + u.i + e + RED;
    return sum;
}
/* clang-format on */
static void extremes(void)
{
    const __int128 one = 1;
    __int128 least = one << 100, most = -(one << 100);
    unsigned __int128 all = ~(unsigned __int128)0;
    signed char small = 5;
#pragma omp parallel for reduction(min : least, small) reduction(max : most) reduction(& : all)
    for (int i = 1; i <= 8; i++) {
        const __int128 v = one * i << 80;
        least = v < least ? v : least;
        most = -v > most ? -v : most;
        small = -i < small ? -i : small;
        all &= ~((unsigned __int128)1 << (100 + i));
    }
    if (least != one << 80 || most != -(one << 80) || small != -8 ||
        ~all >> 101 != (unsigned __int128)255)
        abort();
}
static void called(void)
{
    int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    wrong += strcmp(__func__, "called") != 0 || strcmp(__FUNCTION__, __func__) != 0;
#ifndef __clang__
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    wrong += strcmp(__PRETTY_FUNCTION__, "called") != 0;
#endif
    if (wrong != 0)
        abort();
}
int main(void)
{
    node a = {1, 0}, b = {2, 0};
    pair two[] = {{1, 2}, {3, 4}};
    if (pointers(&a, &b, 5) != 15 || numbers(two, 2) != 10 + 9 + 3 + 1 || braces() != 2 * 15)
        abort();
    extremes();
    called();
    return 0;
}
