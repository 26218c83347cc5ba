#include "shim/datatype.hpp"

#include "coll/device.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>

namespace artel::shim {
namespace {

// Types of the standard that programs use most, with sizes known at once. Looked up in a table of
// one probe: no calls into the library.
class basic_types {
public:
    basic_types()
    {
        for (const MPI_Datatype type :
             {MPI_BYTE,     MPI_CHAR,           MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR,
              MPI_SHORT,    MPI_UNSIGNED_SHORT, MPI_INT,         MPI_UNSIGNED,
              MPI_LONG,     MPI_UNSIGNED_LONG,  MPI_LONG_LONG,   MPI_UNSIGNED_LONG_LONG,
              MPI_FLOAT,    MPI_DOUBLE,         MPI_INT8_T,      MPI_INT16_T,
              MPI_INT32_T,  MPI_INT64_T,        MPI_UINT8_T,     MPI_UINT16_T,
              MPI_UINT32_T, MPI_UINT64_T,       MPI_C_BOOL,      MPI_C_DOUBLE_COMPLEX}) {
            int size = 0;
            if (PMPI_Type_size(type, &size) == MPI_SUCCESS) {
                slots_[slot(type)] = {type, size};
            }
        }
    }
    int size_of(MPI_Datatype type) const
    {
        const entry& e = slots_[slot(type)];
        return e.size > 0 && e.type == type ? e.size : 0;
    }

private:
    struct entry {
        MPI_Datatype type;
        int size = 0;
    };
    static std::size_t slot(MPI_Datatype type)
    {
        std::size_t bits = 0;
        std::memcpy(&bits, &type, sizeof type);
        return (bits ^ bits >> 8 ^ bits >> 16) % 251;
    }
    entry slots_[251] = {};
};

constexpr std::uintptr_t bottom = 4096;  // any address but null

bool lies_in_a_row(MPI_Datatype type, const type_facts& facts);

// Of which sort of constructor a type comes, and how much it was given. The calls of MPI 4 know all
// types; the older ones end the program when they are asked about one that was made with large
// counts (MPI_Type_contiguous_c).
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

// The types that a derived one was made of, and the numbers.
struct recipe {
    int combiner = MPI_COMBINER_NAMED;
    std::vector<recipe_number> numbers;
    std::vector<MPI_Datatype> types;

    explicit recipe(MPI_Datatype type)
    {
        envelope given;
        if (!given.open(type)) {
            combiner = MPI_UNDEFINED;
            return;
        }
        combiner = given.combiner;
        if (combiner == MPI_COMBINER_NAMED) {
            return;
        }
        const auto room = [](recipe_number n) { return static_cast<std::size_t>(n) + 1; };
        std::vector<int> integers(room(given.integers));
        std::vector<MPI_Aint> addresses(room(given.addresses));
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
        // A type has the one or the others.
        if (given.large == 0) {
            numbers.assign(integers.begin(), integers.end());
        }
    }
    ~recipe()
    {
        for (MPI_Datatype& t : types) {
            envelope inner;
            if (t != MPI_DATATYPE_NULL && inner.open(t) && inner.combiner != MPI_COMBINER_NAMED) {
                PMPI_Type_free(&t);
            }
        }
    }
    recipe(const recipe&) = delete;
    recipe& operator=(const recipe&) = delete;
};

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
    // Necessary, and cheap to see; whether the elements also stand in order, without overlap, the
    // recipe must tell.
    facts.in_a_row = lower == 0 && size == extent && lies_in_a_row(type, facts);
    return true;
}

// Only the recipes that surely do: everything else is packed by the library, which is right for
// all.
bool lies_in_a_row(MPI_Datatype type, const type_facts&)
{
    const recipe made(type);
    switch (made.combiner) {
    // size equals extent, see above; MPI_DOUBLE_INT and its like are not.
    case MPI_COMBINER_NAMED: return true;
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
    default: return false;
    }
}

}  // namespace

bool is_basic(MPI_Datatype type, type_facts& facts)
{
    static const basic_types basic;
    const int size = basic.size_of(type);
    if (size != 0) {
        facts = {size, size, true};
    }
    return size != 0;
}

bool facts_of(MPI_Datatype type, type_facts& facts)
{
    return is_basic(type, facts) || (type != MPI_DATATYPE_NULL && measure(type, facts));
}

typed_buffer::typed_buffer(void* address, MPI_Count count, MPI_Datatype type,
                           const type_facts& facts, MPI_Comm comm, bool packing)
    : address_(static_cast<std::byte*>(address)), type_(type), facts_(facts), comm_(comm),
      packing_(packing)
{
    message_.data = facts.in_a_row && !coll::on_device(address) ? address : nullptr;
    message_.bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(facts.size);
    message_.move = move;
    message_.stream = this;
    if (address == nullptr && !facts.in_a_row) {
        // MPI_BOTTOM with absolute addresses in the type: MPICH 4.0 takes the null pointer for a
        // mistake when it packs. The same places, told another way.
        MPI_Aint back = -static_cast<MPI_Aint>(bottom);
        if (PMPI_Type_create_hindexed_block(1, 1, &back, type, &type_) == MPI_SUCCESS) {
            own_type_ = true;
            PMPI_Type_commit(&type_);
            address_ = reinterpret_cast<std::byte*>(bottom);
        }
    }
}

typed_buffer::~typed_buffer()
{
    if (own_type_) {
        PMPI_Type_free(&type_);
    }
}

int typed_buffer::convert(std::byte* packed, MPI_Count elements)
{
    // Addresses may be absolute (MPI_BOTTOM), so this is arithmetic on numbers.
    void* const at = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address_) +
                                             static_cast<std::uintptr_t>(next_) *
                                                 static_cast<std::uintptr_t>(facts_.extent));
    const MPI_Count bytes = elements * facts_.size;
    next_ += elements;
#if MPI_VERSION >= 4 && !defined(OPEN_MPI)
    MPI_Count position = 0;
    return packing_ ? PMPI_Pack_c(at, elements, type_, packed, bytes, &position, comm_)
                    : PMPI_Unpack_c(packed, bytes, &position, at, elements, type_, comm_);
#else
    if (bytes > INT_MAX) {
        return MPI_ERR_COUNT;
    }
    int position = 0;
    return packing_ ? PMPI_Pack(at, static_cast<int>(elements), type_, packed,
                                static_cast<int>(bytes), &position, comm_)
                    : PMPI_Unpack(packed, static_cast<int>(bytes), &position, at,
                                  static_cast<int>(elements), type_, comm_);
#endif
}

int typed_buffer::move_elements(std::byte*& packed, std::size_t& bytes)
{
    const auto size = static_cast<std::size_t>(facts_.size);
    const std::size_t elements = std::min(bytes / size,
                                          static_cast<std::size_t>(INT_MAX) / size + 1);
    if (elements == 0) {
        return MPI_SUCCESS;
    }
    std::byte* const at = packed;
    packed += elements * size;
    bytes -= elements * size;
    return convert(at, static_cast<MPI_Count>(elements));
}

// Some bytes of the element that the last piece ended within, or that this one ends within.
int typed_buffer::move_part(std::byte*& packed, std::size_t& bytes)
{
    const auto size = static_cast<std::size_t>(facts_.size);
    carry_.resize(size);
    if (carried_ == 0 && packing_) {
        if (const int error = convert(carry_.data(), 1); error != MPI_SUCCESS) {
            return error;
        }
    }
    const std::size_t part = std::min(bytes, size - carried_);
    if (packing_) {
        std::memcpy(packed, carry_.data() + carried_, part);
    } else {
        std::memcpy(carry_.data() + carried_, packed, part);
    }
    packed += part;
    bytes -= part;
    carried_ += part;
    if (carried_ < size) {
        return MPI_SUCCESS;
    }
    carried_ = 0;
    return packing_ ? MPI_SUCCESS : convert(carry_.data(), 1);
}

int typed_buffer::move(void* self, void* packed, std::size_t bytes)
{
    auto& b = *static_cast<typed_buffer*>(self);
    auto* at = static_cast<std::byte*>(packed);
    int error = MPI_SUCCESS;
    while (bytes > 0 && error == MPI_SUCCESS) {
        if (b.carried_ == 0 && bytes >= static_cast<std::size_t>(b.facts_.size)) {
            error = b.move_elements(at, bytes);
        } else {
            error = b.move_part(at, bytes);
        }
    }
    return error;
}

}  // namespace artel::shim
