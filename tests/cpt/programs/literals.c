/* Directives' words in literals are the user's text; "register" goes from declarations, and only
 * from those. */
#include <stdio.h>

static int register_total(register int register_count)
{
    int sum = 0;
    register int register_of = 2, more = 1;
#pragma omp parallel for reduction(+ : sum) firstprivate(more)
    for (int i = 0; i < register_count; ++i)
        sum += i * register_of + more;
    return sum;
}

int main(void)
{
    const char *text = "#pragma omp parallel for",
               *other = "x\n#pragma omp simd\ny #pragma omp section";
    int length = 0;
#pragma omp parallel for reduction(+ : length)
    for (int i = 0; i < 24; ++i)
        length += text[i] == "#pragma omp declare simd"[i];
    printf("%s, %s\n", "#pragma omp section", "#pragma omp nothing else");
    printf("%s %s %d %d\n", text, other, length, register_total(5));
    return 0;
}
