// Asks the library for the constructor call of a type (MPI_Type_get_envelope,
// MPI_Type_get_contents), and for those of the types in it.
#include "shim/recipe.hpp"

#include <cstddef>
#include <vector>

namespace artel::shim {
namespace {

// The kind of constructor that made a type, and the number of its arguments. The calls of MPI 4
// know all types; the older ones end the program when they are asked about a type that was made
// with large counts (MPI_Type_contiguous_c).
#if MPI_VERSION >= 4 && !defined(OPEN_MPI)
using recipe_number = MPI_Count;
#else
using recipe_number = int;
#endif

struct envelope {
    recipe_number integers = 0, addresses = 0, large = 0, types = 0;
    int combiner = MPI_COMBINER_NAMED;

    bool open(MPI_Datatype type)
    {
#if MPI_VERSION >= 4 && !defined(OPEN_MPI)
        return PMPI_Type_get_envelope_c(type, &integers, &addresses, &large, &types, &combiner) ==
               MPI_SUCCESS;
#else
        return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) ==
               MPI_SUCCESS;
#endif
    }
};

// Whether types with such an envelope are the library's own, which must never be freed. Fortran's
// kinds are, though they have no names.
bool is_predefined(int combiner)
{
    switch (combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER:
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    case MPI_COMBINER_VALUE_INDEX:
#endif
        return true;
    default: return false;
    }
}

// The types and numbers from which a derived type was made.
struct recipe {
    int combiner = MPI_COMBINER_NAMED;
    std::vector<recipe_number> numbers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;

    explicit recipe(MPI_Datatype type)
    {
        envelope given;
        if (!given.open(type)) {
            combiner = MPI_UNDEFINED;
            return;
        }
        combiner = given.combiner;
        if (is_predefined(combiner)) {
            return;
        }
        const auto room = [](recipe_number n) { return static_cast<std::size_t>(n) + 1; };
        std::vector<int> integers(room(given.integers));
        addresses.resize(room(given.addresses));
        types.resize(room(given.types), MPI_DATATYPE_NULL);
#if MPI_VERSION >= 4 && !defined(OPEN_MPI)
        numbers.resize(room(given.large));
        const int error = PMPI_Type_get_contents_c(type, given.integers, given.addresses,
                                                   given.large, given.types, integers.data(),
                                                   addresses.data(), numbers.data(), types.data());
#else
        const int error = PMPI_Type_get_contents(type, given.integers, given.addresses, given.types,
                                                 integers.data(), addresses.data(), types.data());
#endif
        if (error != MPI_SUCCESS) {
            combiner = MPI_UNDEFINED;
        }
        // A type has one or the other.
        if (given.large == 0) {
            numbers.assign(integers.begin(), integers.end());
        }
    }
    ~recipe()
    {
        for (MPI_Datatype& t : types) {
            envelope inner;
            if (t != MPI_DATATYPE_NULL && inner.open(t) && !is_predefined(inner.combiner)) {
                PMPI_Type_free(&t);
            }
        }
    }
    recipe(const recipe&) = delete;
    recipe& operator=(const recipe&) = delete;
};

// Structure: whether each field begins where the one before it ends.
bool fields_in_a_row(const recipe& made)
{
    MPI_Aint end = 0;
    const auto fields = static_cast<std::size_t>(made.numbers[0]);
    // A type made with large counts has no addresses.
    bool so = made.addresses.size() > fields;
    for (std::size_t i = 0; so && i < fields; ++i) {
        type_facts inner;
        so = made.addresses[i] == end && measure(made.types[i], inner) && inner.in_a_row;
        end += static_cast<MPI_Aint>(made.numbers[i + 1]) * inner.extent;
    }
    return so;
}

// Only constructors that are certainly contiguous: for all others the library packs, which is
// always right.
bool lies_in_a_row(MPI_Datatype type)
{
    const recipe made(type);
    // size equals extent, see below; MPI_DOUBLE_INT and its like are not.
    if (is_predefined(made.combiner)) {
        return true;
    }
    switch (made.combiner) {
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_DUP: {
        type_facts inner;
        return measure(made.types[0], inner) && inner.in_a_row;
    }
    case MPI_COMBINER_VECTOR: {
        type_facts inner;
        return (made.numbers[0] == 1 || made.numbers[1] == made.numbers[2]) &&
               measure(made.types[0], inner) && inner.in_a_row;
    }
    // Large messages are often one such element: a multiple of the largest count, and the rest.
    case MPI_COMBINER_STRUCT: return fields_in_a_row(made);
    default: return false;
    }
}

}  // namespace

bool measure(MPI_Datatype type, type_facts& facts)
{
    MPI_Count size = 0;
    MPI_Aint lower = 0, extent = 0;
    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) {
        return false;
    }
    facts.size = size;
    facts.extent = extent;
    // Necessary, and cheap to check; whether the elements are also in order, without overlap,
    // follows from the constructors.
    facts.in_a_row = lower == 0 && size == extent && lies_in_a_row(type);
    return true;
}

}  // namespace artel::shim
