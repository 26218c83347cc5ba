// Compiled to assembly by one_body.py: three loops whose bodies are marked there.
#include <artel/artel.hpp>

void over_indices(int n, double* x)
{
    artel::parallel_for(0, n, [=](int i) {
        x[i] = x[i] * 2;
        asm volatile("# body of over_indices");
    });
}

void with_equal_shares(int n, double* x)
{
    artel::parallel_for(
        0, n,
        [=](int i) {
            x[i] = x[i] * 2;
            asm volatile("# body of with_equal_shares");
        },
        artel::static_{});
}

void over_blocks(int n, double* x)
{
    artel::parallel_for(artel::blocked_range<int>(0, n), [=](const artel::blocked_range<int>& r) {
        asm volatile("# body of over_blocks");
        for (int i = r.begin(); i != r.end(); ++i) {
            x[i] = x[i] * 2;
        }
    });
}
