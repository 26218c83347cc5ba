// threadprivate: the variables stay as they are and are the first thread's; wherever they are named
// stands the calling thread's copy, which the runtime finds. Each unit has a record for each of
// them, and the unit that defines one registers it before anything changes its value.
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

// The record of a variable, in one line, and what stands for its name from there on.
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

// A static variable of a block moves to file scope under a name of its own, because what is
// outlined needs it, too, and it has to be registered.
void unit::thread_private_of_block(const OMPThreadPrivateDecl* d)
{
    for (const Expr* e : d->varlists()) {
        const VarDecl* const v = named(e);
        if (v == nullptr || !v->isStaticLocal()) {
            refuse(d->getBeginLoc(), "threadprivate of this variable is not supported in a block");
        }
        const unsigned begin = source_.begin_of(v->getBeginLoc());
        const unsigned end = source_.end_of(v->getEndLoc()), semicolon = source_.skip_space(end);
        std::string_view in_front = source_.between(begin, source_.begin_of(v->getLocation()));
        in_front.remove_prefix(in_front.rfind('}') + 1);  // of a type that is defined here
        if (source_.all()[semicolon] != ';' || in_front.find(',') != in_front.npos) {
            refuse(v->getLocation(),
                   "threadprivate of one of several variables that a block "
                   "declares together is not supported");
        }
        const std::string to = fresh(v->getName().str() + "_");
        before_ += "static " + declarations_.declare(v->getType(), to) + alignment(v);
        if (const Expr* const value = v->getInit(); value != nullptr) {
            before_ += " = " + text(source_.begin_of(value->getBeginLoc()),
                                    source_.end_of(value->getEndLoc()), {});
        }
        before_ += ";\n" + private_record(v, to) + "\n";
        hoisted_[v] = private_names_[v->getCanonicalDecl()];
        facts_.edits[begin] = {semicolon, ""};
    }
}

}  // namespace cpt
