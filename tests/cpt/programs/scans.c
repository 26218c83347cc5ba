/* Both phases of scans: the first begins with the operation's neutral value, or, in exclusive
 * scans, with the sum of the iterations before. */
#include <stdio.h>
enum { n = 12 };
static int in[n], out[n];
static void print(const char* name, int last)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) {
        printf(" %d", out[i]);
        out[i] = 0;
    }
    printf("; %d\n", last);
}
static void inclusive(void)
{
    int x = 5;
#pragma omp parallel for reduction(inscan, + : x)
    for (int i = 0; i < n; i++) {
        x = in[i];
#pragma omp scan inclusive(x)
        out[i] = x;
    }
    print("inclusive", x);
    int top = -3;
    static int sum = 2;
#pragma omp parallel for reduction(inscan, max : top) reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++) {
            sum += k * in[i];
            if (in[i] * (i % 3) > top)
                top = in[i] * (i % 3);
        }
#pragma omp scan inclusive(top, sum)
        out[i] = 1000 * top + sum;
        sum = top = -100; /* lost */
    }
    print("two", top + 1000 * sum);
}
static void exclusive(void)
{
    int x = 1;
#pragma omp parallel for reduction(inscan, * : x)
    for (int i = 0; i < 8; i++) {
        out[i] = x;
#pragma omp scan exclusive(x)
        x = in[i];
    }
    print("exclusive", x);
    x = 3;
#pragma omp simd reduction(inscan, + : x)
    for (int i = 0; i < n; i++) {
        out[i] = x;
#pragma omp scan exclusive(x)
        {
            x += in[i];
            x += 1;
        }
    }
    print("simd", x);
#pragma omp parallel for simd reduction(inscan, + : x)
    for (int i = 0; i < n; i++) {
        x -= in[i];
#pragma omp scan inclusive(x)
        out[i] = x;
    }
    print("for simd", x);
}
#pragma omp declare reduction(sum:long : omp_out += omp_in) initializer(omp_priv = 0)
static void declared(void)
{
    long x = 10;
#pragma omp parallel for reduction(inscan, sum : x)
    for (int i = 0; i < n; i++) {
        x++;
        x += in[i];
#pragma omp scan inclusive(x)
        out[i] = (int)x;
    }
    print("declared", (int)x);
}
int main(void)
{
    for (int i = 0; i < n; i++)
        in[i] = i + 1;
    inclusive();
    exclusive();
    declared();
    return 0;
}
