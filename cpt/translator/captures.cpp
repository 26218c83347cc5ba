// What an outlined function uses of the function around it, and what of that can come by value.
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

// Nobody writes it while the region runs, nor can, without its address; and no task that may
// outlive the body shares it. Others than the region's own threads are those of a construct around
// it, where the variable is shared, and tasks that are not waited for.
bool unit::constant_inside(const VarDecl* v, unsigned begin, unsigned end, const environment& e)
{
    const QualType type = v->getType().getCanonicalType();
    if (!v->hasLocalStorage() || !(type->isScalarType() || type->isAnyComplexType()) ||
        type.isVolatileQualified() || type->isAtomicType() ||
        declarations::variable_dimensions(type) != 0 || facts_.address_taken.contains(v)) {
        return false;
    }
    for (auto [w, last] = facts_.writes.equal_range(v); w != last; ++w) {
        if (w->second >= begin && w->second < end) {
            return false;
        }
        for (auto d = facts_.directives.begin();
             d != facts_.directives.end() && d->first <= w->second; ++d) {
            const unsigned d_end = source_.end_of(d->second);
            if (w->second < d_end && (isOpenMPTaskingDirective(d->second->getDirectiveKind()) ||
                                      (e.names.contains(v) && d->first < begin && d_end >= end))) {
                return false;
            }
        }
    }
    for (auto d = facts_.directives.lower_bound(begin);
         d != facts_.directives.end() && d->first < end; ++d) {
        if (isOpenMPTaskingDirective(d->second->getDirectiveKind())) {
            const unsigned task_end = source_.end_of(d->second);
            for (auto n = facts_.names.lower_bound(d->first);
                 n != facts_.names.end() && n->first < task_end; ++n) {
                if (n->second == v) {
                    return false;
                }
            }
        }
    }
    return true;
}

}  // namespace cpt
