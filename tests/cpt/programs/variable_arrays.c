#include <stdio.h>
#include <string.h>
static int f(int n, int m, int v[n][m], char* (*names)[n])
{
    int w[n], s = 0;
    long t[m][2];
    for (int i = 0; i < n; i++)
        w[i] = i;
    memset(t, 0, sizeof t);
#pragma omp parallel num_threads(3) firstprivate(w) shared(t)
    {
        int loc[m + n];
        for (int i = 0; i < m + n; i++)
            loc[i] = (int)(sizeof loc / sizeof loc[0]);
        w[0] += 100;
#pragma omp for reduction(+ : s)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++)
                s += v[i][j];
            w[i] += i;
            s += (int)(sizeof(w) / sizeof(int)) + loc[1];
        }
#pragma omp for reduction(+ : t)
        for (int i = 0; i < 8; i++) {
            t[i % m][0] += i;
            t[(i + 1) % m][1] += (long)(sizeof t);
        }
    }
    typedef int row[m];
    row r;
    memset(r, 0, sizeof r);
    row* pr = &r;
#pragma omp parallel for reduction(+ : r[ : m])
    for (int i = 0; i < 20; i++) {
        row tmp;
        tmp[0] = i;
        r[i % m] += tmp[0];
    }
#pragma omp parallel for reduction(max : s)
    for (int i = 0; i < 4; i++) {
        if ((*pr)[0] + i > 1000)
            s = 1000;
    }
    int q = 0;
    for (int i = 0; i < m; i++)
        q = q * 5 + r[i];
    s += (int)strlen((*names)[1]);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++)
#pragma omp task shared(v, w, q)
    {
        int k = v[i][0] + w[i];
#pragma omp atomic
        q += k;
    }
    return s + 7 * q + (int)t[0][0] + (int)t[1][1];
}
int main(void)
{
    int v[4][3];
    char* names[4] = {"a", "bcd", "e", "f"};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            v[i][j] = i * 3 + j;
    printf("%d\n", f(4, 3, v, &names));
    return 0;
}
