// Asks the library for the constructor call of a type (MPI_Type_get_envelope,
// MPI_Type_get_contents), and for those of the types in it.
#include "shim/recipe.hpp"

#include <cstddef>
#include <memory>
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
    bool large = false;  // made with large counts, which are arranged in another way

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
        large = given.large != 0;
        if (!large) {
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

// A type that was made here; freed with this, or when another one takes its place.
class owned_type {
public:
    owned_type() = default;
    ~owned_type() { free(); }
    owned_type(const owned_type&) = delete;
    owned_type& operator=(const owned_type&) = delete;
    void set(MPI_Datatype type)
    {
        free();
        type_ = type;
    }

private:
    void free()
    {
        if (type_ != MPI_DATATYPE_NULL) {
            PMPI_Type_free(&type_);
        }
    }
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// The outer loops of an element of a subarray.
void add_subarray(const recipe& made, MPI_Aint extent, element_parts& parts)
{
    const auto dimensions = static_cast<std::size_t>(made.numbers[0]);
    const auto sizes = made.numbers.begin() + 1,
               lengths = sizes + static_cast<std::ptrdiff_t>(dimensions),
               starts = lengths + static_cast<std::ptrdiff_t>(dimensions),
               order = starts + static_cast<std::ptrdiff_t>(dimensions);
    std::vector<element_loop> loops(dimensions);
    MPI_Aint stride = extent;
    for (std::size_t i = 0; i < dimensions; ++i) {
        // From the innermost dimension out.
        const auto d = static_cast<std::ptrdiff_t>(*order == MPI_ORDER_C ? dimensions - 1 - i : i);
        loops[dimensions - 1 - i] = {lengths[d], stride};
        parts.offset += starts[d] * stride;
        stride *= sizes[d];
    }
    parts.loops.insert(parts.loops.end(), loops.begin(), loops.end());
}

// Asked before the contents, which can be long lists for other types.
bool has_loops(MPI_Datatype type)
{
    envelope made;
    if (!made.open(type)) {
        return false;
    }
    switch (made.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_SUBARRAY: return true;
    default: return false;
    }
}

// Goes down by one constructor: from elements of `made` to those of the type in it.
bool go_down(const recipe& made, element_parts& parts)
{
    MPI_Aint lower = 0, extent = 0;
    if (made.large || made.types.empty() || made.types[0] == MPI_DATATYPE_NULL ||
        PMPI_Type_get_extent(made.types[0], &lower, &extent) != MPI_SUCCESS) {
        return false;
    }
    switch (made.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return true;
    case MPI_COMBINER_CONTIGUOUS: parts.loops.push_back({made.numbers[0], extent}); return true;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        parts.loops.push_back({made.numbers[0], made.combiner == MPI_COMBINER_HVECTOR
                                                    ? made.addresses[0]
                                                    : made.numbers[2] * extent});
        parts.loops.push_back({made.numbers[1], extent});
        return true;
    case MPI_COMBINER_SUBARRAY: add_subarray(made, extent, parts); return true;
    default: return false;
    }
}

}  // namespace

bool divide(MPI_Count count, MPI_Datatype type, MPI_Count most, element_parts& parts)
{
    std::vector<std::unique_ptr<recipe>> recipes;  // the types in them end with them
    MPI_Datatype inner = type, made = MPI_DATATYPE_NULL;
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    PMPI_Type_size_x(type, &parts.size);
    parts.loops.push_back({count, extent});
    while (parts.size >= most) {
        if (!has_loops(inner)) {
            return false;
        }
        recipes.push_back(std::make_unique<recipe>(inner));
        if (!go_down(*recipes.back(), parts)) {
            return false;
        }
        inner = recipes.back()->types[0];
        PMPI_Type_size_x(inner, &parts.size);
    }
    // Rows of a few elements are parts, not their elements: a call of the library for each would
    // take longer than the copying. The last loop stays: its turns are packed together.
    owned_type row;
    while (parts.loops.size() > 1 && parts.size * parts.loops.back().count < most) {
        const element_loop loop = parts.loops.back();
        if (PMPI_Type_create_hvector(static_cast<int>(loop.count), 1, loop.stride, inner, &made) !=
            MPI_SUCCESS) {
            return false;
        }
        row.set(made);  // has its inner type for itself
        inner = made;
        parts.size *= loop.count;
        parts.loops.pop_back();
    }
    if (PMPI_Type_create_resized(inner, 0, parts.loops.back().stride, &parts.part) != MPI_SUCCESS) {
        return false;
    }
    PMPI_Type_commit(&parts.part);
    return true;
}

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
