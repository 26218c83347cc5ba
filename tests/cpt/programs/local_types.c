/* Types of blocks: alone, nested, packed, and computed from variables of the block. */
#include <stdio.h>

char line[4];
static int pad = 1;

static int alone(void)
{
    enum mode { A, B };
    enum mode m = B;
    struct pt {
        int x;
    };
    struct pt p = {2};
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 4; i++) {
        struct Q {
            char c;
            int i;
        };
        struct Q q = {1, i};
        s += p.x + (int)m + (int)sizeof(struct Q) + q.i;
    }
    return s;
}

static int members(void)
{
    struct outer {
        union {
            int a;
            float b;
        };
        struct {
            char c;
        };
        int d;
    } x;
    int s = 0;
    x.a = 3;
    x.c = 2;
    x.d = 1;
#pragma omp parallel for reduction(+ : s) firstprivate(x)
    for (int i = 0; i < 4; i++)
        s += x.a + x.c + x.d;
    return s;
}

static int computed(void)
{
    char line[80];
    short pad = 3;
    struct S {
        char b[2][sizeof line];
        unsigned bits : sizeof pad * 2;
    } z = {{"x"}, 7};
    enum { FIRST = 2, SIZE = FIRST + sizeof line - 1 };
    typedef __typeof__(pad) type_of_pad, *pointer;
    int s = 0;
#pragma omp parallel for reduction(+ : s) firstprivate(z)
    for (int i = 0; i < 4; i++) {
        type_of_pad t = 1;
        pointer at = &t;
        s += (int)sizeof z + (int)z.bits + SIZE + (int)sizeof *at;
    }
    return s + pad;
}

static int packed(void)
{
#pragma pack(push, 1)
    struct tight {
        char c;
        int i;
    } t = {1, 2};
#pragma pack(pop)
    struct loose {
        char c;
        int i;
    } l = {1, 2};
    int s = 0;
#pragma omp parallel for reduction(+ : s) firstprivate(t, l)
    for (int i = 0; i < 4; i++)
        s += (int)sizeof t * 100 + (int)sizeof l + t.i + l.i;
    return s;
}

static int forward(void)
{
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 4; i++) {
        struct M;
        struct M {
            struct M* next;
            int q;
        };
        struct M m = {0, i}, n = {&m, 1};
        s += n.next->q;
        switch (i) {
        case 1:; struct N { int x;
            };
            struct N y = {1};
            s += y.x;
        }
    }
    return s;
}

int main(void)
{
    printf("%d %d %d %d %d %d\n", alone(), members(), computed(), packed(), forward(), pad);
    return 0;
}
