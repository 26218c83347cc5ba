// Sees through parentheses, implicit conversions, and the variables that Clang makes for
// expressions in clauses.
#include "expression.hpp"

namespace cpt {

using namespace clang;

const VarDecl* variable_of(const Expr* e)
{
    const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

const Expr* written(const Expr* e)
{
    while (e != nullptr) {
        const Expr* const inner = e->IgnoreImplicit();
        const auto* name = dyn_cast<DeclRefExpr>(inner);
        const auto* captured = name ? dyn_cast<OMPCapturedExprDecl>(name->getDecl()) : nullptr;
        if (captured == nullptr || captured->getInit() == nullptr) {
            return inner;
        }
        e = captured->getInit();
    }
    return e;
}

}  // namespace cpt
