// The forms of loops that directives may have, read from Clang's tree.
#include "loop_form.hpp"

namespace cpt {

using namespace clang;

namespace {

const VarDecl* name_in(const Expr* e)
{
    const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool names_counter(const Expr* e, const VarDecl* v)
{
    const VarDecl* const n = name_in(e);
    return n != nullptr && n->getCanonicalDecl() == v->getCanonicalDecl();
}

}  // namespace

const ForStmt* loop_in(const Stmt* s)
{
    while (s != nullptr) {
        if (const auto* f = dyn_cast<ForStmt>(s)) {
            return f;
        }
        if (const auto* c = dyn_cast<CapturedStmt>(s)) {
            s = c->getCapturedStmt();
        } else if (const auto* loop = dyn_cast<OMPCanonicalLoop>(s)) {
            s = loop->getLoopStmt();
        } else if (const auto* a = dyn_cast<AttributedStmt>(s)) {
            s = a->getSubStmt();
        } else if (const auto* unrolled = dyn_cast<OMPUnrollDirective>(s)) {
            s = unrolled->getAssociatedStmt();  // the same iterations in the same order
        } else if (const auto* block = dyn_cast<CompoundStmt>(s)) {
            if (block->size() != 1) {
                return nullptr;
            }
            s = block->body_front();
        } else {
            return nullptr;
        }
    }
    return nullptr;
}

const ForStmt* next_loop(const Stmt* body)
{
    if (const ForStmt* f = loop_in(body); f != nullptr) {
        return f;
    }
    return loop_in(OMPLoopBasedDirective::tryToFindNextInnerLoop(const_cast<Stmt*>(body), true));
}

bool read_loop(const ForStmt* f, ASTContext& context, level& l)
{
    if (const auto* d = dyn_cast_or_null<DeclStmt>(f->getInit())) {
        l.counter = dyn_cast<VarDecl>(d->getSingleDecl());
        l.begin = l.counter ? l.counter->getInit() : nullptr;
    } else if (const auto* a = dyn_cast_or_null<BinaryOperator>(f->getInit())) {
        l.counter = name_in(a->getLHS());
        l.begin = a->getRHS();
    } else {
        return false;
    }
    const auto* c = dyn_cast_or_null<BinaryOperator>(
        f->getCond() ? f->getCond()->IgnoreParenImpCasts() : nullptr);
    if (l.counter == nullptr || l.begin == nullptr || c == nullptr) {
        return false;
    }
    l.counter_type = l.counter->getType().getNonReferenceType().getUnqualifiedType();
    const bool swapped = !names_counter(c->getLHS(), l.counter);
    if (swapped && !names_counter(c->getRHS(), l.counter)) {
        return false;
    }
    const Expr* const bound = swapped ? c->getLHS() : c->getRHS();
    l.bound = bound;
    l.bound_type = bound->getType().getUnqualifiedType();
    const Expr* const i = f->getInc()->IgnoreParenImpCasts();
    bool increment_up = true;
    if (const auto* u = dyn_cast<UnaryOperator>(i)) {
        increment_up = u->isIncrementOp();
        l.minus = !increment_up;
    } else if (const auto* assignment = dyn_cast<CompoundAssignOperator>(i)) {
        l.step = assignment->getRHS();
        l.minus = assignment->getOpcode() == BO_SubAssign;
    } else if (const auto* b = dyn_cast<BinaryOperator>(i)) {
        const auto* sum = dyn_cast<BinaryOperator>(b->getRHS()->IgnoreParenImpCasts());
        if (sum == nullptr) {
            return false;
        }
        l.step = names_counter(sum->getLHS(), l.counter) ? sum->getRHS() : sum->getLHS();
        l.minus = sum->getOpcode() == BO_Sub;
    } else {
        return false;
    }
    switch (c->getOpcode()) {
    case BO_LT: l.up = !swapped; break;
    case BO_GT: l.up = swapped; break;
    case BO_LE:
        l.up = !swapped;
        l.inclusive = true;
        break;
    case BO_GE:
        l.up = swapped;
        l.inclusive = true;
        break;
    case BO_NE: {
        l.up = !l.minus;
        // As it is written: the conversion to an unsigned counter would hide the sign.
        Expr::EvalResult value;
        if (l.step != nullptr && l.step->IgnoreParenImpCasts()->EvaluateAsInt(value, context) &&
            value.Val.getInt().isSigned() && value.Val.getInt().isNegative()) {
            l.up = !l.up;
        }
        break;
    }
    default: return false;
    }
    return true;
}

}  // namespace cpt
