// Tables of the standard's types and operations lead to a loop of kernels.hpp. All other reductions
// use MPI_Reduce_local, which overwrites its second operand and needs elements in their type's
// layout, so operands are copied or unpacked first.
#include "shim/operation.hpp"

#include "coll/device.hpp"
#include "coll/kernels.hpp"

#include <algorithm>
#include <cstring>

namespace artel::shim {
namespace {

using coll::op_kind;
using coll::pair;
using coll::scalar;

// Maps handles to their facts, by one probe of a small table; handles are numbers or addresses, of
// up to eight bytes.
template <typename Handle, typename Value, std::size_t slots>
class handle_table {
public:
    struct entry {
        Handle handle{};
        Value value{};
        bool used = false;
    };

    void add(Handle handle, Value value)
    {
        std::size_t at = slot(handle);
        while (entries_[at].used && entries_[at].handle != handle) {
            at = (at + 1) % slots;
        }
        // The first entry counts: some libraries have two names for one type.
        if (!entries_[at].used) {
            entries_[at] = {handle, value, true};
        }
    }
    const Value* find(Handle handle) const
    {
        for (std::size_t at = slot(handle); entries_[at].used; at = (at + 1) % slots) {
            if (entries_[at].handle == handle) {
                return &entries_[at].value;
            }
        }
        return nullptr;
    }

private:
    static std::size_t slot(Handle handle)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &handle, sizeof handle);
        return (bits ^ bits >> 8 ^ bits >> 16) % slots;
    }
    entry entries_[slots];
};

constexpr unsigned set_of(std::initializer_list<op_kind> kinds)
{
    unsigned set = 0;
    for (const op_kind k : kinds) {
        set |= 1U << static_cast<unsigned>(k);
    }
    return set;
}

// The operations of the standard that each of its types has, and our loop for each.
struct reducible {
    unsigned allowed = 0;
    scalar kind = scalar::none;
    pair both = pair::none;
};
constexpr unsigned arithmetic = set_of({op_kind::sum, op_kind::prod, op_kind::max, op_kind::min});
constexpr unsigned bits = set_of({op_kind::band, op_kind::bor, op_kind::bxor});
constexpr unsigned logic = set_of({op_kind::land, op_kind::lor, op_kind::lxor});
// Fortran's integers have no logical operations; some libraries allow them nevertheless.
constexpr unsigned fortran_integer = arithmetic | bits;
constexpr unsigned field = set_of({op_kind::sum, op_kind::prod});
constexpr unsigned places = set_of({op_kind::minloc, op_kind::maxloc});

using type_table = handle_table<MPI_Datatype, reducible, 251>;
using op_table = handle_table<MPI_Op, op_kind, 61>;

void add_number(type_table& table, MPI_Datatype type, unsigned allowed, bool is_signed)
{
    const bool whole = allowed != arithmetic;
    int size = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) {
        return;
    }
    const auto pick = [&](scalar with_sign, scalar without) {
        return is_signed ? with_sign : without;
    };
    scalar kind = scalar::none;
    switch (size) {
    case 1: kind = whole ? pick(scalar::i8, scalar::u8) : scalar::none; break;
    case 2: kind = whole ? pick(scalar::i16, scalar::u16) : scalar::none; break;
    case 4: kind = whole ? pick(scalar::i32, scalar::u32) : scalar::f32; break;
    case 8: kind = whole ? pick(scalar::i64, scalar::u64) : scalar::f64; break;
    default: break;
    }
    table.add(type, {allowed, kind, pair::none});
}

type_table make_types()
{
    type_table t;
    for (const MPI_Datatype type :
         {MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T, MPI_INT16_T,
          MPI_INT32_T, MPI_INT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT}) {
        add_number(t, type, arithmetic | bits | logic, true);
    }
    for (const MPI_Datatype type :
         {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
          MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}) {
        add_number(t, type, arithmetic | bits | logic, false);
    }
    add_number(t, MPI_INTEGER, fortran_integer, true);
    for (const MPI_Datatype type :
         {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION}) {
        add_number(t, type, arithmetic, true);
    }
    t.add(MPI_BYTE, {bits, scalar::u8, pair::none});
    t.add(MPI_C_BOOL, {logic, scalar::u8, pair::none});
    t.add(MPI_LOGICAL, {logic});
    for (const MPI_Datatype type : {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX,
                                    MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX}) {
        t.add(type, {field});
    }
    t.add(MPI_2INT, {places, scalar::none, pair::i32});
    t.add(MPI_FLOAT_INT, {places, scalar::none, pair::f32});
    t.add(MPI_DOUBLE_INT, {places, scalar::none, pair::f64});
    t.add(MPI_LONG_INT, {places, scalar::none, pair::i64});
    t.add(MPI_SHORT_INT, {places, scalar::none, pair::i16});
    for (const MPI_Datatype type :
         {MPI_LONG_DOUBLE_INT, MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION}) {
        t.add(type, {places});
    }
    return t;
}

op_table make_ops()
{
    op_table t;
    t.add(MPI_SUM, op_kind::sum);
    t.add(MPI_PROD, op_kind::prod);
    t.add(MPI_MAX, op_kind::max);
    t.add(MPI_MIN, op_kind::min);
    t.add(MPI_BAND, op_kind::band);
    t.add(MPI_BOR, op_kind::bor);
    t.add(MPI_BXOR, op_kind::bxor);
    t.add(MPI_LAND, op_kind::land);
    t.add(MPI_LOR, op_kind::lor);
    t.add(MPI_LXOR, op_kind::lxor);
    t.add(MPI_MINLOC, op_kind::minloc);
    t.add(MPI_MAXLOC, op_kind::maxloc);
    // Not for reductions.
    t.add(MPI_REPLACE, op_kind::none);
    t.add(MPI_NO_OP, op_kind::none);
    t.add(MPI_OP_NULL, op_kind::none);
    return t;
}

int merge_by_library(const artel_operation* self, const void* a, const void* b, void* out,
                     std::size_t elements)
{
    const auto& r = *static_cast<const reduction*>(self->context);
    const auto count = static_cast<int>(elements);
    if (r.facts.in_a_row) {
        if (a == out) {
            // Into the other operand, which must not be changed.
            elements_room right(count, r.type, r.facts);
            std::memcpy(right.first(), b, elements * self->element_bytes);
            const int error = PMPI_Reduce_local(a, right.first(), count, r.type, r.op);
            std::memcpy(out, right.first(), elements * self->element_bytes);
            return error;
        }
        if (b != out) {
            std::memcpy(out, b, elements * self->element_bytes);
        }
        return PMPI_Reduce_local(a, out, count, r.type, r.op);
    }
    elements_room left(count, r.type, r.facts), right(count, r.type, r.facts);
    typed_buffer unpack_left(left.first(), count, r.type, r.facts, MPI_COMM_SELF, false);
    typed_buffer unpack_right(right.first(), count, r.type, r.facts, MPI_COMM_SELF, false);
    typed_buffer pack(right.first(), count, r.type, r.facts, MPI_COMM_SELF, true);
    const auto move = [&](typed_buffer& t, const void* packed) {
        return t.message().move(t.message().stream, const_cast<void*>(packed),
                                elements * self->element_bytes);
    };
    int error = move(unpack_left, a);
    error = error == MPI_SUCCESS ? move(unpack_right, b) : error;
    error = error == MPI_SUCCESS
                ? PMPI_Reduce_local(left.first(), right.first(), count, r.type, r.op)
                : error;
    return error == MPI_SUCCESS ? move(pack, out) : error;
}

}  // namespace

elements_room::elements_room(MPI_Count elements, MPI_Datatype type, const type_facts& facts)
{
    if (elements == 0) {
        return;
    }
    MPI_Aint lower = 0, span = 0;
    PMPI_Type_get_true_extent(type, &lower, &span);
    const MPI_Aint steps = static_cast<MPI_Aint>(elements - 1) * facts.extent;
    constexpr std::size_t unit = sizeof(std::max_align_t);
    room_.reset(
        new std::max_align_t[static_cast<std::size_t>(span + (steps < 0 ? -steps : steps)) / unit +
                             1]);
    // Arithmetic on integers: the first element may begin anywhere.
    first_ = reinterpret_cast<std::uintptr_t>(room_.get()) - static_cast<std::uintptr_t>(lower) -
             static_cast<std::uintptr_t>(steps < 0 ? steps : 0);
}

bool reduction::find(MPI_Datatype t, MPI_Op o, valid_hook valid)
{
    static const type_table types = make_types();
    static const op_table ops = make_ops();
    type = t;
    op = o;
    const op_kind* const kind = ops.find(o);
    const reducible* const known = types.find(t);
    if ((kind == nullptr || known == nullptr) && valid != nullptr && !valid(t, o)) {
        return false;
    }
    if (!facts_of(t, facts)) {
        return false;
    }
    operation = {merge_by_library, static_cast<std::size_t>(facts.size), this, 1};
    if (kind == nullptr) {
        int yes = 0;
        if (PMPI_Op_commutative(o, &yes) != MPI_SUCCESS) {
            return false;
        }
        commutes = yes != 0;
        return true;
    }
    if (*kind == op_kind::none || known == nullptr ||
        (known->allowed & 1U << static_cast<unsigned>(*kind)) == 0) {
        return false;
    }
    const auto kernel = known->both != pair::none ? coll::find_kernel(known->both, *kind)
                                                  : coll::find_kernel(known->kind, *kind);
    if (kernel != nullptr) {
        operation.merge = kernel;
        operation.best_into_b = 0;
    }
    return true;
}

row::row(void* address, MPI_Count count, MPI_Datatype type, const type_facts& facts, MPI_Comm comm)
    : address_(address), count_(count), type_(type), facts_(facts), comm_(comm),
      size_(static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(facts.size)),
      bytes_(static_cast<std::byte*>(address))
{
    if (!facts.in_a_row || coll::on_device(address)) {
        copy_.reset(new std::byte[size_]);
        bytes_ = copy_.get();
    }
}

int row::move(bool packing)
{
    if (!copied()) {
        return MPI_SUCCESS;
    }
    typed_buffer layout(address_, count_, type_, facts_, comm_, packing);
    const artel_message& m = layout.message();
    return m.move(m.stream, bytes_, size_);
}

int row::pack()
{
    return move(true);
}

int row::unpack()
{
    return move(false);
}

}  // namespace artel::shim
