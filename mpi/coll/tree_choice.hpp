// Which of several trees a broadcast takes, by the size of the message: as `artel mpi tune` has
// measured it on this machine (tree_file.hpp), else as a model of notifications says.
// docs/decisions/0011-trees.md tells why. Only the root looks here; the control lines tell the
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

// Those to choose from, inside cache groups; the paper's figure 10 has the same.
inline constexpr std::array<tree_form, 8> tree_forms{{{tree_kind::flat, 1},
                                                      {tree_kind::chain, 1},
                                                      {tree_kind::kary, 2},
                                                      {tree_kind::kary, 3},
                                                      {tree_kind::kary, 4},
                                                      {tree_kind::knomial, 2},
                                                      {tree_kind::knomial, 3},
                                                      {tree_kind::knomial, 4}}};

// A tree's number in tree_forms; their number if it has none.
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

// Who is told, as far as the time that it takes depends on it.
struct audience {
    unsigned ranks;        // on the node; the model's times were measured among all of them
    unsigned group;        // of the largest cache group, in which the tree is
    unsigned leaders = 0;  // of other groups, whom the root tells before its children
};
audience audience_of(const std::vector<seat>& seats);

// Seconds that a broadcast of so many bytes in pieces of `fragment` takes: the root's copies in and
// the others' out overlap, whoever tells others does so before it copies. Pure.
double tree_time(const model_times& times, const tree_form& form, const audience& told,
                 std::uint64_t bytes, std::uint64_t fragment);

// What the model says. Flat unless another tree is faster by more than a twentieth; flat also where
// ranks share CPUs, because there each step down a tree costs a switch of processes. Pure.
tree_table model_trees(const model_times& times, const audience& told, bool crowded,
                       const settings& chosen);

// One measurement that is kept: with groups of so many ranks the tree was best.
struct tree_row {
    unsigned group = 0;
    bool crowded = false;  // more ranks than CPUs
    std::uint64_t bytes = 0;
    unsigned tree = 0;  // in tree_forms
};

// The table of the rows whose group is nearest in size; false when there are none for ranks that
// are crowded, or not, alike. Pure.
bool measured_trees(std::span<const tree_row> rows, unsigned group, bool crowded,
                    tree_table& table);

}  // namespace artel::coll
