// What the files of the constructs share: text with replacements of names, bodies of directives,
// refusals; and the pass over functions, which puts the translated unit together.
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
            if (change.end == at) {  // an insertion: the text at this place follows
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
                const auto writes = facts_.writes.find(v);
                assigned = writes != facts_.writes.end() && writes->second.contains(n);
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
    return "(" +
           without_markers(
               text(source_.begin_of(e->getBeginLoc()), source_.end_of(e->getEndLoc()), env)) +
           ")";
}

std::string unit::body(const Stmt* s, const environment& e)
{
    const unsigned begin = source_.begin_of(s->getBeginLoc()), end = source_.end_of(s);
    // The generated text that follows is attributed to the directive's line.
    const auto behind = facts_.directives.upper_bound(begin);
    const unsigned line = behind == facts_.directives.begin() ? end - 1 : std::prev(behind)->first;
    return source_.marker(begin) + text(begin, end, e) + source_.marker(line, true);
}

const Stmt* unit::statement(const directive& d)
{
    const Stmt* s = d.getAssociatedStmt();
    while (const auto* c = dyn_cast_or_null<CapturedStmt>(s)) {
        s = c->getCapturedStmt();
    }
    return s;
}

namespace {

// The attributes that functions made of its blocks inherit: the processor to compile for, and what
// must not be done to the code.
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

}  // namespace

void unit::function(FunctionDecl* f)
{
    facts_ = collect(f, source_);
    before_.clear();
    after_.clear();
    attributes_ = for_blocks(f);
    hoisted_.clear();
    moved_out_.clear();
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
        for (const unsigned at : facts_.variants) {
            edits_[at] = facts_.edits.at(at);
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
    // Variables declared "register" have no address, which those used in regions need.
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
    const unsigned begin = source_.begin_of(f->getBody()->getBeginLoc());
    const unsigned end = source_.end_of(f->getBody()->getEndLoc());
    facts_.edits.insert(edits_.lower_bound(begin), edits_.lower_bound(end));
    note_pragmas(begin, end);
    try {
        hoist_types();
        for (const OMPThreadPrivateDecl* d : facts_.thread_private) {
            thread_private_of_block(d);
        }
        move_out_what_statics_name();
    } catch (const refused&) {
        return;
    }
    std::string translated;
    try {
        environment outermost;
        outermost.names = hoisted_;
        translated = text(begin, end, outermost);
    } catch (const refused&) {
        return;
    }
    const unsigned front = source_.front_of(source_.begin_of(f->getBeginLoc()));
    edits_[front] = {front,
                     source_.marker(front, true) + laid_out(before_, true) + source_.marker(front)};
    edits_[begin] = {end, laid_out(translated + "\n" + after_ + source_.marker(end), false)};
}

std::string unit::translate()
{
    name_variants();
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
    settle_pragmas();
    if (failed_) {
        return {};
    }
    // The first line names the file for debuggers.
    std::string out;
    if (source_.all().substr(0, 2) == "# ") {
        out = source_.between(0, source_.end_of_line(0) + 1);
    }
    out += prelude;
    out += source_.marker(0);
    unsigned at = 0;
    for (const auto& [begin, change] : edits_) {
        if (begin < at) {
            continue;  // inside of a function that was replaced as a whole
        }
        out += source_.between(at, begin);
        out += change.text;
        at = change.end;
    }
    out += source_.between(at, unsigned(source_.all().size()));
    return out;
}

}  // namespace cpt
