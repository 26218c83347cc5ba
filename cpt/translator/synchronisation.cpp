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
        // One word for all units that name it.
        name = "__cp_critical_name_" + name;
        before_ = "extern void* " + name + ";\n__attribute__((weak)) void* " + name + ";\n" +
                  before_;
        lock = "&" + name;
    }
    return "{\n__cp_critical_start(" + lock + ");\n" + body(statement(d), e) +
           "__cp_critical_end(" + lock + ");\n}\n";
}

std::string unit::ordered(const directive& d, const environment& e)
{
    bool waits = false;
    std::string out;
    const auto dependence = [&](const construct* loop, const std::string& indexes, bool post) {
        const std::string n = std::to_string(loop->levels.size() - loop->collapsed + 1);
        return post ? "{ unsigned long long const __cp_x[] = {" + indexes +
                          "}; __cp_doacross_post(__cp_x); }\n"
                    : "{ unsigned long long const __cp_x[] = {" + indexes +
                          "}; int __cp_in = 1;\n%CHECK%if (__cp_in) __cp_doacross_wait(" + n +
                          ", __cp_x); }\n";
    };
    const construct* loop = e.around;
    while (loop != nullptr && loop->levels.empty()) {
        loop = loop->outer;
    }
    for (const auto* c : d.getClausesOfKind<OMPDependClause>()) {
        waits = true;
        if (loop == nullptr) {
            refuse(d, "'ordered depend' outside of its loop is not supported");
        }
        std::string indexes, checks;
        const bool source = c->getDependencyKind() == OMPC_DEPEND_source;
        if (!source && c->varlist_size() != loop->levels.size()) {
            refuse(d, "this form of 'depend(sink)' is not supported");
        }
        for (unsigned i = 0; i < loop->levels.size(); ++i) {
            const auto& level = loop->levels[i];
            const std::string value = source ? level.counter : text(*(c->varlist_begin() + i), e);
            const std::string
                index = level.pointer ? "(unsigned long long)((" + value + " - " + level.begin +
                                            ") / " + level.step + ")"
                                      : "((unsigned long long)((long long)((unsigned long long)" +
                                            value + " - (unsigned long long)" + level.begin +
                                            ") / " + level.step + "))";
            // Collapsed loops are one, whose last counter turns fastest.
            indexes = i == 0 ? index
                      : i < loop->collapsed
                          ? "((" + indexes + ") * " + level.count + " + " + index + ")"
                          : indexes + ", " + index;
            checks += "__cp_in = __cp_in && " + index + " < " + level.count + ";\n";
        }
        std::string one = dependence(loop, indexes, c->getDependencyKind() == OMPC_DEPEND_source);
        if (const std::size_t at = one.find("%CHECK%"); at != std::string::npos) {
            one.replace(at, 7, checks);
        }
        out += one;
    }
    for (const auto* c : d.getClausesOfKind<OMPDoacrossClause>()) {
        refuse(c->getBeginLoc(), "the doacross clause is not supported; use depend");
    }
    if (waits) {
        return out;
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
