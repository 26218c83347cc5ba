// Which variables of the function around it an outlined function uses, and which of them can be
// passed by value.
#include "unit.hpp"

namespace cpt {

using namespace clang;

std::vector<const VarDecl*> unit::captured(unsigned begin, unsigned end, const environment& e,
                                           const std::set<const VarDecl*>& wanted)
{
    std::vector<const VarDecl*> found;
    std::set<const VarDecl*> seen;
    for (auto at = facts_.names.lower_bound(begin); at != facts_.names.end() && at->first < end;
         ++at) {
        const VarDecl* const v = at->second;
        const bool of_file = v->isFileVarDecl() || v->hasExternalStorage();
        if (hoisted_.contains(v)) {
            continue;
        }
        if ((of_file && !e.copied.contains(v) && !e.names.contains(v) && !wanted.contains(v)) ||
            !seen.insert(v).second) {
            continue;
        }
        if (of_file) {
            found.push_back(v);
            continue;
        }
        const unsigned declared = source_.begin_of(v->getLocation());
        if (declared < begin || declared >= end) {
            found.push_back(v);
        }
    }
    return found;
}

namespace {

// Whether the list has an offset of the variable between two places.
bool any_between(const std::map<const VarDecl*, std::set<unsigned>>& list, const VarDecl* v,
                 unsigned begin, unsigned end)
{
    const auto found = list.find(v);
    if (found == list.end()) {
        return false;
    }
    const auto first = found->second.lower_bound(begin);
    return first != found->second.end() && *first < end;
}

}  // namespace

// Whether the variable is constant while the region runs: no code there writes it, none can write
// it through a pointer, and no task that may outlive the body shares it. Besides the region's own
// threads, those of a construct around it that shares the variable could write it, and tasks that
// are not waited for.
bool unit::constant_inside(const VarDecl* v, unsigned begin, unsigned end, const environment& e)
{
    const QualType type = v->getType().getCanonicalType();
    if (!v->hasLocalStorage() || !(type->isScalarType() || type->isAnyComplexType()) ||
        type.isVolatileQualified() || type->isAtomicType() ||
        declarations::variable_dimensions(type) != 0 || facts_.address_taken.contains(v) ||
        facts_.written_by_tasks.contains(v) || any_between(facts_.tasks_with, v, begin, end)) {
        return false;
    }
    if (e.names.contains(v)) {
        for (const auto* p = facts_.around.innermost(begin); p != nullptr; p = p->around) {
            if (p->around == nullptr && p->begin < begin) {
                begin = p->begin;
                end = p->end;
            }
        }
    }
    return !any_between(facts_.writes, v, begin, end);
}

}  // namespace cpt
