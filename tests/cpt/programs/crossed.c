/* Doacross loops of which some levels are collapsed, with counters that go up, down, and in
 * steps. */
#include <stdio.h>

enum { planes = 6, rows = 9, columns = 7 };

static long cells[planes][rows][columns];

/* What the neighbours before a cell hold. */
static long before(int i, int j, int k)
{
    long sum = 1;
    if (i > 0)
        sum += cells[i - 1][j][k];
    if (j > 0)
        sum += 3 * cells[i][j - 1][k];
    if (k > 0)
        sum += 5 * cells[i][j][k - 1];
    return sum % 1000003;
}

static void print(const char* name)
{
    long sum = 0;
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < columns; k++) {
                sum = (sum * 7 + cells[i][j][k]) % 1000003;
                cells[i][j][k] = 0;
            }
    printf("%s %ld\n", name, sum);
}

static void all_collapsed(void)
{
#pragma omp parallel for collapse(3) ordered(3) schedule(dynamic, 2)
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < columns; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
                cells[i][j][k] = before(i, j, k);
#pragma omp ordered depend(source)
            }
    print("all");
}

static void two_collapsed(void)
{
#pragma omp parallel for collapse(2) ordered(3) schedule(static, 1)
    for (int i = 0; i < planes; i++)
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < columns; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k) depend(sink : i, j, k - 1)
                cells[i][j][k] = before(i, j, k);
#pragma omp ordered depend(source)
            }
    print("two");
}

static void in_steps(void)
{
#pragma omp parallel for collapse(2) ordered(2) schedule(guided)
    for (int i = 2 * planes; i > 0; i -= 2)
        for (long j = -3 * rows; j < 0; j += 3) {
#pragma omp ordered depend(sink : i + 2, j) depend(sink : i, j - 3)
            const int p = planes - i / 2, r = (int)(j + 3 * rows) / 3;
            cells[p][r][0] = before(p, r, 0);
#pragma omp ordered depend(source)
        }
    print("steps");
}

int main(void)
{
    all_collapsed();
    two_collapsed();
    in_steps();
    return 0;
}
