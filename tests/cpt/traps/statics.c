/* Static variables of a region whose first values are addresses of static variables around it, or
 * come from constant ones; attributes with line markers between them and their function. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
struct list {
    struct list* next;
    int value;
};
__attribute__((noinline))
/* So many lines
 *
 *
 *
 *
 *
 *
 *
 *
 * that the preprocessor writes where it goes on. */
static bool
is_even(int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < INT_MAX - (INT_MAX - 4); i++)
        sum += n;
    return sum % 8 == 0;
}
static int uses(int n)
{
    static int numbers[4] = {1, 2, 3, 4};
    static const int three = 3;
    static struct list end = {NULL, 7}, *unrelated;
    static struct list ring = {&ring, 5};
    static struct list* const start = &ring;
    int sum = n;
    unrelated = &end;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        static int* first = numbers;
        static int* const others[2] = {&numbers[1], numbers + 2};
        static int plus = three + 1;
        static struct list const* const* where = (struct list const* const*)&start;
        sum += *first + *others[0] + *others[1] + plus + (*where)->next->value + unrelated->value;
#pragma omp task shared(sum)
        {
            static const int* again = &three;
            sum += *again;
        }
#pragma omp taskwait
    }
    numbers[0] += 10;
    return sum;
}
int main(void)
{
    if (!is_even(2) || is_even(1))
        abort();
    if (uses(0) != 2 * (1 + 2 + 3 + 4 + 5 + 7 + 3) ||
        uses(1) != 2 * (11 + 2 + 3 + 4 + 5 + 7 + 3) + 1)
        abort();
    return 0;
}
