// The choice among several trees for a broadcast, by the size of the message: as measured by `artel
// mpi tune` on this machine (tree_file.hpp), else by a model of notifications.
// docs/decisions/0011-trees.md has the reasons. Only the root chooses; the control lines tell the
// others which tree it took, so ranks may have different tables.
#pragma once

#include "coll/model.hpp"
#include "coll/settings.hpp"
#include "coll/tree.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace artel::coll {

struct tree_form {
    tree_kind kind;
    unsigned k;
};

// The trees to choose from, inside cache groups; the paper's figure 10 has the same.
inline constexpr std::array<tree_form, 8> tree_forms{{{tree_kind::flat, 1},
                                                      {tree_kind::chain, 1},
                                                      {tree_kind::kary, 2},
                                                      {tree_kind::kary, 3},
                                                      {tree_kind::kary, 4},
                                                      {tree_kind::knomial, 2},
                                                      {tree_kind::knomial, 3},
                                                      {tree_kind::knomial, 4}}};

// A tree's index in tree_forms; the number of tree_forms if it is not there.
unsigned number_of(const tree_form& form) noexcept;
// "flat", "kary 3".
std::string words_of(const tree_form& form);

// For each power of two from 8 bytes to 16 MiB the number of a tree in tree_forms; smaller and
// larger messages take the first and the last.
struct tree_table {
    static constexpr std::size_t classes = 22;
    std::array<std::uint8_t, classes> of{};
    bool measured = false;  // by `artel mpi tune`

    // The largest size of a class, and the class of a size.
    static constexpr std::uint64_t bytes_of(std::size_t number) noexcept
    {
        return std::uint64_t{8} << number;
    }
    static std::size_t class_of(std::uint64_t bytes) noexcept;
    unsigned tree_for(std::uint64_t bytes) const noexcept { return of[class_of(bytes)]; }
};

// "flat up to 8192 bytes, then kary 4, as measured".
std::string words_of(const tree_table& table);

// The numbers of ranks on which the time of notifying all depends.
struct notified_ranks {
    unsigned ranks;        // on the node; the model's times were measured among all of them
    unsigned group;        // of the largest cache group, in which the tree lies
    unsigned leaders = 0;  // of other groups, whose leaders the root notifies before its children
};
notified_ranks notified_ranks_of(const std::vector<locality>& localities);

// Seconds that a broadcast of this many bytes in pieces of `fragment` takes: the root's copies in
// and the others' out overlap; a rank notifies others before it copies. Pure.
double tree_time(const model_times& times, const tree_form& form, const notified_ranks& notified,
                 std::uint64_t bytes, std::uint64_t fragment);

// The table of the model. Flat unless another tree is faster by more than a twentieth; flat also
// where ranks share CPUs, because there each step down a tree costs a switch of processes. Pure.
tree_table model_trees(const model_times& times, const notified_ranks& notified, bool crowded,
                       const settings& chosen);

// A stored measurement: with groups of this many ranks the tree was best.
struct tree_row {
    unsigned group = 0;
    bool crowded = false;  // more ranks than CPUs
    std::uint64_t bytes = 0;
    unsigned tree = 0;  // in tree_forms
};

// The table made of the rows whose group is nearest in size; false if there are no rows with the
// same `crowded`. Pure.
bool measured_trees(std::span<const tree_row> rows, unsigned group, bool crowded,
                    tree_table& table);

}  // namespace artel::coll
