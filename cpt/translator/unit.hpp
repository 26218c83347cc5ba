// Translates one unit (a preprocessed file) from OpenMP to calls of cp.h. The member functions are
// in one file per construct; each returns the text that replaces a directive and its statement. No
// part of the user's text is written twice, so labels, static variables and side effects are not
// duplicated.
#pragma once

#include "declaration.hpp"
#include "environment.hpp"
#include "facts.hpp"

namespace cpt {

using directive = clang::OMPExecutableDirective;
using kinds = llvm::ArrayRef<kind>;

// Thrown where something cannot be translated, after it was reported.
struct refused {};

// Private copies: the text before the block that declares them, their declarations, and the text
// after the construct.
struct private_copies {
    std::string before, open, reduce, close;
    environment inside;
    unsigned conditional = 0;  // how many are lastprivate(conditional)
    std::string tasks;         // the end of its reductions of tasks, with barriers
};

// What an iteration of a loop with scan does at its begin, between its phases, and at its end.
struct scan_phases {
    bool exclusive = false;  // the phase that adds to the copy is the second
    std::string begin, between, end;
};

struct loop_nest {
    std::string head;   // declares what the functions below use
    std::string total;  // name of the number of iterations
    std::vector<const clang::VarDecl*> counters;
    std::vector<std::string> final_values;  // of the counters, after all iterations
    std::string finish;                     // statements that give them, where these are empty
    std::vector<construct::level> levels;
    // Declarations and names of the variables of `head` that a task needs; empty if the task has to
    // compute them anew.
    std::vector<std::pair<std::string, std::string>> state;
    std::function<std::string(const std::string& begin, const std::string& end,
                              const std::string& body)>
        run;
    // The same for a single loop, with a head in the form that directives demand.
    std::function<std::string(const std::string& line, const std::string& begin,
                              const std::string& end, const std::string& body)>
        run_under;
};

struct frame {
    std::string name;       // of the struct
    std::string fill;       // statements that fill `__cp_f`
    std::string open;       // statements that take it apart in the outlined function
    std::string alignment;  // of its memory, for tasks
    environment inside;
};

class unit {
public:
    explicit unit(clang::ASTContext& context);
    // The translated text. Errors have been reported to the context's diagnostics when it returns.
    std::string translate();

private:
    friend class leftovers;
    // --- unit.cpp
    void function(clang::FunctionDecl* f);
    // --- pragmas.cpp
    void for_each_pragma(
        unsigned begin, unsigned end,
        const std::function<void(unsigned at, unsigned line_end, std::string_view words)>& f) const;
    // Removes or refuses the pragmas in a function's body that no construct translates.
    void note_pragmas(unsigned begin, unsigned end);
    // The same for those that are left when all functions are translated.
    void settle_pragmas();
    // --- variant.cpp
    void name_variants();
    bool was_skipped(unsigned at) const;
    void name_dispatched(const clang::Stmt* s);
    std::string dispatch(const directive& d, const environment& e);
    // --- types.cpp
    void hoist_types();
    std::string tag_name(const clang::TagDecl* d);
    bool names_local(unsigned begin, unsigned end) const;
    void evaluate_in_place(const clang::TagDecl* d);
    std::string packed(const clang::TagDecl* d, const std::string& definition) const;
    // --- thread_private.cpp
    void thread_private(const clang::OMPThreadPrivateDecl* d);
    void thread_private_of_block(const clang::OMPThreadPrivateDecl* d);
    std::string move_out(const clang::VarDecl* v);
    void move_out_what_statics_name();
    std::string private_record(const clang::VarDecl* v, const std::string& name);
    // --- unit.cpp, again
    [[noreturn]] void refuse(clang::SourceLocation at, const std::string& why);
    [[noreturn]] void refuse(const directive& d, const std::string& why);
    // A name that programs may not use. The number after the last underscore makes it unique.
    std::string fresh(const std::string& stem)
    {
        const bool open = !stem.empty() && stem.back() != '_';
        last_fresh_ = "__cp_" + stem + (open ? "_" : "") + std::to_string(++count_);
        return last_fresh_;
    }
    std::string text(unsigned begin, unsigned end, const environment& e);
    std::string text(const clang::Expr* e, const environment& env);  // in parentheses
    std::string body(const clang::Stmt* s, const environment& e);
    static const clang::Stmt* statement(const directive& d);
    static bool has(const directive& d, kind leaf);
    // --- directive.cpp
    std::string directive_text(const directive& d, const environment& e);
    std::string leaves(const directive& d, kinds rest, const environment& e);
    std::string condition(const directive& d, kind leaf, const environment& e);
    // --- captures.cpp
    std::vector<const clang::VarDecl*> captured(unsigned begin, unsigned end, const environment& e,
                                                const std::set<const clang::VarDecl*>& wanted);
    bool constant_inside(const clang::VarDecl* v, unsigned begin, unsigned end,
                         const environment& e);
    // --- outline.cpp
    enum class mode { reference, value, in_frame };
    frame make_frame(const directive& d, const environment& e,
                     const std::function<mode(const clang::VarDecl*)>& how, std::string extra,
                     bool task, const std::set<const clang::VarDecl*>& wanted = {});
    std::string assign(clang::QualType type, const std::string& to, const std::string& from) const;
    std::string declare(const clang::VarDecl* v, const std::string& name, const environment& e,
                        clang::QualType type = {});
    std::string alignment(const clang::VarDecl* v) const;
    void outlined(const std::string& name, const std::string& parameter, const frame& f,
                  const std::string& body, unsigned at);
    // --- data.cpp
    struct data_rules {
        bool privates = false, firstprivate = false, lastprivate = false, reduction = false,
             linear = false, shadow_values = false;
        bool of_target = false;  // also those that are firstprivate without a clause
        std::vector<const clang::VarDecl*> counters;
        std::vector<const clang::VarDecl*> write_back;  // counters whose last value is visible
                                                        // after the loop
        std::string last;      // expression: this thread had the last iteration
        std::string position;  // of the current iteration, for lastprivate(conditional)
        bool alone = false;    // no other thread takes part
        std::string index;     // statements for linear variables, with %K% for the iteration
        std::string index_of(const loop_nest& nest) const;
        scan_phases* scan = nullptr;  // reductions are those of a scan
        std::string total;
        std::set<const clang::VarDecl*> not_first;  // firstprivate somewhere else
        std::set<const clang::VarDecl*> values;     // firstprivate copies that exist already
        // Firstprivate and linear variables whose value is not that of the original any more, and
        // where it is.
        std::map<const clang::VarDecl*, std::string> first_values;
    };
    private_copies make_private(const directive& d, const environment& e, data_rules& rules);
    static std::set<const clang::VarDecl*> listed_last(const directive& d);
    // --- firstprivate.cpp
    std::set<const clang::VarDecl*> listed_first(const directive& d) const;
    std::vector<const clang::VarDecl*> firstprivates(const directive& d, bool of_target) const;
    static std::vector<const clang::VarDecl*> pointers_of_target(const directive& d);
    bool shared_by_region(const clang::VarDecl* v, const directive& d) const;
    // --- reduction.cpp
    void reduce_into(private_copies& to, const clang::Expr* item, const clang::Expr* operation,
                     const clang::DeclarationName& name, const directive& d, const environment& e,
                     scan_phases* scan);
    struct reduced {
        const clang::VarDecl* variable = nullptr;
        bool whole = false;  // the variable itself, no section
        clang::QualType element;
        std::string address, count;
    };
    reduced describe(const clang::Expr* item, const directive& d, const environment& e);
    std::string moved(const reduced& r, const std::string& copy, const std::string& original,
                      const environment& e, std::string& before);
    // --- reduction_operation.cpp
    std::string initialize_elements(const clang::Expr* operation,
                                    const clang::DeclarationName& name, clang::QualType element,
                                    const std::string& copy, const std::string& original,
                                    const std::string& count, const directive& d);
    std::string combine_elements(const clang::Expr* operation, const clang::DeclarationName& name,
                                 const std::string& original, const std::string& copy,
                                 const std::string& count, const directive& d);
    std::string initial_value(const clang::DeclarationName& name, clang::QualType type,
                              const directive& d);
    std::string combine(const clang::DeclarationName& name, const std::string& out,
                        const std::string& in, const directive& d);
    std::string declared_part(const clang::OMPDeclareReductionDecl* r, bool initializer,
                              const std::string& out, const std::string& in, const directive& d);
    std::string declared_call(const clang::OMPDeclareReductionDecl* r, bool initializer,
                              const std::string& out, const std::string& in, const directive& d);
    // --- loop_body.cpp The statement inside of so many loops, which make_nest() has read. If other
    // statements stand between the loops, it includes them, as they are executed in each iteration;
    // `once`, if not empty, is a variable that has to be declared around it.
    struct loop_inside {
        const clang::Stmt* statement;
        std::string once;
    };
    loop_inside loop_body(const directive& d, unsigned levels);
    std::string body(const loop_inside& s, const environment& e);
    // --- loop_nest.cpp
    loop_nest make_nest(const directive& d, unsigned levels, unsigned ordered,
                        const environment& e);
    // --- simd.cpp
    std::string simd_line(const directive& d, const loop_nest& nest);
    // --- schedule.cpp
    struct loop_schedule {
        std::string kind, chunk;  // arguments of __cp_loop_start
        bool is_static = false;   // a thread's iterations follow from its number
    };
    loop_schedule schedule_of(const directive& d, bool ordered, bool cancels, const environment& e);
    // --- constructs
    std::string parallel(const directive& d, kinds rest, const environment& e);
    std::string teams(const directive& d, kinds rest, const environment& e);
    std::string error(const directive& d, const environment& e);
    std::string target(const directive& d, kinds rest, const environment& e);
    std::string target_memory(const directive& d, const environment& e);
    void use_allocators(private_copies& to, const directive& d);
    std::string loop(const directive& d, kinds rest, const environment& e);
    static const directive* tiled(const clang::Stmt* s);  // nullptr: another statement
    static unsigned tiled_levels(const directive& d);
    loop_nest tile_nest(const directive& d, unsigned collapsed, const environment& e);
    std::string tile(const directive& d, const environment& e);
    std::string sections(const directive& d, const environment& e, bool combined);
    std::string single(const directive& d, const environment& e);
    std::string master(const directive& d, kinds rest, const environment& e);
    std::string scope(const directive& d, const environment& e);
    std::string critical(const directive& d, const environment& e);
    std::string ordered(const directive& d, const environment& e);
    // Which iteration of a doacross loop a clause means.
    enum class cross_iteration { listed, own, before };
    template <class Clause>
    std::string doacross(const construct& loop, const Clause& clause, cross_iteration which,
                         const environment& e);
    static std::string iterations_inside(const construct& loop);
    clang::OpenMPAtomicDefaultMemOrderClauseKind default_order() const;  // of atomic directives
    std::string atomic(const directive& d, const environment& e);
    std::string locked_atomic(const clang::OMPAtomicDirective& a, const environment& e);
    struct task_settings {
        std::string when, flags, priority;  // arguments of __cp_task and __cp_taskloop
    };
    task_settings settings_of_task(const directive& d, kind leaf, const environment& e);
    std::string task(const directive& d, const environment& e);
    std::string taskloop(const directive& d, kinds rest, const environment& e);
    // --- task_reduction.cpp
    struct item_of {  // of a clause that reduces
        const clang::Expr *item, *operation;
        clang::DeclarationName name;
    };
    struct reduction_words {
        struct entry {
            reduced item;
            std::string original, count, place;  // names of constants
        };
        std::string name, open, merge;  // merge: adds the members' copies to the originals
        std::vector<entry> entries;
    };
    reduction_words describe_reductions(const std::vector<item_of>& all, const directive& d,
                                        const environment& e);
    struct task_reductions {
        std::string open, close;  // around what makes the tasks
    };
    // A group's reductions of tasks.
    task_reductions reduce_tasks(const directive& d, const environment& e);
    // Those of a construct with the task modifier, whose members have copies of their own.
    void share_reductions(private_copies& to, const directive& d, const environment& e);
    static bool reduces_tasks(const directive& d);
    // The reductions in which a task takes part: fields of its frame, statements that fill them
    // where the task is made, and statements that find the copies in the task.
    struct joined_reductions {
        std::string fields, fill;
        std::function<std::string(environment& inside)> open;
    };
    joined_reductions join_reductions(const directive& d, const environment& e);
    // The same for a construct that is executed at once and has no frame: the text before it;
    // `inside` gets the copies' names.
    std::string join_at_once(const directive& d, environment& inside);
    std::string taskgroup(const directive& d, const environment& e);
    std::string taskwait(const directive& d, const environment& e);
    std::string cancel(const directive& d, const environment& e);
    std::string depobj(const directive& d, const environment& e);
    // Leaves the cancelled region around, if there is one.
    const construct* cancelled_region(const environment& e, std::string& leave);
    std::string barrier_text(const environment& e);
    std::string end_of_share(const environment& e, const std::string& what, bool cancelled);
    // Statements that fill an array with the dependences; `name` is the array, `number` how many.
    std::string depend_list(const directive& d, const environment& e, std::string& name,
                            std::string& number);
    std::string address_of_item(const clang::Expr* item, const environment& e);
    std::string item_text(const clang::Expr* item, const environment& e);

    clang::ASTContext& context_;
    source_text source_;
    declarations declarations_;
    facts facts_;  // of the function at hand
    const clang::FunctionDecl* function_ = nullptr;
    std::string before_, after_;                 // of the function at hand
    std::string attributes_;                     // that outlined functions need, too
    std::set<const clang::VarDecl*> allocated_;  // named in allocate clauses
    // Threadprivate variables, and the text that replaces their names.
    std::map<const clang::VarDecl*, std::string> private_names_;
    // Variables of the function that have the same new name in all outlined functions.
    std::map<const clang::VarDecl*, std::string> hoisted_;
    std::map<const clang::VarDecl*, std::string> moved_out_;  // of them: static ones of blocks
    std::map<unsigned, edit> edits_;
    std::map<const clang::TagDecl*, std::string> tags_;
    // The functions that combine, or initialise, elements of declared reductions.
    std::map<std::pair<const clang::OMPDeclareReductionDecl*, bool>, std::string>
        reduction_functions_;
    std::set<unsigned> pragmas_done_;
    std::map<unsigned, unsigned> skipped_;  // text for other contexts
    unsigned count_ = 0;
    std::string last_fresh_;
    bool failed_ = false;
};

}  // namespace cpt
