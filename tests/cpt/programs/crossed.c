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

/* Values of the counters between those that they have are no iterations. */
static void between(void)
{
    long* const first = &cells[0][0][0];
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 0; i < planes * rows; i += 2) {
#pragma omp ordered depend(sink : i - 1) depend(sink : i - 2)
        first[i] = i == 0 ? 1 : (3 * first[i - 2] + i) % 1000003;
#pragma omp ordered depend(source)
    }
    print("between");
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 3 * planes; i > 0; i -= 3)
        for (int j = 0; j < 2 * rows; j += 2) {
#pragma omp ordered depend(sink : i + 1, j) depend(sink : i + 3, j - 1) depend(sink : i, j - 2)
            const int p = planes - i / 3, r = j / 2;
            cells[p][r][0] = r == 0 ? p : cells[p][r - 1][0] + 7;
#pragma omp ordered depend(source)
        }
    print("between");
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (long* c = first; c < first + planes * rows; c += 3) {
#pragma omp ordered depend(sink : c - 1) depend(sink : c - 3)
        *c = c == first ? 1 : (3 * c[-3] + (c - first)) % 1000003;
#pragma omp ordered depend(source)
    }
    print("between");
}

int main(void)
{
    between();
    all_collapsed();
    two_collapsed();
    in_steps();
    return 0;
}
