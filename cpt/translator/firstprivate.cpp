// Which variables are firstprivate: those of clauses, and those that tasks and target regions get
// without a clause.
#include "unit.hpp"

namespace cpt {

using namespace clang;

namespace {

// Variables that Clang has made, such as those with which it finds the reductions of tasks.
bool of_clang(const VarDecl* v)
{
    return v->getName().empty() || v->getName().front() == '.';
}

}  // namespace

std::set<const VarDecl*> unit::listed_first(const directive& d) const
{
    const std::vector<const VarDecl*> all = firstprivates(d, false);
    return {all.begin(), all.end()};
}

// The variables of clauses, and those that are firstprivate in tasks without a clause. Those of a
// target region without a clause are private to its team, and shared in the constructs that it is
// combined with.
std::vector<const VarDecl*> unit::firstprivates(const directive& d, bool of_target) const
{
    std::vector<const VarDecl*> all;
    for (const auto* c : d.getClausesOfKind<OMPFirstprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            const VarDecl* const v = variable_of(item);
            const bool elsewhere = c->isImplicit() &&
                                   (has(d, llvm::omp::OMPD_target) ? !of_target
                                                                   : shared_by_region(v, d));
            if (v != nullptr && !elsewhere && !of_clang(v)) {
                all.push_back(v);
            }
        }
    }
    if (of_target) {
        for (const VarDecl* v : pointers_of_target(d)) {
            all.push_back(v);
        }
    }
    return all;
}

namespace {

bool listed_in_any(const directive& d, const VarDecl* v)
{
    for (const OMPClause* c : d.clauses()) {
        if (c == nullptr || c->isImplicit()) {
            continue;
        }
        const bool attribute = isa<OMPPrivateClause, OMPFirstprivateClause, OMPLastprivateClause,
                                   OMPReductionClause, OMPInReductionClause, OMPLinearClause>(c);
        for (const Stmt* item : const_cast<OMPClause*>(c)->children()) {
            const auto* e = attribute ? dyn_cast_or_null<Expr>(item) : nullptr;
            if (e != nullptr && variable_of(e) == v) {
                return true;
            }
        }
    }
    if (const auto* l = dyn_cast<OMPLoopDirective>(&d)) {
        for (const Expr* counter : l->counters()) {
            if (counter != nullptr && variable_of(counter) == v) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

// Pointers that a target region uses and that are not mapped themselves, at most the memory to
// which they point.
std::vector<const VarDecl*> unit::pointers_of_target(const directive& d)
{
    std::set<const VarDecl*> mapped;
    for (const auto* c : d.getClausesOfKind<OMPMapClause>()) {
        for (const Expr* item : c->varlists()) {
            if (!c->isImplicit()) {
                mapped.insert(variable_of(item));
            }
        }
    }
    for (const auto* c : d.getClausesOfKind<OMPDefaultmapClause>()) {
        const auto what = c->getDefaultmapKind();
        if ((what == OMPC_DEFAULTMAP_pointer || what == OMPC_DEFAULTMAP_unknown) &&
            c->getDefaultmapModifier() != OMPC_DEFAULTMAP_MODIFIER_firstprivate &&
            c->getDefaultmapModifier() != OMPC_DEFAULTMAP_MODIFIER_default) {
            return {};
        }
    }
    std::vector<const VarDecl*> all;
    const auto* region = dyn_cast_or_null<CapturedStmt>(d.getAssociatedStmt());
    while (region != nullptr) {
        for (const auto& captured : region->captures()) {
            const VarDecl* const v = captured.capturesVariable() ||
                                             captured.capturesVariableByCopy()
                                         ? captured.getCapturedVar()
                                         : nullptr;
            if (v != nullptr && !of_clang(v) && v->getType()->isAnyPointerType() &&
                !mapped.contains(v) && !listed_in_any(d, v) &&
                std::find(all.begin(), all.end(), v) == all.end()) {
                all.push_back(v);
            }
        }
        region = dyn_cast<CapturedStmt>(region->getCapturedStmt());
    }
    return all;
}

// In a combined construct ("parallel master taskloop") Clang 19 takes variables that the region
// shares for firstprivate in the tasks, because it sees one construct without a region around it.
bool unit::shared_by_region(const VarDecl* v, const directive& d) const
{
    const unsigned inner = source_.begin_of(d.getBeginLoc());
    for (const auto* at = facts_.around.innermost(inner); at != nullptr; at = at->around) {
        const directive& around = *at->what;
        if (listed_in_any(around, v)) {
            return false;
        }
        if (has(around, llvm::omp::OMPD_parallel)) {
            const auto* all = around.getSingleClause<OMPDefaultClause>();
            return has(around, llvm::omp::OMPD_taskloop) &&
                   source_.begin_of(v->getLocation()) < at->begin &&
                   (all == nullptr ||
                    (all->getDefaultKind() != llvm::omp::OMP_DEFAULT_private &&
                     all->getDefaultKind() != llvm::omp::OMP_DEFAULT_firstprivate));
        }
    }
    return false;
}

}  // namespace cpt
