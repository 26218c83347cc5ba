// Reductions of tasks (task_reduction, in_reduction, and reduction with the task modifier; OpenMP
// 5.1 2.21.5). The compiler describes the variables of a construct in an array of words; we give it
// zeroed memory with one block per member, and tell tasks where their member's block is.
//
// The array, one or several linked by word 4: 0 number of variables; 1 bytes of a block; 2
// alignment of the memory, replaced by its address; 3 allocator; 4 the next array; 5 ours: 1 in the
// first array of a construct; 6 ours: end of the memory; then three words per variable: its
// address, its offset in the block, and one that we do not need. Constructs nest: the last array of
// one is linked to the first of the enclosing one.
//
// Rejected: a hash table of all variables: the lists are short, and walking them needs no memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::openmp {

struct member;

// Enters the construct's array(s) for the current task's innermost taskgroup. `of_first`: the same
// construct's arrays of the member that came first, whose memory is used; nullptr: memory is
// allocated.
void register_reductions(member& m, std::uintptr_t* array,
                         const std::uintptr_t* of_first = nullptr);

// A worksharing or scope construct with reductions of tasks begins: opens a taskgroup, in which the
// members share the memory of whoever comes first. `array` lives until the barrier at the
// construct's end.
void start_workshare_reductions(member& m, std::uintptr_t* array);

// Gives the construct's arrays memory for `members` members, without entering them anywhere;
// `outer`: the enclosing construct's.
void allocate_reductions(std::uintptr_t* array, std::uintptr_t* outer, unsigned members);

// Frees the construct's memory.
void free_reductions(std::uintptr_t* array) noexcept;

// By member 0, where the region was cancelled: the memory stays until its end, as other members
// take their copies down when they come to it, and tasks that have begun go on.
void leave_reductions(member& m, std::uintptr_t* array);

// Replaces each of `count` addresses, of original variables or of somebody's copies, by that of the
// caller's copy; of the first `originals` ones the address of the original goes to addresses[count
// + i].
void remap_reductions(member& m, std::size_t count, std::size_t originals, void** addresses);

}  // namespace artel::openmp
