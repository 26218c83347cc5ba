// Private copies: private, firstprivate, lastprivate, reduction and linear. A copy has the
// variable's own name, in a block of its own, so the user's text stays as it is; the original is
// reached through a pointer that was made in front of the block.
#include "unit.hpp"

namespace cpt {

using namespace clang;

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

// The statements with the number of the iteration, by the name that make_nest gives it.
std::string unit::data_rules::index_of(const loop_nest& nest) const
{
    const std::string k = "__cp_k_" + nest.total.substr(std::size("__cp_n_") - 1);
    std::string out = index;
    for (std::size_t at; (at = out.find("%K%")) != std::string::npos;) {
        out.replace(at, 3, k);
    }
    return out;
}

private_copies unit::make_private(const directive& d, const environment& e, data_rules& rules)
{
    private_copies to;
    to.inside = e;
    std::set<const VarDecl*> done;
    // The value with which a copy begins.
    const auto value_of = [&](const VarDecl* v, const std::string& original) {
        const auto kept = rules.first_values.find(v);
        return kept != rules.first_values.end() ? kept->second : "(*" + original + ")";
    };
    // Declares a copy without a value. `original`: if not null, a pointer to the original is made,
    // and its name stored there.
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
            to.before += "(void)&" + e.of(v) + ";\n";  // marks it as used, as the user's code does
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
                to.open += assign(v->getType(), v->getName().str(), value_of(v, original));
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
                    // Each thread keeps the position of the iteration in which it last assigned the
                    // variable; the value from the highest position is kept.
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
        // The words lie on the stack of one thread, until all have compared with them.
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
                to.before += "__typeof__(*" + original + ") const " + start + " = " +
                             value_of(v, original) + ";\nlong long const " + step + " = " +
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
                reduce_into(to, item, *operation++, c->getNameInfo().getName(), d, e, rules.scan);
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
