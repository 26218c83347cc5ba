extern int tp;
#pragma omp threadprivate(tp)
extern double shared_sum;
struct cfg {
    int n;
    const char* s;
};
extern struct cfg conf;
int helper(int);
void orphan(int);
static inline int inl(int a)
{
    int r = 0;
#pragma omp critical(name)
    r = a * 2;
#pragma omp parallel for reduction(+ : r) num_threads(2)
    for (int i = 0; i < 3; i++)
        r += i;
    return r;
}
