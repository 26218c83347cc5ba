// Common types are found in a hash table, without a call of the library; what others are made of is
// found out by recipe.cpp. Of an element that the end of a piece divides, the packed bytes are kept
// for the next piece; so large elements are divided into small ones first, where that is possible.
#include "shim/datatype.hpp"

#include "coll/device.hpp"
#include "shim/recipe.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

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

// Bytes of elements that are divided, and of what they are divided into.
constexpr MPI_Count large_element = 1 << 18, most_of_part = 4096;

#if MPI_VERSION < 4 || defined(OPEN_MPI)
// This many bytes as one element; must be freed.
MPI_Datatype type_of_bytes(MPI_Count bytes)
{
    constexpr MPI_Count unit = 1 << 20;
    MPI_Datatype parts[] = {MPI_DATATYPE_NULL, MPI_BYTE}, all = MPI_DATATYPE_NULL;
    const int counts[] = {static_cast<int>(bytes / unit), static_cast<int>(bytes % unit)};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(bytes / unit * unit)};
    PMPI_Type_contiguous(unit, MPI_BYTE, &parts[0]);
    PMPI_Type_create_struct(2, counts, places, parts, &all);
    PMPI_Type_commit(&all);
    PMPI_Type_free(&parts[0]);
    return all;
}

// For more bytes than PMPI_Pack can count: an allgather in a communicator of one rank copies from
// one type to another, and sends no message that a receive of the program's could match.
int convert_large(bool packing, void* elements, MPI_Count count, MPI_Datatype type, void* packed,
                  MPI_Count bytes)
{
    MPI_Datatype in_a_row = type_of_bytes(bytes);
    const auto n = static_cast<int>(count);
    const int error = packing
                          ? PMPI_Allgather(elements, n, type, packed, 1, in_a_row, MPI_COMM_SELF)
                          : PMPI_Allgather(packed, 1, in_a_row, elements, n, type, MPI_COMM_SELF);
    PMPI_Type_free(&in_a_row);
    return error;
}
#endif

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
        // MPI_BOTTOM with absolute addresses in the type: when MPICH 4.0 packs, it takes the null
        // pointer for a mistake. So the same addresses are given relative to another one.
        MPI_Aint back = -static_cast<MPI_Aint>(bottom);
        if (PMPI_Type_create_hindexed_block(1, 1, &back, type, &type_) == MPI_SUCCESS) {
            own_type_ = true;
            PMPI_Type_commit(&type_);
            address_ = reinterpret_cast<std::byte*>(bottom);
        }
    } else if (message_.data == nullptr && facts.size > large_element) {
        divide_elements(count);
    }
}

typed_buffer::~typed_buffer()
{
    if (own_type_) {
        PMPI_Type_free(&type_);
    }
}

void typed_buffer::divide_elements(MPI_Count count)
{
    element_parts parts;
    if (!divide(count, type_, most_of_part, parts)) {
        return;
    }
    type_ = parts.part;
    own_type_ = true;
    facts_ = {parts.size, parts.loops.back().stride, false};
    address_ = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address_) +
                                            static_cast<std::uintptr_t>(parts.offset));
    loops_ = std::move(parts.loops);
}

// Addresses may be absolute (MPI_BOTTOM), so this is arithmetic on integers.
std::uintptr_t typed_buffer::address_of_next() const noexcept
{
    auto at = reinterpret_cast<std::uintptr_t>(address_);
    MPI_Count number = next_;
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
        at += static_cast<std::uintptr_t>(number % loop->count * loop->stride);
        number /= loop->count;
    }
    return loops_.empty() ? at + static_cast<std::uintptr_t>(number * facts_.extent) : at;
}

int typed_buffer::convert(std::byte* packed, MPI_Count elements)
{
    void* const at = reinterpret_cast<void*>(address_of_next());
    const MPI_Count bytes = elements * facts_.size;
    next_ += elements;
#if MPI_VERSION >= 4 && !defined(OPEN_MPI)
    MPI_Count position = 0;
    return packing_ ? PMPI_Pack_c(at, elements, type_, packed, bytes, &position, comm_)
                    : PMPI_Unpack_c(packed, bytes, &position, at, elements, type_, comm_);
#else
    if (bytes > INT_MAX) {
        return convert_large(packing_, at, elements, type_, packed, bytes);
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
    std::size_t elements = std::min(bytes / size, std::max<std::size_t>(INT_MAX / size, 1));
    if (!loops_.empty()) {
        // The next turn of an outer loop is somewhere else.
        const MPI_Count turns = loops_.back().count;
        elements = std::min(elements, static_cast<std::size_t>(turns - next_ % turns));
    }
    if (elements == 0) {
        return MPI_SUCCESS;
    }
    std::byte* const at = packed;
    packed += elements * size;
    bytes -= elements * size;
    return convert(at, static_cast<MPI_Count>(elements));
}

// Moves bytes of the element within which the last piece ended, or this one ends.
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
    if (b.error_ == MPI_SUCCESS) {
        // Called by code that lets nothing be thrown, because others wait for the rest.
        try {
            b.error_ = b.move_next(static_cast<std::byte*>(packed), bytes);
        } catch (const std::bad_alloc&) {
            b.error_ = MPI_ERR_NO_MEM;
        }
    }
    return b.error_;
}

int typed_buffer::move_next(std::byte* packed, std::size_t bytes)
{
    int error = MPI_SUCCESS;
    while (bytes > 0 && error == MPI_SUCCESS) {
        if (carried_ == 0 && bytes >= static_cast<std::size_t>(facts_.size)) {
            error = move_elements(packed, bytes);
        } else {
            error = move_part(packed, bytes);
        }
    }
    return error;
}

}  // namespace artel::shim
