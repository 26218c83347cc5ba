// Translates a directive: the construct, or the constructs that it combines, from the outside in.
#include "unit.hpp"

#include <llvm/Frontend/OpenMP/OMP.h>
#include <llvm/Support/raw_ostream.h>

namespace cpt {

using namespace clang;
using namespace llvm::omp;

bool unit::has(const directive& d, kind leaf)
{
    const kind all = d.getDirectiveKind();
    const auto parts = getLeafConstructsOrSelf(all);
    return std::find(parts.begin(), parts.end(), leaf) != parts.end();
}

std::string unit::directive_text(const directive& d, const environment& e)
{
    const kind all = d.getDirectiveKind();
    const auto parts = getLeafConstructsOrSelf(all);
    return leaves(d, kinds(parts.data(), parts.size()), e);
}

// The condition of an if clause that applies to `leaf`; empty without one.
std::string unit::condition(const directive& d, kind leaf, const environment& e)
{
    for (const auto* c : d.getClausesOfKind<OMPIfClause>()) {
        if (c->getNameModifier() == leaf || c->getNameModifier() == OMPD_unknown) {
            return text(c->getCondition(), e);
        }
    }
    return {};
}

// The error directive: its message appears at compilation (an error comes from Clang), or when the
// program reaches it.
std::string unit::error(const directive& d, const environment& e)
{
    const auto* const message = d.getSingleClause<OMPMessageClause>();
    const auto* const severity = d.getSingleClause<OMPSeverityClause>();
    const bool ends = severity == nullptr || severity->getSeverityKind() == OMPC_SEVERITY_fatal;
    std::string place = source_.place(source_.begin_of(d.getBeginLoc()));
    const auto* const at = d.getSingleClause<OMPAtClause>();
    if (at != nullptr && at->getAtKind() == OMPC_AT_execution) {
        return "{\nextern int dprintf(int, const char*, ...);\n(void)dprintf(2, \"%s: %s: %s\\n\", " +
               place + ", " + (ends ? "\"error\"" : "\"warning\"") + ", " +
               (message != nullptr ? text(message->getMessageString(), e) : "\"'omp error'\"") +
               ");\n" + (ends ? "__builtin_exit(1);\n" : "") + "}\n";
    }
    std::string words;
    if (message != nullptr) {
        if (const auto* literal = dyn_cast<StringLiteral>(
                message->getMessageString()->IgnoreParenImpCasts())) {
            words = literal->getString().str();
        }
    }
    llvm::errs() << place.substr(1, place.size() - 2)
                 << ": warning: " << (words.empty() ? "'omp error'" : words) << "\n";
    return ";\n";
}

std::string unit::leaves(const directive& d, kinds rest, const environment& e)
{
    switch (rest.front()) {
    case OMPD_parallel: return parallel(d, rest.drop_front(), e);
    case OMPD_teams: return teams(d, rest.drop_front(), e);
    case OMPD_target: return target(d, rest.drop_front(), e);
    case OMPD_target_data:
    case OMPD_target_enter_data:
    case OMPD_target_exit_data:
    case OMPD_target_update: return target_memory(d, e);
    case OMPD_for:
    case OMPD_distribute:
    case OMPD_simd:
    case OMPD_loop: return loop(d, rest, e);
    case OMPD_tile: return tile(d, e);
    case OMPD_unroll: return body(statement(d), e);  // the compiler decides about unrolling
    case OMPD_sections:
        return sections(d, e, rest.size() != getLeafConstructsOrSelf(d.getDirectiveKind()).size());
    case OMPD_section: return body(statement(d), e);
    case OMPD_single: return single(d, e);
    case OMPD_master:
    case OMPD_masked: return master(d, rest.drop_front(), e);
    case OMPD_scope: return scope(d, e);
    case OMPD_critical: return critical(d, e);
    case OMPD_ordered: return ordered(d, e);
    case OMPD_atomic: return atomic(d, e);
    case OMPD_task: return task(d, e);
    case OMPD_taskloop: return taskloop(d, rest.drop_front(), e);
    case OMPD_taskgroup: return taskgroup(d, e);
    case OMPD_taskwait: return taskwait(d, e);
    case OMPD_taskyield: return "__cp_taskyield();\n";
    case OMPD_barrier: return barrier_text(e);
    case OMPD_flush: return "__cp_flush();\n";
    case OMPD_cancel:
    case OMPD_cancellation_point: return cancel(d, e);
    case OMPD_depobj: return depobj(d, e);
    case OMPD_dispatch: return dispatch(d, e);
    case OMPD_scan: return e.around != nullptr ? "{\n" + e.around->scan + "}\n" : ";\n";
    case OMPD_error: return error(d, e);
    default: break;
    }
    refuse(d, "'omp " + getOpenMPDirectiveName(d.getDirectiveKind()).str() + "' is not supported");
}

}  // namespace cpt
