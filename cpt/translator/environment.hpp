// The context in which text is translated: the constructs around it, and what the names of
// variables mean in it.
#pragma once

#include "clang.hpp"

namespace cpt {

using kind = clang::OpenMPDirectiveKind;

// A construct whose body is being translated, for directives that refer to enclosing constructs:
// cancel, ordered, scan.
struct construct {
    const construct* outer;
    kind what;
    std::string exit;           // label at its end
    mutable bool left = false;  // there is a jump to it
    bool cancellable = false;
    bool nested_function = false;  // the outermost one of an outlined function
    // For a loop with ordered(n): the names of begin, step and count of each level.
    struct level {
        std::string counter, begin, step, count;
        bool pointer;
    };
    std::vector<level> levels;
    unsigned collapsed = 1;      // so many levels are counted as one
    bool reduces_tasks = false;  // it has reductions of tasks, whose members leave it together
    std::string scan = {};       // statements between the phases of an iteration
};

// The meaning of names at a point of the output.
struct environment {
    std::map<const clang::VarDecl*, std::string> names;  // without an entry: the name itself
    // At places where the variable is assigned.
    std::map<const clang::VarDecl*, std::string> assigned;
    // Variables of the file, or static ones, that have a copy here: outlined functions capture the
    // copy.
    std::set<const clang::VarDecl*> copied;
    // Pointers whose name stands for a variable of this function: tasks get its value, as they may
    // outlive it.
    std::set<const clang::VarDecl*> moved_pointers;
    const construct* around = nullptr;
    // Iterations of an enclosing distribute, which a loop inside of it shares among threads.
    std::string range_begin, range_end, range_last;
    bool sequential = false;  // in a region that one thread executes for all

    std::string of(const clang::VarDecl* v) const
    {
        const auto found = names.find(v);
        return found == names.end() ? v->getName().str() : found->second;
    }
};

}  // namespace cpt
