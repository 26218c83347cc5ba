// simd: the construct needs no runtime, so the compiler gets the directive unchanged, before the
// loop over a piece, with -fopenmp-simd. If the translation of a construct does not allow that, the
// directive is omitted.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

// Adds the names of copies that a clause may list: scalars and, if allowed, arrays of them.
bool add_names(std::string& to, const char* clause, llvm::ArrayRef<const Expr*> items, bool arrays)
{
    std::string names;
    for (const Expr* item : items) {
        const VarDecl* const v = variable_of(item);
        const Type* const element = v == nullptr ? nullptr
                                                 : v->getType()->getBaseElementTypeUnsafe();
        if (element == nullptr || v->getType()->isVariablyModifiedType() ||
            !(element->isArithmeticType() || element->isPointerType()) || element->isAtomicType() ||
            v->getType().isVolatileQualified() || (v->getType()->isArrayType() && !arrays)) {
            return false;
        }
        names += (names.empty() ? "" : ", ") + v->getName().str();
    }
    to += names.empty() ? "" : std::string(" ") + clause + names + ")";
    return true;
}

template <class C>
bool add_clauses(std::string& to, const char* clause, const directive& d)
{
    for (const auto* c : d.getClausesOfKind<C>()) {
        const auto items = c->varlists();
        const std::vector<const Expr*> all(items.begin(), items.end());
        if (!add_names(to, clause, all, true)) {
            return false;
        }
    }
    return true;
}

// The beginning of the clause for a built-in operator; nullptr for others.
const char* built_in(const OMPReductionClause& c)
{
    const DeclarationName name = c.getNameInfo().getName();
    for (const Expr* operation : c.reduction_ops()) {
        if (isa_and_nonnull<CallExpr>(operation)) {
            return nullptr;
        }
    }
    if (name.getNameKind() == DeclarationName::CXXOperatorName) {
        switch (name.getCXXOverloadedOperator()) {
        case OO_Plus:
        case OO_Minus: return "reduction(+ : ";
        case OO_Star: return "reduction(* : ";
        case OO_Amp: return "reduction(& : ";
        case OO_Pipe: return "reduction(| : ";
        case OO_Caret: return "reduction(^ : ";
        case OO_AmpAmp: return "reduction(&& : ";
        case OO_PipePipe: return "reduction(|| : ";
        default: return nullptr;
        }
    }
    return name.getAsString() == "min"   ? "reduction(min : "
           : name.getAsString() == "max" ? "reduction(max : "
                                         : nullptr;
}

}  // namespace

// The directive for the loop over a piece, as a line of its own; empty: there is none.
std::string unit::simd_line(const directive& d, const loop_nest& nest)
{
    const unsigned begin = source_.begin_of(d.getBeginLoc()), end = source_.end_of(&d);
    const auto inner = facts_.directives.upper_bound(begin);
    if (!has(d, OMPD_simd) || nest.counters.size() != 1 ||
        (inner != facts_.directives.end() && inner->first < end)) {
        return {};
    }
    const QualType counter = nest.counters[0]->getType();
    if (counter->isEnumeralType() || counter->isBooleanType() || counter.isVolatileQualified() ||
        context_.getTypeSize(counter) > 64) {
        return {};
    }
    std::string line;
    const std::set<const VarDecl*> first = listed_first(d);
    for (const VarDecl* v : listed_last(d)) {
        if (first.contains(v)) {
            return {};
        }
    }
    for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
        if (c->getKind() == OMPC_LASTPRIVATE_conditional) {
            return {};
        }
    }
    // Counters are linear without being listed; other linear variables get their values from the
    // iteration's number.
    if (!d.getClausesOfKind<OMPLinearClause>().empty() ||
        !d.getClausesOfKind<OMPOrderedClause>().empty() ||
        !add_clauses<OMPPrivateClause>(line, "private(", d) ||
        !add_clauses<OMPLastprivateClause>(line, "lastprivate(", d)) {
        return {};
    }
    for (const auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        const char* const clause = built_in(*c);
        const auto items = c->varlists();
        const std::vector<const Expr*> all(items.begin(), items.end());
        if (clause == nullptr || c->getModifier() != OMPC_REDUCTION_unknown ||
            !add_names(line, clause, all, false)) {
            return {};
        }
    }
    Expr::EvalResult value;
    const auto number = [&](const char* clause, const Expr* e) {
        if (written(e)->EvaluateAsInt(value, context_)) {
            line += std::string(" ") + clause + std::to_string(value.Val.getInt().getZExtValue()) +
                    ")";
        }
    };
    if (const auto* c = d.getSingleClause<OMPSafelenClause>()) {
        number("safelen(", c->getSafelen());
    }
    if (const auto* c = d.getSingleClause<OMPSimdlenClause>()) {
        number("simdlen(", c->getSimdlen());
    }
    return "\n#pragma omp simd" + line + "\n";
}

}  // namespace cpt
