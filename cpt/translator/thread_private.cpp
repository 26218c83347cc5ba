// threadprivate: the variables are not changed and belong to the first thread. Wherever they are
// named, the translation uses the calling thread's copy, which the runtime finds. Each unit has a
// record for each of them, and the unit that defines one registers it before anything changes its
// value.
#include "unit.hpp"

namespace cpt {

using namespace clang;

namespace {

const VarDecl* named(const Expr* e)
{
    const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
    return name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool is_defined(const VarDecl* v)
{
    for (const VarDecl* r : v->redecls()) {
        if (r->isThisDeclarationADefinition() != VarDecl::DeclarationOnly) {
            return true;
        }
    }
    return false;
}

}  // namespace

// The record of a variable, in one line; also notes the text that replaces the variable's name from
// there on.
std::string unit::private_record(const VarDecl* v, const std::string& name)
{
    const std::string record = fresh("private_" + name);
    const bool complete = !v->getMostRecentDecl()->getType()->isIncompleteType();
    std::string out = "static struct __cp_private_variable " + record +
                      " __attribute__((unused)) = {(void*)&" + name + ", " +
                      (complete ? "sizeof(" + name + ")" : "0") + ", __alignof__(" + name +
                      "), 0};";
    if (is_defined(v)) {
        out += " static void " + fresh("register_") +
               "(void) __attribute__((constructor(101), used));"
               " static void " +
               last_fresh_ + "(void) { __cp_private_register(&" + record + "); }";
    }
    private_names_[v->getCanonicalDecl()] = "(*(__typeof__(" + name + ")*)__cp_private(&" + record +
                                            "))";
    return out;
}

void unit::thread_private(const OMPThreadPrivateDecl* d)
{
    const unsigned at = source_.begin_of_line(source_.begin_of(d->getBeginLoc()));
    std::string records;
    for (const Expr* e : d->varlists()) {
        const VarDecl* const v = named(e);
        if (v == nullptr) {
            refuse(d->getBeginLoc(), "threadprivate of this variable is not supported");
        }
        records += private_record(v, v->getName().str()) + " ";
    }
    pragmas_done_.insert(at);
    edits_[at] = {source_.end_of_line(at), source_.marker(at, true) + records + source_.marker(at)};
}

// Moves a static variable of a block to file scope under a name of its own, because outlined
// functions need it, too; also those that are declared together with it, and those that their
// initialisers name. Returns the name.
std::string unit::move_out(const VarDecl* v)
{
    if (const auto found = moved_out_.find(v); found != moved_out_.end()) {
        return found->second;
    }
    const DeclStmt* const all = facts_.static_declarations.at(v);
    for (const Decl* d : all->decls()) {
        const auto* const each = dyn_cast<VarDecl>(d);
        if (each == nullptr) {
            continue;
        }
        if (each->getType()->isVariablyModifiedType()) {
            refuse(each->getLocation(),
                   "a static variable whose type depends on variables cannot be moved out of its "
                   "function, which is not supported");
        }
        const std::string to = fresh(each->getName().str() + "_");
        moved_out_[each] = hoisted_[each] = to;
        std::string declared = "static " + declarations_.declare(each->getType(), to) +
                               alignment(each);
        if (const Expr* const value = each->getInit(); value != nullptr) {
            const unsigned begin = source_.begin_of(value->getBeginLoc());
            const unsigned end = source_.end_of(value->getEndLoc());
            for (auto at = facts_.names.lower_bound(begin);
                 at != facts_.names.end() && at->first < end; ++at) {
                if (at->second->isStaticLocal() && !hoisted_.contains(at->second)) {
                    (void)move_out(at->second);
                }
            }
            environment moved;
            moved.names = hoisted_;
            declared += " = " + text(begin, end, moved);
        }
        before_ += declared + ";\n";
    }
    facts_.edits[source_.begin_of(all->getBeginLoc())] = {source_.end_of(all), ";"};
    return moved_out_.at(v);
}

void unit::thread_private_of_block(const OMPThreadPrivateDecl* d)
{
    for (const Expr* e : d->varlists()) {
        const VarDecl* const v = named(e);
        if (v == nullptr || !v->isStaticLocal()) {
            refuse(d->getBeginLoc(), "threadprivate of this variable is not supported in a block");
        }
        before_ += private_record(v, move_out(v)) + "\n";
        hoisted_[v] = private_names_[v->getCanonicalDecl()];
    }
}

// Static variables in an outlined function may have initialisers that name static variables of the
// function around it. Such names cannot be taken from a frame, so those variables move out, too.
void unit::move_out_what_statics_name()
{
    for (const VarDecl* v : facts_.statics) {
        const Expr* const value = v->getInit();
        const unsigned begin = source_.begin_of(value->getBeginLoc());
        const unsigned end = source_.end_of(value->getEndLoc());
        for (auto at = facts_.names.lower_bound(begin); at != facts_.names.end() && at->first < end;
             ++at) {
            const VarDecl* const other = at->second;
            // The declaration of `other` lies before the directive that encloses the initialiser.
            const auto* const around = facts_.around.innermost(begin);
            if (around != nullptr && source_.begin_of(other->getLocation()) < around->begin &&
                other->isStaticLocal() && !hoisted_.contains(other)) {
                (void)move_out(other);
            }
        }
    }
}

}  // namespace cpt
