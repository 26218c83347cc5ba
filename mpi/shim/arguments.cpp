// Each question is the same collective of the library on a communicator of this process alone, with
// as few elements as make the library check them all.
#include "shim/arguments.hpp"

#include "shim/communicator.hpp"

#include <algorithm>
#include <mutex>

namespace artel::shim {
namespace {

// One collective at a time on a communicator, whichever threads call.
std::mutex asking;

template <typename Call>
bool takes(Call call)
{
    const MPI_Comm alone = own_communicator();
    if (alone == MPI_COMM_NULL) {
        return false;
    }
    const std::lock_guard<std::mutex> lock(asking);
    return call(alone) == MPI_SUCCESS;
}

// Two elements stand for more: libraries check them alike, and would copy all.
int few(MPI_Count count)
{
    return static_cast<int>(std::min<MPI_Count>(count, 2));
}

}  // namespace

bool takes_buffer(const void* buffer, MPI_Datatype type)
{
    // With a single rank nothing is moved.
    return takes(
        [&](MPI_Comm alone) { return PMPI_Bcast(const_cast<void*>(buffer), 1, type, 0, alone); });
}

bool takes_operation(MPI_Datatype type, MPI_Op op)
{
    char a = 0, b = 0;
    return takes([&](MPI_Comm alone) { return PMPI_Allreduce(&a, &b, 0, type, op, alone); });
}

bool takes_reduced_in_place(void* both, MPI_Count count, MPI_Datatype type, MPI_Op op, bool to_all)
{
    return takes([&](MPI_Comm alone) {
        return to_all ? PMPI_Allreduce(both, both, few(count), type, op, alone)
                      : PMPI_Reduce(both, both, few(count), type, op, 0, alone);
    });
}

bool takes_gathered(bool in_place, MPI_Datatype in_type, MPI_Datatype out_type)
{
    char a = 0, b = 0;
    return takes([&](MPI_Comm alone) {
        return PMPI_Allgather(in_place ? MPI_IN_PLACE : &a, 0, in_type, &b, 0, out_type, alone);
    });
}

bool takes_gathered_in_place(void* both, MPI_Count count, MPI_Datatype type)
{
    return takes([&](MPI_Comm alone) {
        return PMPI_Allgather(both, few(count), type, both, few(count), type, alone);
    });
}

}  // namespace artel::shim
