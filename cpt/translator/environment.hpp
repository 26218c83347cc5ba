// Where a text is written: the constructs around it, and what the names of variables mean there.
#pragma once

#include "clang.hpp"

namespace cpt {

using kind = clang::OpenMPDirectiveKind;

// A construct whose body is being written, for what refers to the enclosing ones: cancel, ordered,
// scan.
struct construct {
    const construct* outer;
    kind what;
    std::string exit;           // label at its end
    mutable bool left = false;  // somebody jumps there
    bool cancellable = false;
    bool nested_function = false;  // the outermost one of an outlined function
    // Of a loop with ordered(n): the names of begin, step and count of each level.
    struct level {
        std::string counter, begin, step, count;
        bool pointer;
    };
    std::vector<level> levels;
    unsigned collapsed = 1;      // so many of them are counted as one
    bool reduces_tasks = false;  // of all its members, which leave it together
};

// What names mean at a point of the output.
struct environment {
    std::map<const clang::VarDecl*, std::string> names;  // absent: the name itself
    // At places where the variable is assigned.
    std::map<const clang::VarDecl*, std::string> assigned;
    // Variables of the file, or static ones, of which there is a copy here: what is outlined from
    // here captures it.
    std::set<const clang::VarDecl*> copied;
    // Pointers whose name means a variable of this function's own: tasks may outlive it and get the
    // value.
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
