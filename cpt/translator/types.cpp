// Types that a function defines in its blocks: they move to file scope, where outlined functions
// can use them, and get names if they have none.
#include "local_names.hpp"
#include "unit.hpp"

namespace cpt {

using namespace clang;

// The name of a type. One without a name that can be written gets one at its definition.
std::string unit::tag_name(const TagDecl* d)
{
    d = d->getCanonicalDecl();
    const std::string keyword = d->getKindName().str() + " ";
    if (const auto found = tags_.find(d); found != tags_.end()) {
        return keyword + found->second;
    }
    if (d->getIdentifier() != nullptr) {
        if (d->getName() == "__va_list_tag" && d->getLocation().isInvalid()) {
            return "__typeof__((*(__builtin_va_list*)0)[0])";  // the type has no name that can be
                                                               // written
        }
        return keyword + d->getName().str();
    }
    if (const auto* t = d->getTypedefNameForAnonDecl();
        t != nullptr && !local_names(context_).contains(t->getName().str())) {
        return t->getName().str();
    }
    const TagDecl* const definition = d->getDefinition() ? d->getDefinition() : d;
    if (definition->getBraceRange().isInvalid()) {
        return keyword + "__cp_unknown";  // a type of the compiler's own, which programs cannot
                                          // name
    }
    const std::string name = fresh("tag_");
    tags_[d] = name;
    const unsigned brace = source_.begin_of(definition->getBraceRange().getBegin());
    edits_[brace] = {brace, " " + name + " "};
    return keyword + name;
}

// Whether the text names variables of a block, which do not exist before the function.
bool unit::names_local(unsigned begin, unsigned end) const
{
    for (auto at = facts_.names.lower_bound(begin); at != facts_.names.end() && at->first < end;
         ++at) {
        if (!at->second->isFileVarDecl()) {
            return true;
        }
    }
    return false;
}

// Replaces what a hoisted type computes from variables of its block (sizeof) by the value.
void unit::evaluate_in_place(const TagDecl* d)
{
    const auto replace = [&](const Expr* e, const llvm::APInt& value, bool is_signed) {
        const unsigned begin = source_.begin_of(e->getBeginLoc());
        const unsigned end = source_.end_of(e->getEndLoc());
        if (names_local(begin, end)) {
            llvm::SmallString<20> digits;
            value.toString(digits, 10, is_signed);
            facts_.edits[begin] = {end, "(" + digits.str().str() + ")"};
            for (auto at = facts_.names.lower_bound(begin);
                 at != facts_.names.end() && at->first < end;) {
                at = facts_.names.erase(at);
            }
        }
    };
    if (const auto* e = dyn_cast<EnumDecl>(d)) {
        for (const EnumConstantDecl* c : e->enumerators()) {
            if (c->getInitExpr() != nullptr) {
                replace(written(c->getInitExpr()), c->getInitVal(), c->getInitVal().isSigned());
            }
        }
        return;
    }
    for (const FieldDecl* f : cast<RecordDecl>(d)->fields()) {
        if (f->isBitField()) {
            replace(written(f->getBitWidth()), llvm::APInt(32, f->getBitWidthValue(context_)),
                    false);
        }
        if (f->getTypeSourceInfo() == nullptr) {
            continue;
        }
        for (TypeLoc l = f->getTypeSourceInfo()->getTypeLoc(); !l.isNull();
             l = l.getNextTypeLoc()) {
            const auto array = l.getAs<ConstantArrayTypeLoc>();
            if (array && l.getTypeLocClass() == TypeLoc::ConstantArray &&
                array.getSizeExpr() != nullptr) {
                replace(written(array.getSizeExpr()), array.getTypePtr()->getSize(), false);
            }
        }
    }
}

// The definition with the packing that `#pragma pack` sets at the type's place.
std::string unit::packed(const TagDecl* d, const std::string& definition) const
{
    if (source_.all().find("#pragma pack") == std::string_view::npos || !isa<RecordDecl>(d)) {
        return definition;
    }
    const auto* const limit = d->getAttr<MaxFieldAlignmentAttr>();
    return "\n#pragma pack(push)\n#pragma pack(" +
           (limit == nullptr ? std::string() : std::to_string(limit->getAlignment() / 8)) + ")\n" +
           definition + "\n#pragma pack(pop)\n";
}

// Moves the types of blocks before the function, under names of their own, because outlined
// functions need them, too.
void unit::hoist_types()
{
    struct moved {
        unsigned begin, end;
        std::string keyword, name;
        const TagDecl* tag;
    };
    std::map<unsigned, moved> all;  // by the end: inner ones come first
    std::string hoisted;
    const auto rename = [&](const Decl* d, const std::string& from, const std::string& to) {
        for (auto [at, last] = facts_.type_names.equal_range(d->getCanonicalDecl()); at != last;
             ++at) {
            if (source_.between(at->second, at->second + unsigned(from.size())) == from) {
                facts_.edits[at->second] = {at->second + unsigned(from.size()), to};
            }
        }
    };
    for (const TagDecl* d : facts_.tags) {
        if (const auto* r = dyn_cast<RecordDecl>(d)) {
            // Its members are those of the record around it.
            bool variable = r->isAnonymousStructOrUnion();
            for (const FieldDecl* f : r->fields()) {
                variable = variable || f->getType()->isVariablyModifiedType();
            }
            if (variable) {
                continue;
            }
        }
        const std::string old = d->getName().str();
        const std::string name = fresh(old.empty() ? "tag_" : old + "_");
        tags_[d->getCanonicalDecl()] = name;
        unsigned begin = source_.begin_of(d->getInnerLocStart());
        unsigned end = source_.end_of(d->getBraceRange().getEnd());
        for (unsigned next = source_.skip_space(end);
             source_.between(next, next + 13) == "__attribute__"; next = source_.skip_space(end)) {
            unsigned depth = 0;
            end = unsigned(source_.all().find('(', next));
            do {
                depth += source_.all()[end] == '(' ? 1 : source_.all()[end] == ')' ? -1 : 0;
                ++end;
            } while (depth != 0);
        }
        all[end] = {begin, end, d->getKindName().str(), name, d};
        if (!old.empty()) {
            rename(d, old, name);
        } else {
            const unsigned brace = source_.begin_of(d->getBraceRange().getBegin());
            facts_.edits[brace] = {brace, " " + name + " "};
        }
        if (const auto* e = dyn_cast<EnumDecl>(d)) {
            for (const EnumConstantDecl* c : e->enumerators()) {
                const std::string from = c->getName().str(), to = fresh(from + "_");
                const unsigned at = source_.begin_of(c->getLocation());
                facts_.edits[at] = {at + unsigned(from.size()), to};
                for (auto [u, last] = facts_.enumerators.equal_range(c); u != last; ++u) {
                    facts_.edits[u->second] = {u->second + unsigned(from.size()), to};
                }
            }
        }
    }
    std::map<unsigned, const DeclStmt*> typedefs;
    std::map<const TypedefDecl*, std::string> typedef_names;
    for (const DeclStmt* s : facts_.typedefs) {
        bool variable = false;
        for (const Decl* d : s->decls()) {
            const auto* t = dyn_cast<TypedefDecl>(d);
            variable = variable || (t && t->getUnderlyingType()->isVariablyModifiedType());
        }
        if (variable) {
            continue;
        }
        for (const Decl* d : s->decls()) {
            if (const auto* t = dyn_cast<TypedefDecl>(d)) {
                const std::string from = t->getName().str(), to = fresh(from + "_");
                rename(t, from, to);
                typedef_names[t] = to;
                const unsigned at = source_.begin_of(t->getLocation());
                facts_.edits[at] = {at + unsigned(from.size()), to};
            }
        }
        typedefs[source_.end_of(s)] = s;
    }
    for (const auto& [end, m] : all) {  // after the renaming, whose edits lie inside of those made
                                        // here
        evaluate_in_place(m.tag);
    }
    // A declaration of the tag alone would declare another type.
    for (const DeclStmt* s : facts_.forward) {
        if (tags_.contains(cast<TagDecl>(s->getSingleDecl())->getCanonicalDecl())) {
            facts_.edits[source_.begin_of(s->getBeginLoc())] = {source_.end_of(s), ";"};
        }
    }
    const environment none;
    auto t = typedefs.begin();
    const auto typedefs_up_to = [&](unsigned end) {
        for (; t != typedefs.end() && t->first <= end; ++t) {
            const unsigned begin = source_.begin_of(t->second->getBeginLoc());
            if (!names_local(begin, t->first)) {
                hoisted += text(begin, t->first, none) + "\n";
            } else {  // __typeof__ of variables
                for (const Decl* d : t->second->decls()) {
                    if (const auto* n = dyn_cast<TypedefDecl>(d)) {
                        hoisted += "typedef " +
                                   declarations_.declare(n->getUnderlyingType(), typedef_names[n]) +
                                   ";\n";
                    }
                }
            }
            facts_.edits[begin] = {t->first, ";"};
        }
    };
    for (const auto& [end, m] : all) {
        typedefs_up_to(m.begin);
        if (names_local(m.begin, m.end)) {
            refuse(m.tag->getLocation(), "a type of a block that names variables of the block");
        }
        hoisted += packed(m.tag, text(m.begin, m.end, none) + ";\n");
        // If the definition declares no variable, nothing is left of it: the tag alone would
        // declare another type.
        const bool alone = source_.all()[source_.skip_space(m.end)] == ';' &&
                           !m.tag->getLexicalDeclContext()->isRecord();
        // The name of the declared variable may follow the brace directly, so there is a blank.
        facts_.edits[m.begin] = {m.end, alone ? "" : m.keyword + " " + m.name + " "};
    }
    typedefs_up_to(unsigned(source_.all().size()));
    before_ = hoisted + before_;
}

}  // namespace cpt
