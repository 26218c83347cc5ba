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
// outlined needs it, too. Returns the name. `why`: what cannot be done where it has to stay.
std::string unit::move_out(const VarDecl* v, const std::string& why)
{
    const unsigned begin = source_.begin_of(v->getBeginLoc());
    const unsigned end = source_.end_of(v->getEndLoc()), semicolon = source_.skip_space(end);
    std::string_view in_front = source_.between(begin, source_.begin_of(v->getLocation()));
    in_front.remove_prefix(in_front.rfind('}') + 1);  // of a type that is defined here
    if (source_.all()[semicolon] != ';' || in_front.find(',') != in_front.npos) {
        refuse(v->getLocation(),
               why + " one of several variables that a block declares together is not supported");
    }
    const std::string to = fresh(v->getName().str() + "_");
    before_ += "static " + declarations_.declare(v->getType(), to) + alignment(v);
    if (const Expr* const value = v->getInit(); value != nullptr) {
        environment moved;
        moved.names = hoisted_;
        moved.names[v] = to;
        before_ += " = " + text(source_.begin_of(value->getBeginLoc()),
                                source_.end_of(value->getEndLoc()), moved);
    }
    before_ += ";\n";
    facts_.edits[begin] = {semicolon, ""};
    return to;
}

void unit::thread_private_of_block(const OMPThreadPrivateDecl* d)
{
    for (const Expr* e : d->varlists()) {
        const VarDecl* const v = named(e);
        if (v == nullptr || !v->isStaticLocal()) {
            refuse(d->getBeginLoc(), "threadprivate of this variable is not supported in a block");
        }
        before_ += private_record(v, move_out(v, "threadprivate of")) + "\n";
        hoisted_[v] = private_names_[v->getCanonicalDecl()];
    }
}

// In what is outlined there may be static variables that begin with the address of static ones of
// the function, or with the value of constant ones: names that are no parts of a frame.
void unit::move_out_what_statics_name()
{
    std::vector<const VarDecl*> wanted;
    const auto add_named = [&](const VarDecl* v, bool anything) {
        const Expr* const value = v->getInit();
        const unsigned begin = source_.begin_of(value->getBeginLoc());
        const unsigned end = source_.end_of(value->getEndLoc());
        for (auto at = facts_.names.lower_bound(begin); at != facts_.names.end() && at->first < end;
             ++at) {
            const VarDecl* const other = at->second;
            const unsigned declared = source_.begin_of(other->getLocation());
            // With the beginning of an outlined statement between them.
            const auto* const around = facts_.around.innermost(begin);
            const bool apart = anything || (around != nullptr && declared < around->begin);
            if (apart && other->isStaticLocal() && !hoisted_.contains(other) &&
                std::find(wanted.begin(), wanted.end(), other) == wanted.end()) {
                wanted.push_back(other);
            }
        }
    };
    for (const VarDecl* v : facts_.statics) {
        add_named(v, false);
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i]->getInit() != nullptr) {
            add_named(wanted[i], true);
        }
    }
    std::sort(wanted.begin(), wanted.end(), [&](const VarDecl* a, const VarDecl* b) {
        return source_.begin_of(a->getLocation()) < source_.begin_of(b->getLocation());
    });
    for (const VarDecl* v : wanted) {
        hoisted_[v] = move_out(v, "a static variable in a region whose value comes from");
    }
}

}  // namespace cpt
