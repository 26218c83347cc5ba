// critical, ordered, cancel and cancellation point.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

std::string unit::critical(const directive& d, const environment& e)
{
    const auto& c = cast<OMPCriticalDirective>(d);
    std::string name = c.getDirectiveName().getAsString();
    std::string lock = "(void**)0";
    if (!name.empty()) {
        // The word is shared by all units that name the section.
        name = "__cp_critical_name_" + name;
        before_ = "extern void* " + name + ";\n__attribute__((weak)) void* " + name + ";\n" +
                  before_;
        lock = "&" + name;
    }
    return "{\n__cp_critical_start(" + lock + ");\n" + body(statement(d), e) +
           "__cp_critical_end(" + lock + ");\n}\n";
}

// The wait or the post of a doacross loop for one clause of `ordered depend` or `ordered doacross`.
// The runtime has two levels: the loops that are collapsed and shared among threads, counted as
// one, and those inside of them, counted as one, which one thread executes in order.
template <class Clause>
std::string unit::doacross(const construct& loop, const Clause& clause, cross_iteration which,
                           const environment& e)
{
    const unsigned levels = loop.levels.size();
    const bool has_inner = levels > loop.collapsed;
    if (which == cross_iteration::listed && clause.varlist_size() != levels) {
        refuse(clause.getBeginLoc(), "this form of 'sink' is not supported");
    }
    const auto distance = [&](unsigned i) {
        const construct::level& level = loop.levels[i];
        const std::string value = which == cross_iteration::listed
                                      ? text(*(clause.varlist_begin() + i), e)
                                      : level.counter;
        return level.pointer ? "(" + value + " - " + level.begin + ")"
                             : "(long long)((unsigned long long)" + value +
                                   " - (unsigned long long)" + level.begin + ")";
    };
    const auto at = [&](unsigned i) {
        return "((unsigned long long)(" + distance(i) + " / " + loop.levels[i].step + "))";
    };
    const auto counted = [&](unsigned from, unsigned to) {
        std::string number = at(from);
        for (unsigned i = from + 1; i < to; ++i) {
            number = "((" + number + ") * " + loop.levels[i].count + " + " + at(i) + ")";
        }
        return number;
    };
    const std::string iteration = "unsigned long long const __cp_x[] = {";
    const std::string wait = std::string("__cp_doacross_wait(") + (has_inner ? "2" : "1") +
                             ", __cp_x);\n";
    if (which == cross_iteration::before) {
        // The previous iteration in the order of the whole nest, if there is one.
        const std::string inner = iterations_inside(loop);
        return "{ unsigned long long __cp_p = " + counted(0, levels) + ";\nif (__cp_p-- != 0) {\n" +
               iteration +
               (has_inner ? "__cp_p / (" + inner + "), __cp_p % (" + inner + ")" : "__cp_p") +
               "};\n" + wait + "} }\n";
    }
    const std::string own = iteration + counted(0, loop.collapsed) +
                            (has_inner ? ", " + counted(loop.collapsed, levels) : "") + "};";
    if (which == cross_iteration::own) {
        return "{ " + own + " __cp_doacross_post(__cp_x); }\n";
    }
    // There is no wait for iterations that do not exist, also between two that do.
    std::string exists;
    for (unsigned i = 0; i < levels; ++i) {
        exists += (i == 0 ? "" : " && ") + distance(i) + " % " + loop.levels[i].step + " == 0 && " +
                  at(i) + " < " + loop.levels[i].count;
    }
    return "{ " + own + "\nif (" + exists + ") " + wait + "}\n";
}

// How many iterations the loops of ordered(n) have inside of those that are shared among threads.
std::string unit::iterations_inside(const construct& loop)
{
    std::string product;
    for (unsigned i = loop.collapsed; i < loop.levels.size(); ++i) {
        product += (product.empty() ? "" : " * ") + loop.levels[i].count;
    }
    return product;
}

std::string unit::ordered(const directive& d, const environment& e)
{
    const construct* loop = e.around;
    while (loop != nullptr && loop->levels.empty()) {
        loop = loop->outer;
    }
    std::string crosses;
    for (const auto* c : d.getClausesOfKind<OMPDependClause>()) {
        if (loop == nullptr) {
            refuse(d, "'ordered depend' outside of its loop is not supported");
        }
        crosses += doacross(*loop, *c,
                            c->getDependencyKind() == OMPC_DEPEND_source ? cross_iteration::own
                                                                         : cross_iteration::listed,
                            e);
    }
    for (const auto* c : d.getClausesOfKind<OMPDoacrossClause>()) {
        if (loop == nullptr) {
            refuse(d, "'ordered doacross' outside of its loop is not supported");
        }
        const OpenMPDoacrossClauseModifier type = c->getDependenceType();
        crosses += doacross(*loop, *c,
                            type == OMPC_DOACROSS_sink                     ? cross_iteration::listed
                            : type == OMPC_DOACROSS_sink_omp_cur_iteration ? cross_iteration::before
                                                                           : cross_iteration::own,
                            e);
    }
    if (!crosses.empty()) {
        return crosses;
    }
    if (!d.getClausesOfKind<OMPSIMDClause>().empty() &&
        d.getClausesOfKind<OMPThreadsClause>().empty()) {
        return body(statement(d), e);
    }
    for (const construct* c = e.around; c != nullptr; c = c->outer) {
        if (c->what == OMPD_simd) {
            return body(statement(d), e);
        }
    }
    return "{\n__cp_ordered_start();\n" + body(statement(d), e) + "__cp_ordered_end();\n}\n";
}

std::string unit::cancel(const directive& d, const environment& e)
{
    kind region;
    const auto* c = dyn_cast<OMPCancelDirective>(&d);
    region = c != nullptr ? c->getCancelRegion()
                          : cast<OMPCancellationPointDirective>(d).getCancelRegion();
    const construct* target = e.around;
    while (target != nullptr && target->what != (region == OMPD_taskgroup ? OMPD_task : region)) {
        target = target->outer;
    }
    if (target == nullptr) {
        refuse(d, "'cancel' outside of the construct that it names is not supported");
    }
    for (const construct* left = e.around; left != target->outer; left = left->outer) {
        if (left->reduces_tasks) {
            refuse(d, "'cancel' that leaves a construct with reduction(task) is not supported");
        }
    }
    target->left = true;
    const std::string which = region == OMPD_parallel   ? "1"
                              : region == OMPD_for      ? "2"
                              : region == OMPD_sections ? "4"
                                                        : "8";
    if (c == nullptr) {
        return "if (__cp_cancellation_point(" + which + ")) goto " + target->exit + ";\n";
    }
    std::string when = condition(d, OMPD_cancel, e);
    if (when.empty()) {
        when = "1";
    }
    return "if (__cp_cancel(" + which + ", " + when + " ? 1 : 0)) goto " + target->exit + ";\n";
}

}  // namespace cpt
