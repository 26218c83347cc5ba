#include "unit.hpp"

#include "words.hpp"

#include "cp_prelude.hpp"

namespace cpt {

using namespace clang;

unit::unit(ASTContext& context) : context_(context), source_(context), declarations_(context)
{
    declarations_.tag = [this](const TagDecl* d) { return tag_name(d); };
}

void unit::refuse(SourceLocation at, const std::string& why)
{
    DiagnosticsEngine& to = context_.getDiagnostics();
    const unsigned id = to.getCustomDiagID(DiagnosticsEngine::Error, "cpt: %0");
    to.Report(at, id) << why;
    failed_ = true;
    throw refused{};
}

void unit::refuse(const directive& d, const std::string& why)
{
    refuse(d.getBeginLoc(), why);
}

// Types without a name that can be written get one where they are defined.
std::string unit::tag_name(const TagDecl* d)
{
    d = d->getCanonicalDecl();
    const std::string keyword = d->getKindName().str() + " ";
    if (const auto found = tags_.find(d); found != tags_.end()) {
        return keyword + found->second;
    }
    if (d->getIdentifier() != nullptr) {
        return keyword + d->getName().str();
    }
    if (d->getTypedefNameForAnonDecl() != nullptr) {
        return d->getTypedefNameForAnonDecl()->getName().str();
    }
    const TagDecl* const definition = d->getDefinition() ? d->getDefinition() : d;
    if (definition->getBraceRange().isInvalid()) {
        return keyword + "__cp_unknown";  // of the compiler's own: nobody can write it
    }
    const std::string name = fresh("tag_");
    tags_[d] = name;
    const unsigned brace = source_.begin_of(definition->getBraceRange().getBegin());
    edits_[brace] = {brace, " " + name + " "};
    return keyword + name;
}

std::string unit::text(unsigned begin, unsigned end, const environment& e)
{
    std::string out;
    unsigned at = begin;
    const auto next_of = [&](const auto& map) {
        const auto found = map.lower_bound(at);
        return found == map.end() || found->first >= end ? end : found->first;
    };
    while (at < end) {
        const unsigned d = next_of(facts_.directives), n = next_of(facts_.names),
                       t = next_of(facts_.edits);
        const unsigned next = std::min({d, n, t});
        out += source_.between(at, next);
        at = next;
        if (at == end) {
            break;
        }
        if (next == d) {
            const directive& found = *facts_.directives.at(d);
            pragmas_done_.insert(source_.begin_of_line(d));
            out += source_.marker(d, true) + directive_text(found, e);
            at = std::max(source_.end_of(&found), d + 1);
            out += source_.marker(at);
        } else if (next == t) {
            const edit& change = facts_.edits.at(t);
            out += change.text;
            if (change.end == at) {  // an insertion: what stands there is still to come
                out += source_.between(at, at + 1);
                ++at;
            } else {
                at = change.end;
            }
        } else {
            const VarDecl* const v = facts_.names.at(n);
            const auto written_here = e.assigned.find(v);
            bool assigned = false;
            if (written_here != e.assigned.end()) {
                for (auto [w, we] = facts_.writes.equal_range(v); w != we; ++w) {
                    assigned = assigned || w->second == n;
                }
            }
            out += assigned ? written_here->second : e.of(v);
            at += unsigned(v->getName().size());
        }
    }
    return out;
}

std::string unit::text(const Expr* e, const environment& env)
{
    e = written(e);
    return "(" + text(source_.begin_of(e->getBeginLoc()), source_.end_of(e->getEndLoc()), env) +
           ")";
}

std::string unit::body(const Stmt* s, const environment& e)
{
    const unsigned begin = source_.begin_of(s->getBeginLoc()), end = source_.end_of(s);
    return source_.marker(begin) + text(begin, end, e) + source_.marker(end - 1, true);
}

const Stmt* unit::statement(const directive& d)
{
    const Stmt* s = d.getAssociatedStmt();
    while (const auto* c = dyn_cast_or_null<CapturedStmt>(s)) {
        s = c->getCapturedStmt();
    }
    return s;
}

// Does the text name variables of a block? In front of the function they are not there.
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

// What a hoisted type computes from variables of its block (sizeof) is written as its value.
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

// With the packing that `#pragma pack` asks for where the type stands.
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

// Types of a block are moved in front of the function, under names of their own, because outlined
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
    for (const auto& [end, m] : all) {  // behind the renaming, which lies inside of what it changes
        evaluate_in_place(m.tag);
    }
    // A declaration of the name alone would declare another type, too.
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
        // Where nothing is declared of it, its name alone would declare another type.
        const bool alone = source_.all()[source_.skip_space(m.end)] == ';' &&
                           !m.tag->getLexicalDeclContext()->isRecord();
        facts_.edits[m.begin] = {m.end, alone ? "" : m.keyword + " " + m.name};
    }
    typedefs_up_to(unsigned(source_.all().size()));
    before_ = hoisted + before_;
}

namespace {

// Pragmas that say nothing to a translation for the host, or that were dealt with through the
// declarations they make.
// What says for which processor a function is compiled, and what is not to be done to its code.
std::string for_blocks(const FunctionDecl* f)
{
    std::string out;
    if (const auto* target = f->getAttr<TargetAttr>()) {
        out += " __attribute__((target(\"" + target->getFeaturesStr().str() + "\")))";
    }
    for (const auto* off : f->specific_attrs<NoSanitizeAttr>()) {
        for (const StringRef what : off->sanitizers()) {
            out += " __attribute__((no_sanitize(\"" + what.str() + "\")))";
        }
    }
    return out + (f->hasAttr<NoInstrumentFunctionAttr>()
                      ? " __attribute__((no_instrument_function))"
                      : "");
}

bool harmless(std::string_view pragma)
{
    for (const std::string_view words :
         {"declare simd", "declare target", "begin declare target", "end declare target",
          "declare reduction", "threadprivate", "requires", "assumes", "begin assumes",
          "end assumes", "assume", "nothing", "section", "scan", "end declare variant"}) {
        if (pragma.substr(0, words.size()) == words) {
            return true;
        }
    }
    return false;
}

}  // namespace

void unit::for_each_pragma(unsigned begin, unsigned end,
                           const std::function<void(unsigned, unsigned, std::string_view)>& f) const
{
    for (std::size_t at = source_.all().find("#pragma omp", begin); at < end;
         at = source_.all().find("#pragma omp", at + 1)) {
        // Preprocessed text has directives on lines of their own; elsewhere the words are a
        // string's.
        const unsigned line = source_.begin_of_line(unsigned(at));
        if (source_.between(line, unsigned(at)).find_first_not_of(" \t") !=
            std::string_view::npos) {
            continue;
        }
        const unsigned line_end = source_.end_of_line(unsigned(at));
        std::string_view words = source_.between(unsigned(at) + 11, line_end);
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        f(unsigned(at), line_end, words);
    }
}

void unit::function(FunctionDecl* f)
{
    facts_ = collect(f, source_);
    before_.clear();
    after_.clear();
    attributes_ = for_blocks(f);
    hoisted_.clear();
    for (const auto& [at, v] : facts_.names) {
        const auto found = private_names_.find(v->getCanonicalDecl());
        if (found != private_names_.end()) {
            hoisted_[v] = found->second;
        }
    }
    if (facts_.directives.empty() && facts_.thread_private.empty()) {
        for (const auto& [at, v] : facts_.names) {
            if (const auto found = hoisted_.find(v); found != hoisted_.end()) {
                edits_[at] = {at + unsigned(v->getName().size()), found->second};
            }
        }
        return;
    }
    function_ = f;
    for (const auto& [at, d] : facts_.directives) {
        for (const auto* c : d->getClausesOfKind<OMPAllocateClause>()) {
            for (const Expr* item : c->varlists()) {
                if (const auto* name = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts())) {
                    allocated_.insert(cast<VarDecl>(name->getDecl()));
                }
            }
        }
    }
    // Variables that were declared "register" have no address; those of regions need one.
    for (const auto& [at, v] : facts_.names) {
        if (v->getStorageClass() == SC_Register && v->hasLocalStorage() &&
            !v->hasAttr<AsmLabelAttr>()) {
            const unsigned end = source_.begin_of(v->getLocation());
            const std::size_t word = last_word(source_.all().substr(0, end), "register");
            if (word != std::string_view::npos) {
                facts_.edits[unsigned(word)] = {unsigned(word) + 8, ""};
            }
        }
    }
    for (const auto& [at, change] : edits_) {
        facts_.edits.insert({at, change});
    }
    const unsigned begin = source_.begin_of(f->getBody()->getBeginLoc());
    const unsigned end = source_.end_of(f->getBody()->getEndLoc());
    for_each_pragma(begin, end, [&](unsigned at, unsigned line_end, std::string_view words) {
        if (!facts_.directives.contains(at) && harmless(words)) {
            facts_.edits[at] = {line_end, ""};
            pragmas_done_.insert(source_.begin_of_line(at));
        }
    });
    try {
        hoist_types();
    } catch (const refused&) {
        return;
    }
    for (const OMPThreadPrivateDecl* d : facts_.thread_private) {
        thread_private_of_block(d);
    }
    std::string translated;
    try {
        environment outermost;
        outermost.names = hoisted_;
        translated = text(begin, end, outermost);
    } catch (const refused&) {
        return;
    }
    // In front of the function, attributes and all.
    unsigned front = source_.begin_of(f->getBeginLoc());
    while (front > 0) {
        const char c = source_.all()[front - 1];
        if (c == ';' || c == '}') {
            break;
        }
        if (c == '\n') {
            const unsigned line = source_.begin_of_line(front - 1);
            if (source_.all()[line] == '#') {
                break;
            }
        }
        --front;
    }
    edits_[front] = {front, source_.marker(front, true) + before_ + source_.marker(front)};
    edits_[begin] = {end, translated + "\n" + after_ + source_.marker(end)};
}

std::string unit::translate()
{
    std::vector<FunctionDecl*> functions;
    for (Decl* d : context_.getTranslationUnitDecl()->decls()) {
        try {
            if (auto* f = dyn_cast<FunctionDecl>(d)) {
                if (f->doesThisDeclarationHaveABody()) {
                    functions.push_back(f);
                }
            } else if (const auto* t = dyn_cast<OMPThreadPrivateDecl>(d)) {
                thread_private(t);
            }
        } catch (const refused&) {
        }
    }
    for (FunctionDecl* f : functions) {
        try {
            function(f);
        } catch (const refused&) {
        }
    }
    // What is left of pragmas.
    for_each_pragma(
        0, unsigned(source_.all().size()), [&](unsigned at, unsigned end, std::string_view words) {
            if (pragmas_done_.contains(source_.begin_of_line(at))) {
                return;
            }
            if (harmless(words)) {
                edits_[at] = {end, ""};
            } else if (!failed_) {
                try {
                    refuse(source_.location(at),
                           "'omp " + std::string(words.substr(0, words.find_first_of("(,"))) +
                               "' is not supported here");
                } catch (const refused&) {
                }
            }
        });
    if (failed_) {
        return {};
    }
    std::string out = prelude;
    out += source_.marker(0);
    unsigned at = 0;
    for (const auto& [begin, change] : edits_) {
        if (begin < at) {
            continue;  // inside of a function that was written as a whole
        }
        out += source_.between(at, begin);
        out += change.text;
        at = change.end;
    }
    out += source_.between(at, unsigned(source_.all().size()));
    return out;
}

}  // namespace cpt
