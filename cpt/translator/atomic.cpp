// atomic, in all its forms: the user's statement is executed on a copy of the object, and a
// compare-and-exchange replaces the object by the copy if it has not changed meanwhile. Objects
// that the machine cannot exchange (bit-fields, more than eight bytes) are always changed under a
// lock.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

// Finds the expressions that are equal to a given one.
class occurrences : public RecursiveASTVisitor<occurrences> {
public:
    occurrences(const Expr* wanted, ASTContext& context) : context_(context)
    {
        wanted->IgnoreParenImpCasts()->Profile(wanted_, context, true);
    }
    bool TraverseStmt(Stmt* s)
    {
        if (auto* e = dyn_cast_or_null<Expr>(s)) {
            llvm::FoldingSetNodeID id;
            e->IgnoreParenImpCasts()->Profile(id, context_, true);
            if (id == wanted_) {
                found.push_back(e->IgnoreParenImpCasts());
                return true;
            }
        }
        return RecursiveASTVisitor::TraverseStmt(s);
    }
    std::vector<const Expr*> found;

private:
    ASTContext& context_;
    llvm::FoldingSetNodeID wanted_;
};

const BinaryOperator* update_of(const OMPAtomicDirective& a)
{
    const Expr* const update = a.getUpdateExpr();
    return update != nullptr ? dyn_cast<BinaryOperator>(update->IgnoreParenImpCasts()) : nullptr;
}

// For ++ and -- Clang makes a literal that is not in the text.
bool is_unary(const OMPAtomicDirective& a, const source_text& source)
{
    return update_of(a) != nullptr && isa<IntegerLiteral>(a.getExpr()) &&
           !std::isdigit(static_cast<unsigned char>(
               source.all()[source.begin_of(a.getExpr()->getBeginLoc())]));
}

}  // namespace

// The user's statement under the lock. What may call functions is evaluated before: they may
// contain another such atomic.
std::string unit::locked_atomic(const OMPAtomicDirective& a, const environment& e)
{
    const auto kept = facts_.edits;
    std::string out = "{\n";
    const auto replace = [&](const Expr* what, const std::string& by) {
        facts_.edits[source_.begin_of(what->getBeginLoc())] = {source_.end_of(what->getEndLoc()),
                                                               by};
    };
    // A bit-field has no address, but the struct that it is in.
    const auto find_place = [&](const Expr* object) {
        object = object->IgnoreParenImpCasts();
        bool by_value = false;
        if (object->refersToBitField()) {
            const MemberExpr* member = cast<MemberExpr>(object);
            while (const auto* outer = dyn_cast<MemberExpr>(member->getBase())) {
                if (outer->getMemberDecl()->getDeclName()) {
                    break;
                }
                member = outer;  // the name of an unnamed struct's member
            }
            by_value = member->isArrow();
            object = member->getBase()->IgnoreImplicit();
        }
        const std::string place = fresh("x_");
        out += by_value ? declarations_.declare(object->getType(), "const " + place) + " = "
                        : declarations_.declare(object->getType(), "* const " + place) + " = &";
        out += text(object, e) + ";\n";
        replace(object, by_value ? place : "(*" + place + ")");
    };
    if (a.getX()->HasSideEffects(context_)) {
        occurrences all(a.getX(), context_);
        all.TraverseStmt(const_cast<Stmt*>(statement(a)));
        for (const Expr* x : all.found) {
            find_place(x);
        }
    }
    if (a.getV() != nullptr && a.getV()->HasSideEffects(context_)) {
        find_place(a.getV());
    }
    const Expr* const value = a.getExpr() != nullptr ? a.getExpr()->IgnoreImplicit() : nullptr;
    if (value != nullptr && value->HasSideEffects(context_) && !is_unary(a, source_)) {
        const std::string operand = fresh("e_"), operand_text = text(value, e);
        out += "__typeof__(" + operand_text + " + 0) const " + operand + " = " + operand_text +
               ";\n";
        replace(value, operand);
    }
    out += "__cp_atomic_start();\n" + body(statement(a), e) + "__cp_atomic_end();\n}\n";
    facts_.edits = kept;
    return out;
}

OpenMPAtomicDefaultMemOrderClauseKind unit::default_order() const
{
    for (const Decl* d : context_.getTranslationUnitDecl()->decls()) {
        const auto* const all = dyn_cast<OMPRequiresDecl>(d);
        if (all == nullptr) {
            continue;
        }
        for (const OMPClause* c : all->clauselists()) {
            if (const auto* order = dyn_cast<OMPAtomicDefaultMemOrderClause>(c)) {
                return order->getAtomicDefaultMemOrderKind();
            }
        }
    }
    return OMPC_ATOMIC_DEFAULT_MEM_ORDER_unknown;
}

std::string unit::atomic(const directive& d, const environment& e)
{
    const auto& a = cast<OMPAtomicDirective>(d);
    const Stmt* const s = statement(d);
    const Expr* const x = a.getX();
    if (x == nullptr || s == nullptr) {
        refuse(d, "this form of atomic is not supported");
    }
    const auto clause = [&]<class C>(C*) { return !d.getClausesOfKind<C>().empty(); };
    const bool read = clause((OMPReadClause*)nullptr), writes = clause((OMPWriteClause*)nullptr),
               capture = clause((OMPCaptureClause*)nullptr),
               compare = clause((OMPCompareClause*)nullptr);
    // The directive's own order, or that of a requires directive.
    const bool relaxed = clause((OMPRelaxedClause*)nullptr),
               acquire = clause((OMPAcquireClause*)nullptr),
               release = clause((OMPReleaseClause*)nullptr);
    bool seq_cst = clause((OMPSeqCstClause*)nullptr), acq_rel = clause((OMPAcqRelClause*)nullptr);
    if (!relaxed && !acquire && !release && !seq_cst && !acq_rel) {
        const auto wanted = default_order();
        seq_cst = wanted == OMPC_ATOMIC_DEFAULT_MEM_ORDER_seq_cst;
        acq_rel = wanted == OMPC_ATOMIC_DEFAULT_MEM_ORDER_acq_rel;
    }
    unsigned order = 0;
    if (seq_cst) {
        order = 5;
    } else if (acq_rel) {
        order = read ? 2 : writes ? 3 : 4;
    } else if (acquire) {
        order = writes ? 0 : 2;
    } else if (release) {
        order = read ? 0 : 3;
    }
    const std::string memory_order = std::to_string(order);
    const QualType type = x->getType().getAtomicUnqualifiedType();
    const unsigned bytes = unsigned(context_.getTypeSizeInChars(type).getQuantity());
    const bool free = !x->refersToBitField() && bytes <= 8 && (bytes & (bytes - 1)) == 0 &&
                      !x->getType()->isAtomicType();
    if (!free && compare) {
        refuse(d, "atomic compare of such an object is not supported");
    }
    if (!free) {
        return locked_atomic(a, e);
    }
    occurrences all(x, context_);
    all.TraverseStmt(const_cast<Stmt*>(s));
    if (all.found.empty()) {
        refuse(d, "this form of atomic is not supported");
    }
    if (compare && type->isFloatingType()) {
        const auto* condition = dyn_cast_or_null<BinaryOperator>(
            a.getCondExpr() != nullptr ? a.getCondExpr()->IgnoreParenImpCasts() : nullptr);
        if (condition == nullptr || condition->getOpcode() == BO_EQ) {
            refuse(d, "atomic compare of floating-point numbers for equality is not supported");
        }
    }
    const std::string p = fresh("x_"), t = fresh("t_"), old = fresh("u_"), operand = fresh("e_");
    // The object is evaluated as often as it is named; the first address is used.
    std::string out = "{\n" + declarations_.declare(x->getType(), "* const " + p) + " = &" +
                      text(all.found.front(), e) + ";\n";
    if (x->HasSideEffects(context_)) {
        for (std::size_t i = 1; i < all.found.size(); ++i) {
            out += "(void)&" + text(all.found[i], e) + ";\n";
        }
    }
    const Expr* const value = a.getExpr();
    const BinaryOperator* const update = update_of(a);
    const bool unary = value != nullptr && is_unary(a, source_);
    std::string operand_text = unary ? "1" : value != nullptr ? text(value, e) : "0";
    // The statement may be executed again.
    const bool temporary = value != nullptr && !unary && !compare &&
                           (update != nullptr || (capture && value->HasSideEffects(context_)));
    if (temporary) {
        out += "__typeof__(" + operand_text + " + 0) const " + operand + " = " + operand_text +
               ";\n";
        operand_text = operand;
    }
    if (compare && ((value != nullptr && value->HasSideEffects(context_)) ||
                    (a.getD() != nullptr && a.getD()->HasSideEffects(context_)))) {
        refuse(d, "atomic compare with side effects is not supported");
    }
    if (update != nullptr && !capture && !compare && type->isIntegerType() &&
        !type->isBooleanType() && !type->isEnumeralType() && value->getType()->isIntegerType() &&
        a.isXLHSInRHSPart()) {
        const char* name = nullptr;
        switch (update->getOpcode()) {
        case BO_Add: name = "add"; break;
        case BO_Sub: name = "sub"; break;
        case BO_And: name = "and"; break;
        case BO_Or: name = "or"; break;
        case BO_Xor: name = "xor"; break;
        default: break;
        }
        if (name != nullptr) {
            return out + "(void)__atomic_fetch_" + name + "(" + p + ", (" +
                   declarations_.declare(type, "") + ")" + operand_text + ", " + memory_order +
                   ");\n}\n";
        }
    }
    // The user's statement, with the copy in place of the object.
    const auto kept = facts_.edits;
    if (const Expr* const v = a.getV(); capture && v != nullptr && v->HasSideEffects(context_)) {
        if (v->refersToBitField()) {
            refuse(d,
                   "atomic capture to a bit-field whose address has side effects is not supported");
        }
        const std::string to = fresh("v_");
        const Expr* const w = v->IgnoreImplicit();
        out += declarations_.declare(v->getType(), "* const " + to) + " = &" + text(w, e) + ";\n";
        facts_.edits[source_.begin_of(w->getBeginLoc())] = {source_.end_of(w->getEndLoc()),
                                                            "(*" + to + ")"};
    }
    for (const Expr* o : all.found) {
        facts_.edits[source_.begin_of(o->getBeginLoc())] = {source_.end_of(o->getEndLoc()), t};
    }
    if (temporary) {
        const Expr* const w = value->IgnoreImplicit();
        facts_.edits[source_.begin_of(w->getBeginLoc())] = {source_.end_of(w->getEndLoc()),
                                                            operand};
    }
    const std::string statement_text = body(s, e);
    facts_.edits = kept;
    out += declarations_.declare(type, t) + ";\n";
    if (read) {
        return out + "__atomic_load(" + p + ", &" + t + ", " + memory_order + ");\n" +
               statement_text + "}\n";
    }
    if (writes) {
        return out + statement_text + "__atomic_store(" + p + ", &" + t + ", " + memory_order +
               ");\n}\n";
    }
    return out + declarations_.declare(type, old) + ";\n__atomic_load(" + p + ", &" + old +
           ", 0);\ndo {\n" + t + " = " + old + ";\n" + statement_text +
           "} while (!__atomic_compare_exchange(" + p + ", &" + old + ", &" + t + ", 0, " +
           memory_order + ", 0));\n}\n";
}

}  // namespace cpt
