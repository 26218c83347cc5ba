// A visitor of Clang's tree that records what it finds by offset in the text. What depends on
// enclosing tasks is added after the walk, when all directives are known.
#include "facts.hpp"

namespace cpt {

using namespace clang;

namespace {

class collector : public RecursiveASTVisitor<collector> {
public:
    collector(facts& to, const source_text& source, std::string name)
        : to_(to), source_(source), name_(std::move(name))
    {}

    bool VisitDeclRefExpr(DeclRefExpr* e)
    {
        if (const auto* captured = dyn_cast<OMPCapturedExprDecl>(e->getDecl())) {
            if (captured->getInit() != nullptr) {
                TraverseStmt(const_cast<Expr*>(captured->getInit()));
            }
            return true;
        }
        if (e->getLocation().isInvalid()) {
            return true;
        }
        const unsigned at = source_.begin_of(e->getLocation());
        if (const auto* v = dyn_cast<VarDecl>(e->getDecl())) {
            const StringRef name = v->getName();
            if (!v->isImplicit() && !name.empty() &&
                source_.between(at, at + unsigned(name.size())) ==
                    std::string_view(name.data(), name.size())) {
                to_.names.emplace(at, v);
            }
        } else if (const auto* f = dyn_cast<FunctionDecl>(e->getDecl())) {
            if (f->getLexicalDeclContext()->isFunctionOrMethod() && !f->isImplicit()) {
                to_.functions.emplace(at, f);
            }
        } else if (const auto* c = dyn_cast<EnumConstantDecl>(e->getDecl())) {
            to_.enumerators.emplace(c, at);
        }
        return true;
    }

    // A call for which Clang has chosen a variant of the function.
    bool VisitPseudoObjectExpr(PseudoObjectExpr* e)
    {
        const auto* const call = dyn_cast<CallExpr>(e->getSyntacticForm()->IgnoreParenImpCasts());
        const auto* const meant = e->getNumSemanticExprs() == 1
                                      ? dyn_cast<CallExpr>(
                                            e->getSemanticExpr(0)->IgnoreParenImpCasts())
                                      : nullptr;
        const auto* const name = call == nullptr ? nullptr
                                                 : dyn_cast<DeclRefExpr>(
                                                       call->getCallee()->IgnoreParenImpCasts());
        const FunctionDecl* const variant = meant == nullptr ? nullptr : meant->getDirectCallee();
        if (name != nullptr && variant != nullptr && variant != name->getDecl()) {
            const unsigned at = source_.begin_of(name->getLocation());
            to_.edits[at] = {source_.end_of(name->getLocation()), called(variant, source_)};
            to_.variants.insert(at);
        }
        return true;
    }

    bool VisitPredefinedExpr(PredefinedExpr* e)
    {
        const unsigned at = source_.begin_of(e->getLocation());
        const unsigned end = source_.end_of(e->getLocation());
        // In C, gcc's __PRETTY_FUNCTION__ is just the name, too.
        to_.edits[at] = {end, "\"" + name_ + "\""};
        return true;
    }

    // The alignment of a variable that was declared with one: a copy has the variable's type, but
    // not its alignment.
    bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* e)
    {
        const bool wanted = e->getKind() == UETT_AlignOf || e->getKind() == UETT_PreferredAlignOf;
        const VarDecl* const v = wanted && !e->isArgumentType() ? variable(e->getArgumentExpr())
                                                                : nullptr;
        Expr::EvalResult value;
        if (v != nullptr && v->hasAttr<AlignedAttr>() &&
            e->EvaluateAsInt(value, v->getASTContext())) {
            to_.edits[source_.begin_of(e->getBeginLoc())] = {
                source_.end_of(e->getEndLoc()),
                std::to_string(value.Val.getInt().getZExtValue()) + "ul"};
        }
        return true;
    }

    bool TraverseStmt(Stmt* s)
    {
        if (auto* d = dyn_cast_or_null<OMPExecutableDirective>(s)) {
            to_.directives.emplace(source_.begin_of(d->getBeginLoc()), d);
            note_clauses(*d);
        }
        return RecursiveASTVisitor::TraverseStmt(s);
    }

    bool VisitUnaryOperator(UnaryOperator* e)
    {
        if (e->getOpcode() == UO_AddrOf) {
            if (const VarDecl* v = variable(e->getSubExpr())) {
                to_.address_taken.insert(v);
            }
        } else if (e->isIncrementDecrementOp()) {
            write(e->getSubExpr());
        }
        return true;
    }

    bool VisitBinaryOperator(BinaryOperator* e)
    {
        if (e->isAssignmentOp()) {
            write(e->getLHS());
        }
        return true;
    }

    bool VisitGCCAsmStmt(GCCAsmStmt* s)
    {
        for (unsigned i = 0; i < s->getNumOutputs(); ++i) {
            taken(s->getOutputExpr(i));
        }
        for (unsigned i = 0; i < s->getNumInputs(); ++i) {
            taken(s->getInputExpr(i));
        }
        return true;
    }

    bool VisitTagDecl(TagDecl* d)
    {
        if (d->isThisDeclarationADefinition() && d->isCompleteDefinition() && !d->isImplicit()) {
            to_.tags.push_back(d);
        }
        if (d->getIdentifier() != nullptr) {
            to_.type_names.emplace(d->getCanonicalDecl(), source_.begin_of(d->getLocation()));
        }
        return true;
    }

    bool VisitTagTypeLoc(TagTypeLoc l)
    {
        if (l.getDecl()->getIdentifier() != nullptr) {
            to_.type_names.emplace(l.getDecl()->getCanonicalDecl(),
                                   source_.begin_of(l.getNameLoc()));
        }
        return true;
    }

    bool VisitTypedefTypeLoc(TypedefTypeLoc l)
    {
        to_.type_names.emplace(l.getTypedefNameDecl()->getCanonicalDecl(),
                               source_.begin_of(l.getNameLoc()));
        return true;
    }

    bool VisitVarDecl(VarDecl* v)
    {
        if (v->isStaticLocal() && v->getInit() != nullptr) {
            to_.statics.push_back(v);
        }
        return true;
    }

    bool VisitOMPThreadPrivateDecl(OMPThreadPrivateDecl* d)
    {
        to_.thread_private.push_back(d);
        return true;
    }

    bool VisitDeclStmt(DeclStmt* s)
    {
        const auto* const tag = s->isSingleDecl() ? dyn_cast<TagDecl>(s->getSingleDecl()) : nullptr;
        if (tag != nullptr && !tag->isThisDeclarationADefinition()) {
            to_.forward.push_back(s);
        }
        bool types = false;
        for (const Decl* d : s->decls()) {
            types = types || isa<TypedefDecl>(d);
            if (const auto* v = dyn_cast<VarDecl>(d); v != nullptr && v->isStaticLocal()) {
                to_.static_declarations[v] = s;
            }
        }
        if (types) {
            to_.typedefs.push_back(s);
        }
        return true;
    }

private:
    static const VarDecl* variable(const Expr* e)
    {
        e = e->IgnoreParenImpCasts();
        if (const auto* part = dyn_cast<UnaryOperator>(e);
            part && (part->getOpcode() == UO_Real || part->getOpcode() == UO_Imag)) {
            e = part->getSubExpr()->IgnoreParenImpCasts();
        }
        const auto* name = dyn_cast<DeclRefExpr>(e);
        return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    }
    void write(const Expr* e)
    {
        e = e->IgnoreParenImpCasts();
        if (const auto* u = dyn_cast<UnaryOperator>(e)) {  // __real__ x = ...
            e = u->getSubExpr()->IgnoreParenImpCasts();
        }
        if (const VarDecl* v = variable(e)) {
            to_.writes[v].insert(source_.begin_of(e->getBeginLoc()));
        }
    }
    void taken(const Expr* e)
    {
        if (const VarDecl* v = variable(e)) {
            to_.address_taken.insert(v);
        }
    }
    // Variables of clauses that write.
    template <class C>
    void note(const OMPExecutableDirective& d)
    {
        for (const C* c : d.getClausesOfKind<C>()) {
            for (const Expr* e : c->varlists()) {
                if (const VarDecl* v = variable(e)) {
                    to_.writes[v].insert(source_.begin_of(d.getBeginLoc()));
                    to_.address_taken.insert(v);
                }
            }
        }
    }
    void note_clauses(const OMPExecutableDirective& d)
    {
        note<OMPReductionClause>(d);
        note<OMPLastprivateClause>(d);
        note<OMPLinearClause>(d);
        note<OMPCopyprivateClause>(d);
        note<OMPTaskReductionClause>(d);
        note<OMPInReductionClause>(d);
        note<OMPDependClause>(d);
        note<OMPFlushClause>(d);
        // Clang's visitor does not go into iterators.
        for (const auto* c : d.getClausesOfKind<OMPDependClause>()) {
            if (const auto* all = dyn_cast_or_null<OMPIteratorExpr>(c->getModifier())) {
                for (unsigned i = 0; i < all->numOfIterators(); ++i) {
                    const auto range = const_cast<OMPIteratorExpr*>(all)->getIteratorRange(i);
                    for (Expr* part : {range.Begin, range.End, range.Step}) {
                        TraverseStmt(part);
                    }
                }
            }
        }
        if (const auto* c = d.getSingleClause<OMPDetachClause>()) {
            if (const VarDecl* v = variable(written(c->getEventHandler()))) {
                to_.writes[v].insert(source_.begin_of(d.getBeginLoc()));
            }
        }
    }

    facts& to_;
    const source_text& source_;
    const std::string name_;  // of the function
};

}  // namespace

facts collect(FunctionDecl* function, const source_text& source)
{
    facts result;
    collector(result, source, function->getName().str()).TraverseDecl(function);
    result.around = nesting(result.directives, source);
    const auto task_around = [&](unsigned offset) {
        const nesting::place* p = result.around.innermost(offset);
        while (p != nullptr && !isOpenMPTaskingDirective(p->what->getDirectiveKind())) {
            p = p->around;
        }
        return p;
    };
    for (const auto& [v, places] : result.writes) {
        if (std::any_of(places.begin(), places.end(), task_around)) {
            result.written_by_tasks.insert(v);
        }
    }
    for (const auto& [at, v] : result.names) {
        if (const nesting::place* const task = task_around(at); task != nullptr) {
            result.tasks_with[v].insert(task->begin);
        }
    }
    return result;
}

}  // namespace cpt
