// threadprivate: the variables become the compiler's own thread-local ones, as every member has its
// own. Where one declaration has other variables, too, it is taken apart.
#include "unit.hpp"

namespace cpt {

using namespace clang;

void unit::thread_private(const OMPThreadPrivateDecl* d)
{
    for (const Expr* e : d->varlists()) {
        const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
        const auto* v = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (v == nullptr || !tls_) {
            refuse(d->getBeginLoc(), "threadprivate is not supported with this runtime");
        }
        thread_private_.insert(v->getCanonicalDecl());
    }
}

// Where "__thread" belongs in a declaration: behind "static" or "extern", as gcc wants it.
unsigned unit::behind_storage(unsigned at) const
{
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view w :
             {"static", "extern", "__extension__", "const", "volatile"}) {
            if (source_.between(at, at + unsigned(w.size())) == w) {
                at = source_.skip_space(at + unsigned(w.size()));
                again = true;
            }
        }
    }
    return at;
}

namespace {

TypeLoc base_of(TypeLoc l)
{
    while (true) {
        if (const auto q = l.getAs<QualifiedTypeLoc>()) {
            l = q.getUnqualifiedLoc();
        } else if (l.getAs<PointerTypeLoc>() || l.getAs<ArrayTypeLoc>() ||
                   l.getAs<FunctionTypeLoc>() || l.getAs<ParenTypeLoc>() ||
                   l.getAs<AttributedTypeLoc>()) {
            l = l.getNextTypeLoc();
        } else {
            return l;
        }
    }
}

}  // namespace

// The text of a declaration up to its first declarator; a type that is defined in it is only named.
std::string unit::specifiers(const DeclaratorDecl* first, unsigned& end)
{
    const unsigned begin = source_.begin_of(first->getBeginLoc());
    const TypeLoc type = base_of(first->getTypeSourceInfo()->getTypeLoc());
    end = std::max(source_.end_of(type.getEndLoc()), behind_storage(begin));
    const TagDecl* defined = nullptr;
    TypeLoc inner = type;
    if (const auto elaborated = inner.getAs<ElaboratedTypeLoc>()) {
        inner = elaborated.getNamedTypeLoc();
    }
    if (const auto tag = inner.getAs<TagTypeLoc>()) {
        defined = tag.getDecl();
        const SourceRange braces = defined->getBraceRange();
        if (braces.isInvalid() || source_.begin_of(braces.getBegin()) < begin ||
            source_.begin_of(braces.getBegin()) > source_.begin_of(first->getLocation())) {
            defined = nullptr;  // somewhere else
        } else {
            end = source_.end_of(braces.getEnd());
        }
    }
    const unsigned type_end = end;
    for (bool again = true; again;) {
        again = false;
        const unsigned next = source_.skip_space(end);
        for (const std::string_view w : {"const", "volatile", "static", "extern"}) {
            if (source_.between(next, next + unsigned(w.size())) == w) {
                end = next + unsigned(w.size());
                again = true;
            }
        }
        if (source_.between(next, next + 13) == "__attribute__") {
            refuse(
                first->getLocation(),
                "threadprivate of one of several variables whose declaration has attributes is not "
                "supported");
        }
    }
    if (defined == nullptr) {
        return std::string(source_.between(begin, end)) + " ";
    }
    return std::string(source_.between(begin, source_.begin_of(defined->getBeginLoc()))) +
           tag_name(defined) + " " + std::string(source_.between(type_end, end)) + " ";
}

void unit::declare_thread_private()
{
    const auto is_private = [&](const DeclaratorDecl* d) {
        const auto* v = dyn_cast<VarDecl>(d);
        return v != nullptr && thread_private_.contains(v->getCanonicalDecl());
    };
    for (const VarDecl* v : thread_private_) {
        for (const VarDecl* r : v->redecls()) {
            const unsigned begin = source_.begin_of(r->getBeginLoc());
            const auto found = groups_.find(begin);
            const unsigned at = behind_storage(begin);
            if (found == groups_.end()) {  // extern, in a block
                edits_[at] = {at, "__thread "};
                continue;
            }
            const auto& group = found->second;
            const auto others = std::count_if(group.begin(), group.end(), is_private);
            if (std::size_t(others) == group.size()) {
                edits_[at] = {at, "__thread "};
                continue;
            }
            unsigned end = 0;
            const std::string words = specifiers(group.front(), end);
            std::string plain = words, local = words;
            local.insert(std::min<std::size_t>(at - begin, local.size()), "__thread ");
            if (is_private(group.front())) {
                edits_[at] = {at, "__thread "};
            }
            for (std::size_t i = 1; i < group.size(); ++i) {
                const unsigned comma = source_.skip_space(
                    source_.end_of(group[i - 1]->getEndLoc()));
                if (source_.all()[comma] != ',') {
                    refuse(r->getLocation(),
                           "threadprivate of one of several variables that are "
                           "declared together is not supported here");
                }
                edits_[comma] = {comma + 1, "; " + (is_private(group[i]) ? local : plain)};
            }
        }
    }
}

// A static variable of a block moves to file scope under a name of its own, because what is
// outlined needs it, too.
void unit::thread_private_of_block(const OMPThreadPrivateDecl* d)
{
    for (const Expr* e : d->varlists()) {
        const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
        const auto* v = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (v == nullptr || !tls_) {
            refuse(d->getBeginLoc(), "threadprivate is not supported with this runtime");
        }
        const unsigned begin = source_.begin_of(v->getBeginLoc()), at = behind_storage(begin);
        const unsigned end = source_.end_of(v->getEndLoc()), semicolon = source_.skip_space(end);
        std::string_view in_front = source_.between(begin, source_.begin_of(v->getLocation()));
        in_front.remove_prefix(in_front.rfind('}') + 1);  // of a type that is defined here
        if (source_.all()[semicolon] != ';' || in_front.find(',') != in_front.npos) {
            refuse(v->getLocation(),
                   "threadprivate of one of several variables that a block "
                   "declares together is not supported");
        }
        if (facts_.directives.empty()) {
            edits_[at] = {at, "__thread "};
            continue;
        }
        const std::string to = fresh(v->getName().str() + "_");
        hoisted_[v] = to;
        before_ += "static __thread " + declarations_.declare(v->getType(), to) + alignment(v);
        if (const Expr* const value = v->getInit(); value != nullptr) {
            before_ += " = " + text(source_.begin_of(value->getBeginLoc()),
                                    source_.end_of(value->getEndLoc()), {});
        }
        before_ += ";\n";
        facts_.edits[begin] = {semicolon, ""};
    }
}

}  // namespace cpt
