// The bridge from the component, which is C, to the shim's reductions.
#include "shim/operation.hpp"
#include "ompi/engine.h"

#include <new>

extern "C" int artel_find_reduction(artel_reduction* r, ompi_datatype_t* type, ompi_op_t* op)
{
    using artel::shim::reduction;
    static_assert(sizeof(reduction) <= sizeof r->room &&
                  alignof(reduction) <= alignof(artel_reduction));
    static_assert(std::is_trivially_destructible_v<reduction>);
    auto& found = *new (r->room) reduction;
    // Open MPI checks the arguments before it calls a component.
    if (!found.find(type, op, nullptr)) {
        return 0;
    }
    r->operation = found.operation;
    r->commutes = found.commutes ? 1 : 0;
    return 1;
}
