/* A stand-in for a GPU: memory that nobody may touch but the MPI library's packing, which this
   program wraps to open it for that long. Who reads or writes it otherwise dies of SIGSEGV, and the
   kernel's copies between processes fail. It is told from other memory by the question that CUDA's
   driver answers. Ranks use such memory and ordinary memory in turns, so that senders and receivers
   differ. Prints "ok ROUNDS". */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { device_bytes = 1 << 20 };
static unsigned char* device;
static long packed, asked;

static int within(const void* p)
{
    return (const unsigned char*)p >= device && (const unsigned char*)p < device + device_bytes;
}

static void open_device(int how)
{
    if (mprotect(device, device_bytes, how) != 0) {
        abort();
    }
}

/* The driver's: attribute 2 is the sort of memory, sort 2 is the device's, 1 an error. */
int cuPointerGetAttribute(void* data, int attribute, uint64_t pointer);
int cuPointerGetAttribute(void* data, int attribute, uint64_t pointer)
{
    ++asked;
    if (attribute != 2 || !within((const void*)(uintptr_t)pointer)) {
        return 1;
    }
    *(unsigned*)data = 2;
    return 0;
}

#define OPENED(name, memory, parameters, arguments)                               \
    int name parameters                                                           \
    {                                                                             \
        int(*const real) parameters = (int(*) parameters)dlsym(RTLD_NEXT, #name); \
        if (!within(memory)) {                                                    \
            return real arguments;                                                \
        }                                                                         \
        ++packed;                                                                 \
        open_device(PROT_READ | PROT_WRITE);                                      \
        const int result = real arguments;                                        \
        open_device(PROT_NONE);                                                   \
        return result;                                                            \
    }

OPENED(PMPI_Pack, in,
       (const void* in, int n, MPI_Datatype type, void* out, int size, int* at, MPI_Comm comm),
       (in, n, type, out, size, at, comm))
OPENED(PMPI_Unpack, out,
       (const void* in, int size, int* at, void* out, int n, MPI_Datatype type, MPI_Comm comm),
       (in, size, at, out, n, type, comm))
#if MPI_VERSION >= 4
OPENED(PMPI_Pack_c, in,
       (const void* in, MPI_Count n, MPI_Datatype type, void* out, MPI_Count size, MPI_Count* at,
        MPI_Comm comm),
       (in, n, type, out, size, at, comm))
OPENED(PMPI_Unpack_c, out,
       (const void* in, MPI_Count size, MPI_Count* at, void* out, MPI_Count n, MPI_Datatype type,
        MPI_Comm comm),
       (in, size, at, out, n, type, comm))
#endif

int main(int argc, char** argv)
{
    static int sizes[] = {1, 12, 40, 700, 5000, 75000};
    int rank, size, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    device = mmap(NULL, device_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int* const host = malloc(device_bytes);
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int root = 0; root < size; ++root) {
            for (int turn = 0; turn < 4; ++turn, ++rounds) {
                const int on_device = turn == 3 || (turn + rank) % 2 == 0;
                int* const buffer = on_device ? (int*)(void*)device : host;
                open_device(PROT_READ | PROT_WRITE);
                for (int i = 0; i < sizes[s]; ++i) {
                    buffer[i] = rank == root ? i * 3 + rounds : -1;
                }
                open_device(PROT_NONE);
                MPI_Bcast(buffer, sizes[s], MPI_INT, root, MPI_COMM_WORLD);
                MPI_Allreduce(MPI_IN_PLACE, buffer, sizes[s], MPI_INT,
                              turn == 1 ? MPI_MAX : MPI_MIN, MPI_COMM_WORLD);
                open_device(PROT_READ);
                for (int i = 0; i < sizes[s]; ++i) {
                    if (buffer[i] != i * 3 + rounds) {
                        fprintf(stderr,
                                "devices: rank %d of %d: wrong number at %d, root %d, turn %d\n",
                                rank, size, i, root, turn);
                        MPI_Abort(MPI_COMM_WORLD, 1);
                    }
                }
                open_device(PROT_NONE);
            }
        }
    }
    if (asked == 0 || packed == 0) {
        fprintf(stderr,
                "devices: rank %d: nobody asked for the sort of memory, or nothing was packed\n",
                rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(host);
    MPI_Finalize();
    if (rank == 0) {
        printf("ok %d\n", rounds);
    }
    return 0;
}
