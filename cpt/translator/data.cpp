// Private copies: private, firstprivate, lastprivate, reduction and linear. A copy has the
// variable's own name, in a block of its own, so the user's text stays as it is; the original is
// reached through a pointer that was made in front of the block.
#include "unit.hpp"

namespace cpt {

using namespace clang;

const VarDecl* variable_of(const Expr* e)
{
    const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

namespace {

// Clang's own, such as those in which it finds the reductions of tasks.
bool of_clang(const VarDecl* v)
{
    return v->getName().empty() || v->getName().front() == '.';
}

}  // namespace

std::set<const VarDecl*> unit::listed_last(const directive& d)
{
    std::set<const VarDecl*> all;
    for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            all.insert(variable_of(item));
        }
    }
    return all;
}

std::set<const VarDecl*> unit::listed_first(const directive& d) const
{
    const std::vector<const VarDecl*> all = firstprivates(d, false);
    return {all.begin(), all.end()};
}

// Those that the user wrote, and those that tasks get without a word. What a target region gets so
// belongs to its team and is shared in what the construct combines it with.
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

// Pointers that a target region uses and whose memory, not themselves, is mapped, if anything.
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

// Clang 19 takes what a combined region of tasks ("parallel master taskloop") shares for private to
// its tasks, because it sees one construct without a region around it.
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

private_copies unit::make_private(const directive& d, const environment& e, data_rules& rules)
{
    private_copies to;
    to.inside = e;
    std::set<const VarDecl*> done;
    // A copy without a value; `original`: where a pointer to the original is wanted, its name.
    const auto copy = [&](const VarDecl* v, std::string* original) {
        const std::string n = v->getName().str();
        const bool variable = declarations::variable_dimensions(v->getType()) != 0;
        std::string pointer;
        if (original != nullptr || variable) {
            pointer = fresh("o_" + n);
            to.before += "__typeof__(" + e.of(v) + ")* const " + pointer + " = &" + e.of(v) + ";\n";
        }
        if (original != nullptr) {
            *original = pointer;
        }
        if (!done.insert(v).second) {
            return;
        }
        if (pointer.empty() && v->hasLocalStorage() &&
            source_.begin_of(v->getLocation()) < source_.begin_of(d.getBeginLoc())) {
            to.before += "(void)&" + e.of(v) + ";\n";  // the user has used it
        }
        environment through = e;
        if (variable) {
            through.names[v] = "(*" + pointer + ")";
        }
        to.open += declare(v, n, through) + alignment(v) + ";\n";
        to.inside.names.erase(v);
        to.inside.copied.insert(v);
    };
    if (rules.firstprivate) {
        for (const VarDecl* v : firstprivates(d, rules.of_target)) {
            if (!rules.values.contains(v) && !done.contains(v) && !rules.not_first.contains(v)) {
                std::string original;
                copy(v, &original);
                to.open += assign(v->getType(), v->getName().str(), "(*" + original + ")");
            }
        }
    }
    if (rules.lastprivate) {
        for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
            const bool conditional = c->getKind() == OMPC_LASTPRIVATE_conditional;
            if (conditional && rules.position.empty()) {
                refuse(c->getBeginLoc(), "lastprivate(conditional) is not supported here");
            }
            for (const Expr* item : c->varlists()) {
                const VarDecl* const v = variable_of(item);
                if (v == nullptr) {
                    continue;
                }
                std::string original;
                copy(v, &original);
                if (conditional) {
                    // The position of the iteration that assigned it last; the highest one of all
                    // threads wins.
                    const std::string n = v->getName().str(), when = fresh("w");
                    to.open += "unsigned long long " + when + " = 0;\n";
                    to.inside.assigned[v] = "(*(" + when + " = " + rules.position + " + 1, &" + n +
                                            "))";
                    if (rules.alone) {
                        to.close += "if (" + when + " != 0) *" + original + " = " + n + ";\n";
                        continue;
                    }
                    const std::string best = "__cp_best[" + std::to_string(to.conditional++) + "]";
                    to.close += "__cp_reduce_begin();\nif (" + when + " > " + best + ") { " + best +
                                " = " + when + "; *" + original + " = " + n +
                                "; }\n__cp_reduce_end();\n";
                    continue;
                }
                to.close += "if (" + rules.last + ") { " +
                            assign(v->getType(), "(*" + original + ")", v->getName().str()) + "}\n";
            }
        }
    }
    if (to.conditional != 0) {
        // One thread has the words in its frame until all have compared with them.
        const std::string n = std::to_string(to.conditional);
        to.before += "unsigned long long __cp_mine[" + n +
                     "] = {0}, *__cp_best = __cp_mine;\n"
                     "{\n"
                     "void* __cp_list[1];\n"
                     "void** const __cp_from = __cp_single_copy_start();\n"
                     "if (__cp_from == (void**)0) {\n"
                     "__cp_list[0] = __cp_mine;\n"
                     "__cp_single_copy_end(__cp_list);\n"
                     "} else {\n"
                     "__cp_best = __cp_from[0];\n"
                     "}\n"
                     "__cp_barrier();\n"
                     "}\n";
        to.close += "__cp_barrier();\n";
    }
    if (rules.linear) {
        for (const auto* c : d.getClausesOfKind<OMPLinearClause>()) {
            for (const Expr* item : c->varlists()) {
                const VarDecl* const v = variable_of(item);
                const std::string n = v->getName().str();
                if (std::find(rules.counters.begin(), rules.counters.end(), v) !=
                    rules.counters.end()) {
                    std::string original;
                    copy(v, &original);
                    to.close += "if (" + rules.last + ") *" + original + " = " + n + ";\n";
                    continue;
                }
                std::string original;
                copy(v, &original);
                const std::string start = fresh("l"), step = fresh("s");
                to.before += "__typeof__(*" + original + ") const " + start + " = *" + original +
                             ";\nlong long const " + step + " = " +
                             (c->getStep() ? text(c->getStep(), e) : "1") + ";\n";
                const std::string at = v->getType()->isAnyPointerType()
                                           ? start + " + (long long)%K% * " + step
                                           : "(__typeof__(" + n + "))(" + start + " + %K% * " +
                                                 step + ")";
                rules.index += n + " = " + at + ";\n";
                std::string last = at;
                last.replace(last.find("%K%"), 3, rules.total);
                to.close += "if (" + rules.last + ") *" + original + " = " + last + ";\n";
            }
        }
    }
    for (const VarDecl* v : rules.write_back) {
        if (!done.contains(v)) {
            std::string original;
            copy(v, &original);
            to.close += (rules.alone ? "" : "if (" + rules.last + ") ") + "*" + original + " = " +
                        v->getName().str() + ";\n";
        }
    }
    if (rules.privates) {
        for (const auto* c : d.getClausesOfKind<OMPPrivateClause>()) {
            for (const Expr* item : c->varlists()) {
                if (const VarDecl* v = variable_of(item); v != nullptr && !done.contains(v)) {
                    copy(v, nullptr);
                }
            }
        }
        for (const VarDecl* v : rules.counters) {
            if (!done.contains(v)) {
                copy(v, nullptr);
            }
        }
    }
    if (rules.reduction) {
        for (const auto* c : d.getClausesOfKind<OMPReductionClause>()) {
            auto operation = c->reduction_ops().begin();
            if (c->getModifier() == OMPC_REDUCTION_task) {
                continue;
            }
            for (const Expr* item : c->varlists()) {
                reduce_into(to, item, *operation++, c->getNameInfo().getName(), d, e);
            }
        }
        if (!to.reduce.empty() && !rules.alone) {
            to.reduce = "__cp_reduce_begin();\n" + to.reduce + "__cp_reduce_end();\n";
        }
        share_reductions(to, d, e);
    }
    return to;
}

}  // namespace cpt
