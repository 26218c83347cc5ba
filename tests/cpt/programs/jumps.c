#include <stdio.h>
static int work(int n, const char* s)
{
    int out = 0, bad = 0, w = 0;
#pragma omp parallel num_threads(3) reduction(+ : out)
    {
        int i = 0;
    again:
        switch (s[i]) {
        case 'a' ... 'f': out += s[i] - 'a'; goto next;
        case 'x': {
            static const int tab[] = {3, 1, 4};
            out += tab[i % 3];
            break;
        }
        case 0: goto done;
        default:
            if (i > n)
                goto done;
            out -= 1;
        }
        out += 100;
    next:
        if (++i < n)
            goto again;
    done:;
#pragma omp for
        for (int k = 0; k < 12; k++) {
            if (k % 3 == 0)
                continue;
            for (int j = 0; j < 10; j++) {
                if (j == k)
                    goto skip;
                if (j == 9)
                    break;
                out += j;
            }
        skip:;
            do {
                out++;
                if (out % 7 == 0)
                    continue;
            } while (0);
        }
        {
            void* p = &&l1;
            goto* p;
        }
    l1:
        out += ({
            int t = i;
            t > 2 ? t : 2;
        });
    }
    switch (n) {
    case 1:
#pragma omp parallel
#pragma omp single
        w = 1;
        break;
    case 6:
#pragma omp parallel for reduction(+ : w)
        for (int i = 0; i < 6; i++)
            w += i;
    default: w += 1000;
    }
    return out * 10000 + bad + w;
}
int main(void)
{
    printf("%d %d\n", work(6, "abxzfq"), work(1, ""));
    return 0;
}
