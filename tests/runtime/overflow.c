// Overflows the stack of member 3.
#include <omp.h>
#include <stdio.h>

static int descend(volatile char* above, int depth)
{
    volatile char frame[4096];
    frame[0] = (char)(depth + above[0]);
    return depth == 0 ? 0 : descend(frame, depth - 1) + frame[0];
}

int main(void)
{
#pragma omp parallel num_threads(4)
    {
        volatile char start = 0;
        if (omp_get_thread_num() == 3) {
            printf("%d\n", descend(&start, 100000));
        }
    }
    return 0;
}
