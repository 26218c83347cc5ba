// Reductions of tasks (task_reduction, in_reduction, and reduction with the task modifier; OpenMP
// 5.1 2.21.5). The compiler describes the variables of a construct in an array of words; we supply
// zeroed memory with one block per member, and give tasks the address of their member's block.
//
// The array, or several linked by word 4: 0 number of variables; 1 bytes of a block; 2 alignment of
// the memory, replaced by its address; 3 allocator; 4 the next array; 5 ours: 1 in the first array
// of a construct; 6 ours: end of the memory; then three words per variable: its address, its offset
// in the block, and one that we do not need. Constructs nest: the last array of one is linked to
// the first of the enclosing one.
//
// Rejected: a hash table of all variables: the lists are short, and walking them needs no memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::openmp {

struct member;

// Registers the construct's arrays with the current task's innermost taskgroup. `of_first`: the
// arrays of the member that came first, whose memory is shared; nullptr: memory is allocated.
void register_reductions(member& m, std::uintptr_t* array,
                         const std::uintptr_t* of_first = nullptr);

// Begins a worksharing or scope construct with task reductions: opens a taskgroup, in which the
// members share the memory of the first to come. `array` lives until the barrier at the construct's
// end.
void start_workshare_reductions(member& m, std::uintptr_t* array);

// Allocates memory for `members` members and links the arrays to `outer`, those of the enclosing
// construct; registers them nowhere.
void allocate_reductions(std::uintptr_t* array, std::uintptr_t* outer, unsigned members);

// Frees the construct's memory.
void free_reductions(std::uintptr_t* array) noexcept;

// By member 0 of a cancelled region: keeps the memory until the region's end, because other members
// may still unregister their arrays, and tasks that have begun continue.
void leave_reductions(member& m, std::uintptr_t* array);

// Replaces each of `count` addresses, of an original variable or of any member's copy, by the
// address of the caller's copy. For the first `originals` of them, addresses[count + i] gets the
// address of the original.
void remap_reductions(member& m, std::size_t count, std::size_t originals, void** addresses);

}  // namespace artel::openmp
