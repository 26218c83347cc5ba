// task, taskloop and taskgroup: their bodies and settings. Dependences are in depend.cpp.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

// Pointers to reduced sections: tasks get the pointers' values, because the pointers may not exist
// any more when the tasks run.
template <class C>
void add_bases(std::set<const VarDecl*>& to, const directive& d)
{
    for (const auto* c : d.getClausesOfKind<C>()) {
        for (const Expr* item : c->varlists()) {
            item = item->IgnoreParenImpCasts();
            bool part = false;
            while (true) {
                if (const auto* section = dyn_cast<ArraySectionExpr>(item)) {
                    item = section->getBase()->IgnoreParenImpCasts();
                } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(item)) {
                    item = element->getBase()->IgnoreParenImpCasts();
                } else {
                    break;
                }
                part = true;
            }
            const auto* name = dyn_cast<DeclRefExpr>(item);
            const auto* v = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
            if (part && v != nullptr && !v->getType()->isArrayType()) {
                to.insert(v);
            }
        }
    }
}

}  // namespace

unit::task_settings unit::settings_of_task(const directive& d, kind leaf, const environment& e)
{
    task_settings set{condition(d, leaf, e), "0", "0"};
    set.when = set.when.empty() ? "1" : set.when + " ? 1 : 0";
    if (!d.getClausesOfKind<OMPUntiedClause>().empty()) {
        set.flags += " | 1";
    }
    if (const auto* c = d.getSingleClause<OMPFinalClause>()) {
        set.flags += " | (" + text(c->getCondition(), e) + " ? 2 : 0)";
    }
    if (!d.getClausesOfKind<OMPMergeableClause>().empty()) {
        set.flags += " | 4";
    }
    if (const auto* c = d.getSingleClause<OMPPriorityClause>()) {
        set.priority = text(c->getPriority(), e);
    }
    return set;
}

std::string unit::task(const directive& d, const environment& e)
{
    const std::string name = fresh("task_");
    std::set<const VarDecl*> copied = listed_first(d);
    add_bases<OMPInReductionClause>(copied, d);
    const VarDecl* event = nullptr;
    if (const auto* c = d.getSingleClause<OMPDetachClause>()) {
        const auto* n = dyn_cast<DeclRefExpr>(written(c->getEventHandler())->IgnoreParenImpCasts());
        event = n ? dyn_cast<VarDecl>(n->getDecl()) : nullptr;
        if (event == nullptr) {
            refuse(c->getBeginLoc(), "detach with anything but a variable is not supported");
        }
    }
    const joined_reductions joined = join_reductions(d, e);
    frame f = make_frame(
        d, e,
        [&](const VarDecl* v) {
            return copied.contains(v) || v == event ? mode::in_frame : mode::reference;
        },
        joined.fields + (event != nullptr ? "  void *__cp_event, *__cp_event_at;\n" : ""), true,
        copied);
    construct here{nullptr, OMPD_task, fresh("exit_"), false, false, true, {}, 1, false};
    environment inside = f.inside;
    if (event != nullptr) {
        inside.names[event] = "(*(" +
                              declarations_.declare(event->getType().getUnqualifiedType(), "*") +
                              ")&__cp_f->__cp_event)";
    }
    inside.around = &here;
    const std::string join = joined.open(inside);
    data_rules rules;
    rules.privates = true;
    private_copies copies = make_private(d, inside, rules);
    copies.inside.around = &here;
    std::string inner = join + copies.before + "{\n" + copies.open +
                        body(statement(d), copies.inside) + "}\n";
    if (event != nullptr) {
        inner =
            "if (__cp_f->__cp_event_at != (void*)0) __builtin_memcpy(__cp_f->__cp_event_at, "
            "&__cp_f->__cp_event, sizeof(void*));\n" +
            inner;
    }
    if (here.left) {
        inner += here.exit + ":;\n";
    }
    outlined(name, "__cp_data", f, inner, source_.begin_of(d.getBeginLoc()));
    std::string list, number;
    const std::string depend = depend_list(d, e, list, number);
    task_settings set = settings_of_task(d, OMPD_task, e);
    std::string out = "{\n" + depend + "struct " + f.name + " __cp_new;\n" + joined.fill + f.fill;
    if (event != nullptr) {
        // The variable gets the event when the task has been made. But if the caller waits for the
        // task, and so for the event, the task itself has to tell others by the variable.
        const std::string frame = "((struct " + f.name + "*)__cp_r)";
        out += "int const __cp_when = " + set.when + ";\nunsigned const __cp_flags = " + set.flags +
               ";\n" + frame + "->__cp_event_at = !__cp_when || (__cp_flags & 2) != 0 ? (void*)&" +
               e.of(event) + " : (void*)0;\n";
        set.when = "__cp_when";
        set.flags = "__cp_flags";
    }
    out += "__cp_task(" + name + ", __cp_r, __cp_size, " + f.alignment + ", " + set.when + ", " +
           set.flags + ", " + list + ", " + number + ", " + set.priority + ", " +
           (event != nullptr ? "&((struct " + f.name + "*)__cp_r)->__cp_event" : "(void*)0") +
           ");\n";
    if (event != nullptr) {
        out += "__builtin_memcpy(&" + e.of(event) + ", &((struct " + f.name +
               "*)__cp_r)->__cp_event, sizeof(void*));\n";
    }
    return out + "}\n";
}

std::string unit::taskloop(const directive& d, kinds rest, const environment& e)
{
    (void)rest;
    Expr::EvalResult value;
    unsigned levels = 1;
    if (const auto* c = d.getSingleClause<OMPCollapseClause>()) {
        written(c->getNumForLoops())->EvaluateAsInt(value, context_);
        levels = unsigned(value.Val.getInt().getZExtValue());
    }
    const loop_nest nest = make_nest(d, levels, 0, e);
    if (nest.state.empty()) {
        refuse(d, "a taskloop over loops whose bounds depend on each other is not supported");
    }
    const std::string name = fresh("task_");
    std::set<const VarDecl*> copied = listed_first(d);
    add_bases<OMPInReductionClause>(copied, d);
    add_bases<OMPReductionClause>(copied, d);
    const joined_reductions joined = join_reductions(d, e);
    std::string extra = "  unsigned long long __cp_lo, __cp_hi;\n" + joined.fields, unpack;
    std::string pass = joined.fill;
    for (const auto& [declaration, n] : nest.state) {
        extra += "  " + declaration + ";\n";
        pass += "__cp_new." + n + " = " + n + ";\n";
        unpack += "__typeof__(__cp_f->" + n + ") const " + n + " = __cp_f->" + n + ";\n(void)" + n +
                  ";\n";
    }
    std::set<const VarDecl*> last;
    std::vector<const VarDecl*> counters_seen;
    for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            if (const auto* n = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts())) {
                last.insert(cast<VarDecl>(n->getDecl()));
            }
        }
    }
    if (has(d, OMPD_simd)) {
        // Counters are linear: their last value is visible after the loop.
        for (const VarDecl* v : nest.counters) {
            if (source_.begin_of(v->getLocation()) < source_.begin_of(d.getBeginLoc())) {
                counters_seen.push_back(v);
                last.insert(v);
            }
        }
    }
    data_rules rules;
    std::set<const VarDecl*> first = listed_first(d);
    for (const auto* c : d.getClausesOfKind<OMPLinearClause>()) {
        for (const Expr* item : c->varlists()) {
            const VarDecl* const v = variable_of(item);
            if (std::find(nest.counters.begin(), nest.counters.end(), v) == nest.counters.end()) {
                first.insert(v);
                last.insert(v);
            }
        }
    }
    for (const VarDecl* v : first) {
        if (last.contains(v)) {
            const std::string field = "__cp_first_" + v->getName().str();
            extra += "  " + declare(v, field, e) + alignment(v) + ";\n";
            pass += assign(v->getType(), "__cp_new." + field, e.of(v));
            rules.first_values[v] = "__cp_f->" + field;
        }
    }
    frame f = make_frame(
        d, e,
        [&](const VarDecl* v) {
            return copied.contains(v) && !last.contains(v) ? mode::in_frame : mode::reference;
        },
        extra, true, copied);
    // A variable that is firstprivate and lastprivate, or linear, is passed by address, which stays
    // valid, as the construct waits for its group, and by value: the last piece may write the
    // variable before another one begins.
    construct here{nullptr, OMPD_task, fresh("exit_"), false, false, true, {}, 1, false};
    environment inside = f.inside;
    inside.around = &here;
    const std::string join = joined.open(inside);
    const task_reductions reductions = reduce_tasks(d, e);
    rules.privates = rules.lastprivate = rules.linear = true;
    rules.total = nest.total;
    rules.firstprivate = !last.empty();
    for (const VarDecl* v : copied) {
        if (!last.contains(v)) {
            rules.values.insert(v);
        }
    }
    rules.counters = nest.counters;
    rules.write_back = counters_seen;
    rules.last = "__cp_f->__cp_hi == " + nest.total;
    private_copies copies = make_private(d, inside, rules);
    copies.inside.around = &here;
    const loop_inside s = loop_body(d, levels);
    const std::string index = rules.index_of(nest);
    std::string finals;
    for (unsigned n = 0; n < nest.counters.size(); ++n) {
        if (last.contains(nest.counters[n])) {
            finals += "if (" + rules.last + ") " + nest.counters[n]->getName().str() + " = " +
                      nest.final_values[n] + ";\n";
        }
    }
    std::string inner = join + unpack + copies.before + "{\n" + copies.open + "{\n" +
                        nest.run("__cp_f->__cp_lo", "__cp_f->__cp_hi",
                                 index + body(s, copies.inside)) +
                        "}\n" + finals + copies.close + "}\n";
    if (here.left) {
        inner += here.exit + ":;\n";
    }
    outlined(name, "__cp_data", f, inner, source_.begin_of(d.getBeginLoc()));
    task_settings set = settings_of_task(d, OMPD_taskloop, e);
    std::string amount = "0";
    if (const auto* c = d.getSingleClause<OMPGrainsizeClause>()) {
        amount = text(c->getGrainsize(), e);
        set.flags += c->getModifier() == OMPC_GRAINSIZE_strict ? " | 16 | 64" : " | 16";
    }
    if (const auto* c = d.getSingleClause<OMPNumTasksClause>()) {
        amount = text(c->getNumTasks(), e);
        set.flags += c->getModifier() == OMPC_NUMTASKS_strict ? " | 64" : "";
    }
    if (!d.getClausesOfKind<OMPNogroupClause>().empty()) {
        set.flags += " | 32";
    }
    return "{\n" + reductions.open + nest.head + "struct " + f.name + " __cp_new;\n" + f.fill +
           pass +
           (f.fill.find("__cp_space") != std::string::npos
                ? "__builtin_memcpy(__cp_r, &__cp_new, sizeof __cp_new);\n"
                : "") +
           "__cp_taskloop(" + name + ", __cp_r, __cp_size, " + f.alignment + ", " + nest.total +
           ", " + set.when + ", " + set.flags + ", (unsigned long)" + amount + ", " + set.priority +
           ");\n" + reductions.close + "}\n";
}

std::string unit::taskgroup(const directive& d, const environment& e)
{
    const task_reductions reductions = reduce_tasks(d, e);
    if (!reductions.open.empty()) {
        return "{\n" + reductions.open + body(statement(d), e) + reductions.close + "}\n";
    }
    return "{\n__cp_taskgroup_start();\n" + body(statement(d), e) + "__cp_taskgroup_end();\n}\n";
}

}  // namespace cpt
