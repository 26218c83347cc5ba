// parallel and teams: the statement becomes a function that every member, or the first of every
// team, calls.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

bool cancellable(const directive& d)
{
    if (const auto* p = dyn_cast<OMPParallelDirective>(&d)) {
        return p->hasCancel();
    }
    if (const auto* p = dyn_cast<OMPTargetParallelDirective>(&d)) {
        return p->hasCancel();
    }
    return false;
}

}  // namespace

std::string unit::parallel(const directive& d, kinds rest, const environment& e)
{
    const unsigned begin = source_.begin_of(d.getBeginLoc()), end = source_.end_of(&d);
    const std::string name = fresh("body_");
    std::set<const VarDecl*> firstprivate, values, pointed;
    firstprivate = listed_first(d);
    const auto scalar = [&](const VarDecl* v) {
        const QualType t = v->getType().getCanonicalType();
        return (t->isScalarType() || t->isAnyComplexType()) && !t->isAtomicType() &&
               declarations::variable_dimensions(t) == 0;
    };
    for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            firstprivate.erase(variable_of(item));
        }
    }
    std::string extra, pass, copy_in;
    if (!e.range_begin.empty()) {
        extra = "  unsigned long long __cp_lo, __cp_hi; int __cp_last;\n";
        pass = "__cp_new.__cp_lo = " + e.range_begin + "; __cp_new.__cp_hi = " + e.range_end +
               "; __cp_new.__cp_last = " + e.range_last + ";\n";
    }
    for (const auto* c : d.getClausesOfKind<OMPCopyinClause>()) {
        for (const Expr* item : c->varlists()) {
            const VarDecl* const v = variable_of(item);
            const std::string n = v->getName().str();
            extra += "  void* __cp_from_" + n + ";\n";
            const std::string here = e.of(v);
            pass += "__cp_new.__cp_from_" + n + " = (void*)&" + here + ";\n";
            copy_in += "if (__cp_f->__cp_from_" + n + " != (void*)&" + here +
                       ") __builtin_memcpy((void*)&" + here + ", __cp_f->__cp_from_" + n +
                       ", sizeof(" + here + "));\n";
        }
    }
    if (!copy_in.empty()) {
        copy_in += "__cp_barrier();\n";
    }
    frame f = make_frame(
        d, e,
        [&](const VarDecl* v) {
            if ((firstprivate.contains(v) && scalar(v)) || constant_inside(v, begin, end, e)) {
                values.insert(v);
                return mode::value;
            }
            return mode::reference;
        },
        extra, false);
    construct here{nullptr, OMPD_parallel,   fresh("exit_"), false, cancellable(d), true, {},
                   1,       reduces_tasks(d)};
    environment inside = f.inside;
    inside.around = &here;
    if (!e.range_begin.empty()) {
        inside.range_begin = "__cp_f->__cp_lo";
        inside.range_end = "__cp_f->__cp_hi";
        inside.range_last = "__cp_f->__cp_last";
    }
    data_rules rules;
    rules.firstprivate = true;
    rules.not_first = listed_last(d);
    // In a combined construct the clauses belong to what masked is combined with.
    const bool has_clauses = rest.empty() || (rest.size() == 1 &&
                                              (rest[0] == OMPD_master || rest[0] == OMPD_masked));
    rules.privates = rules.reduction = has_clauses;
    rules.values = values;
    private_copies copies = make_private(d, inside, rules);
    copies.inside.around = &here;
    std::string inner = rest.empty() ? body(statement(d), copies.inside)
                                     : leaves(d, rest, copies.inside);
    inner = copy_in + copies.before + "{\n" + copies.open + inner + copies.reduce + copies.close +
            copies.tasks + "}\n";
    if (here.left) {
        inner += here.exit + ":;\n";
    }
    outlined(name, "__cp_data", f, inner, begin);

    std::string number = "0";
    if (const auto* c = d.getSingleClause<OMPNumThreadsClause>()) {
        number = "(unsigned)" + text(c->getNumThreads(), e);
    }
    if (const std::string c = condition(d, OMPD_parallel, e); !c.empty()) {
        number = c + " ? " + number + " : 1u";
    }
    std::string bind = "0";
    if (const auto* c = d.getSingleClause<OMPProcBindClause>()) {
        switch (c->getProcBindKind()) {
        case OMP_PROC_BIND_master:
        case OMP_PROC_BIND_primary: bind = "2"; break;
        case OMP_PROC_BIND_close: bind = "3"; break;
        case OMP_PROC_BIND_spread: bind = "4"; break;
        default: break;
        }
    }
    return "{\nstruct " + f.name + " __cp_new;\n" + f.fill + pass + "__cp_parallel(" + name +
           ", &__cp_new, " + number + ", " + bind + ", " + source_.place(begin) + ");\n}\n";
}

std::string unit::teams(const directive& d, kinds rest, const environment& e)
{
    const unsigned begin = source_.begin_of(d.getBeginLoc());
    const std::string name = fresh("team_");
    frame f = make_frame(d, e, [&](const VarDecl*) { return mode::reference; }, "", false);
    construct here{nullptr, OMPD_teams, fresh("exit_"), false, false, true, {}, 1, false};
    environment inside = f.inside;
    inside.around = &here;
    data_rules rules;
    rules.firstprivate = true;
    rules.not_first = listed_last(d);
    rules.privates = rest.empty();
    rules.reduction = true;
    private_copies copies = make_private(d, inside, rules);
    copies.inside.around = &here;
    std::string inner = rest.empty() ? body(statement(d), copies.inside)
                                     : leaves(d, rest, copies.inside);
    inner = copies.before + "{\n" + copies.open + inner + copies.reduce + copies.close + "}\n";
    outlined(name, "__cp_data", f, inner, begin);
    std::string number = "0", limit = "0";
    if (const auto* c = d.getSingleClause<OMPNumTeamsClause>()) {
        number = "(unsigned)" + text(c->getNumTeams(), e);
    }
    if (const auto* c = d.getSingleClause<OMPThreadLimitClause>()) {
        limit = "(unsigned)" + text(c->getThreadLimit(), e);
    }
    return "{\nstruct " + f.name + " __cp_new;\n" + f.fill + "__cp_teams(" + name +
           ", &__cp_new, " + number + ", " + limit + ");\n}\n";
}

}  // namespace cpt
