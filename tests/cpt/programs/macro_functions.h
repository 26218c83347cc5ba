#define PRAGMA(x) _Pragma(#x)
#define PARFOR(v, n, red) PRAGMA(omp parallel for reduction(+:red)) for (int v = 0; v < (n); v++)
#define LOCKED(stmt)            \
    do {                        \
        PRAGMA(omp critical(m)) \
        {                       \
            stmt;               \
        }                       \
    } while (0)
#ifdef _OPENMP
#define OMP(...) PRAGMA(omp __VA_ARGS__)
#else
#define OMP(...)
#endif
static inline int sum_to(int n)
{
    int s = 0;
    PARFOR(i, n, s) s += i;
    return s;
}
static inline __attribute__((always_inline)) void add1(int* p)
{
    OMP(atomic)(*p)++;
}
// clang-format off
#define FN(T)                                                       \
    static T dot_##T(const T* a, const T* b, int n)                 \
    {                                                               \
        T s = 0;                                                    \
        OMP(parallel for reduction(+ : s) firstprivate(a, b))       \
        for (int i = 0; i < n; i++) { s += a[i] * b[i]; }           \
        return s;                                                   \
    }                                                               \
    static T max_##T(const T* a, int n)                             \
    {                                                               \
        T m = a[0];                                                 \
        OMP(parallel for reduction(max : m))                        \
        for (int i = 1; i < n; i++) m = a[i] > m ? a[i] : m;        \
        return m;                                                   \
    }
// clang-format on
