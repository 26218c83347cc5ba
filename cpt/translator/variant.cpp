// declare variant and dispatch: Clang determines which function a call means, and the call gets
// that function's name. Functions between "begin declare variant" and its end have the name of
// another function in the text, and get a name of their own; those for other contexts are left out.
#include "unit.hpp"
#include "words.hpp"

namespace cpt {

using namespace clang;

std::string called(const FunctionDecl* f, const source_text& source)
{
    const std::string name = f->getName().str();
    const std::size_t mangled = name.find("$ompvariant");
    return mangled == name.npos
               ? name
               : "__cp_variant_" + name.substr(0, mangled) + "_" +
                     std::to_string(source.begin_of(f->getCanonicalDecl()->getLocation()));
}

void unit::name_variants()
{
    std::vector<unsigned> places;
    for (Decl* d : context_.getTranslationUnitDecl()->decls()) {
        if (d->isImplicit() || d->getLocation().isInvalid()) {
            continue;
        }
        const unsigned at = source_.begin_of(d->getLocation());
        places.push_back(at);
        const auto* const f = dyn_cast<FunctionDecl>(d);
        const std::size_t mangled = f != nullptr && f->getIdentifier() != nullptr
                                        ? f->getName().find("$ompvariant")
                                        : StringRef::npos;
        if (mangled != StringRef::npos) {
            // Clang gives the place where the declaration begins, but not that of the name.
            const std::string_view name(f->getName().data(), mangled);
            std::size_t word = source_.all().find(name, source_.begin_of(f->getBeginLoc()));
            // A type before it may have a tag of the same name.
            const auto is_tag = [&](std::size_t place) {
                std::string_view before = source_.all().substr(0, place);
                before.remove_suffix(before.size() - 1 - before.find_last_not_of(" \t\n"));
                return before.ends_with("struct") || before.ends_with("union") ||
                       before.ends_with("enum");
            };
            while (word != std::string_view::npos &&
                   (word_character(source_.all()[word - 1]) ||
                    word_character(source_.all()[word + name.size()]) || is_tag(word))) {
                word = source_.all().find(name, word + 1);
            }
            if (word != std::string_view::npos) {
                edits_[unsigned(word)] = {unsigned(word + name.size()), called(f, source_)};
            }
        }
    }
    std::sort(places.begin(), places.end());
    // Clang has skipped the blocks without declarations.
    std::vector<unsigned> open;
    for_each_pragma(
        0, unsigned(source_.all().size()), [&](unsigned at, unsigned, std::string_view words) {
            if (words.starts_with("begin declare variant")) {
                open.push_back(at);
            } else if (words.starts_with("end declare variant") && !open.empty()) {
                const unsigned begin = open.back();
                open.pop_back();
                const auto first = std::lower_bound(places.begin(), places.end(), begin);
                if (first == places.end() || *first > at) {
                    skipped_[begin] = at;
                }
            }
        });
    for (const auto& [begin, end] : skipped_) {
        edits_[begin] = {end, ""};
    }
}

bool unit::was_skipped(unsigned at) const
{
    const auto behind = skipped_.upper_bound(at);
    return behind != skipped_.begin() && std::prev(behind)->second > at;
}

// Clang 19 does not take the dispatch construct into account when it chooses the variant of a call.
void unit::name_dispatched(const Stmt* s)
{
    const Expr* x = cast<Expr>(s)->IgnoreParenImpCasts();
    if (const auto* assignment = dyn_cast<BinaryOperator>(x)) {
        x = assignment->getRHS()->IgnoreParenImpCasts();
    }
    if (const auto* meant = dyn_cast<PseudoObjectExpr>(x)) {
        x = meant->getSyntacticForm()->IgnoreParenImpCasts();
    }
    const auto* const call = dyn_cast<CallExpr>(x);
    const auto* const name = call == nullptr
                                 ? nullptr
                                 : dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    const FunctionDecl* const base = call == nullptr ? nullptr : call->getDirectCallee();
    if (name == nullptr || base == nullptr) {
        return;
    }
    for (auto* a : base->specific_attrs<OMPDeclareVariantAttr>()) {
        const OMPTraitInfo& traits = a->getTraitInfo();
        const auto* const variant = dyn_cast<DeclRefExpr>(
            a->getVariantFuncRef()->IgnoreParenImpCasts());
        bool for_dispatch = false;
        std::size_t selectors = 0;
        for (const OMPTraitSet& set : traits.Sets) {
            for (const OMPTraitSelector& selector : set.Selectors) {
                ++selectors;
                for_dispatch = for_dispatch ||
                               selector.Kind == llvm::omp::TraitSelector::construct_dispatch;
            }
        }
        if (for_dispatch && selectors != 1) {
            refuse(s->getBeginLoc(),
                   "a variant for dispatch that is for other contexts, too, is "
                   "not supported");
        }
        const bool fits = for_dispatch;
        const auto* const f = fits && variant != nullptr
                                  ? dyn_cast<FunctionDecl>(variant->getDecl())
                                  : nullptr;
        if (f != nullptr) {
            const unsigned at = source_.begin_of(name->getLocation());
            facts_.edits[at] = {source_.end_of(name->getLocation()), called(f, source_)};
            facts_.variants.insert(at);
            return;
        }
    }
}

// The call of a variant or, if a clause demands it, of the base function.
std::string unit::dispatch(const directive& d, const environment& e)
{
    std::string list, number, base;
    const std::string depend = depend_list(d, e, list, number);
    for (const auto* c : d.getClausesOfKind<OMPNovariantsClause>()) {
        base += (base.empty() ? "" : " || ") + text(c->getCondition(), e);
    }
    for (const auto* c : d.getClausesOfKind<OMPNocontextClause>()) {
        base += (base.empty() ? "" : " || ") + text(c->getCondition(), e);
    }
    std::string out = "{\n" + (depend.empty() ? depend
                                              : depend + "__cp_taskwait_depend(" + list + ", " +
                                                    number + ");\n");
    const Stmt* const s = statement(d);
    name_dispatched(s);
    const std::string call = body(s, e) + ";\n";
    if (!base.empty()) {
        const auto kept = facts_.edits;
        for (auto at = facts_.variants.lower_bound(source_.begin_of(s->getBeginLoc()));
             at != facts_.variants.end() && *at < source_.end_of(s); ++at) {
            facts_.edits.erase(*at);
        }
        out += "if (" + base + ") {\n" + body(s, e) + ";\n} else ";
        facts_.edits = kept;
    }
    return out + "{\n" + call + "}\n}\n";
}

}  // namespace cpt
