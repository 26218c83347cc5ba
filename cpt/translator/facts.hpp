// What one pass over a function collects for the passes that write: where variables are named,
// where directives are, which variables are written or have their address taken, and which tokens
// are replaced (types that move out of the function). What is looked up for each variable of each
// directive is in ordered sets, so that the time for a unit grows with its length.
#pragma once

#include "expression.hpp"
#include "nesting.hpp"

namespace cpt {

struct edit {
    unsigned end;
    std::string text;
};

struct facts {
    std::map<unsigned, const clang::VarDecl*> names;
    std::map<unsigned, const clang::FunctionDecl*> functions;             // declared in a block
    std::map<unsigned, const clang::OMPExecutableDirective*> directives;  // by the offset of '#'
    std::map<unsigned, edit> edits;
    nesting around;
    std::map<const clang::VarDecl*, std::set<unsigned>> writes;
    std::set<const clang::VarDecl*> written_by_tasks;
    // Where the tasks begin that name a variable; of nested tasks the innermost one.
    std::map<const clang::VarDecl*, std::set<unsigned>> tasks_with;
    std::set<const clang::VarDecl*> address_taken;
    std::vector<const clang::TagDecl*> tags;
    std::vector<const clang::DeclStmt*> typedefs;
    std::vector<const clang::DeclStmt*> forward;  // declarations of tags that define nothing
    std::vector<const clang::OMPThreadPrivateDecl*> thread_private;
    std::vector<const clang::VarDecl*> statics;  // of blocks, with a value
    std::map<const clang::VarDecl*, const clang::DeclStmt*> static_declarations;  // of blocks
    std::multimap<const clang::Decl*, unsigned> type_names;  // where a type of a block is named
    std::multimap<const clang::EnumConstantDecl*, unsigned> enumerators;
    std::set<unsigned> variants;  // where a call names a function of which a variant is called
};

// The name of a function in the translation.
std::string called(const clang::FunctionDecl* f, const source_text& source);

facts collect(clang::FunctionDecl* function, const source_text& source);

}  // namespace cpt
