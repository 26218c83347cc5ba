// target and its relatives, on the host: the region is a function that one thread calls in a team
// of its own. It uses the program's memory, so directives that move data do nothing.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

std::string unit::target(const directive& d, kinds rest, const environment& e)
{
    environment around = e;
    const std::string joined = join_at_once(d, around);
    std::string device = "-1", limit = "0";
    if (const auto* c = d.getSingleClause<OMPDeviceClause>()) {
        if (c->getModifier() == OMPC_DEVICE_ancestor) {
            refuse(c->getBeginLoc(), "'device(ancestor: ...)' is not supported");
        }
        device = text(c->getDevice(), e);
    }
    if (const std::string c = condition(d, OMPD_target, e); !c.empty()) {
        device = c + " ? " + device + " : -2";
    }
    if (const auto* c = d.getSingleClause<OMPThreadLimitClause>(); c && !has(d, OMPD_teams)) {
        limit = "(unsigned)" + text(c->getThreadLimit(), e);
    }
    const std::string name = fresh("target_");
    const frame f = make_frame(
        d, around, [](const VarDecl*) { return mode::reference; }, "", false);
    construct here{nullptr, OMPD_target, fresh("exit_"), false, false, true, {}, 1, false};
    environment inside = f.inside;
    inside.around = &here;
    data_rules rules;
    rules.firstprivate = rules.of_target = true;
    rules.not_first = listed_last(d);
    rules.privates = rest.empty();
    private_copies copies = make_private(d, inside, rules);
    copies.inside.around = &here;
    use_allocators(copies, d);
    const std::string inner = rest.empty() ? body(statement(d), copies.inside)
                                           : leaves(d, rest, copies.inside);
    outlined(name, "__cp_data", f,
             copies.before + "{\n" + copies.open + inner + copies.close + "}\n",
             source_.begin_of(d.getBeginLoc()));
    return "{\n" + target_memory(d, e) + joined + "struct " + f.name + " __cp_new;\n" + f.fill +
           "__cp_target(" + name + ", &__cp_new, " + device + ", " + limit + ");\n}\n";
}

// Makes the region's allocators with the traits that the clause names. Predefined ones exist
// already.
void unit::use_allocators(private_copies& to, const directive& d)
{
    for (const auto* c : d.getClausesOfKind<OMPUsesAllocatorsClause>()) {
        for (unsigned i = 0; i < c->getNumberOfAllocators(); ++i) {
            const auto used = c->getAllocatorData(i);
            const VarDecl* const v = variable_of(used.Allocator);
            if (v == nullptr) {
                continue;
            }
            const std::string traits = used.AllocatorTraits == nullptr
                                           ? ""
                                           : text(used.AllocatorTraits, to.inside);
            const std::string n = v->getName().str(), made = fresh("a");
            to.before += declarations_.declare(v->getType().getUnqualifiedType(), made) +
                         " = omp_init_allocator(omp_default_mem_space, " +
                         (traits.empty() ? "0, (void*)0"
                                         : "(int)(sizeof " + traits + " / sizeof " + traits +
                                               "[0]), " + traits) +
                         ");\n";
            to.open += declarations_.declare(v->getType().getUnqualifiedType(), n) + " = " + made +
                       ";\n(void)" + n + ";\n";
            to.close += "omp_destroy_allocator(" + n + ");\n";
            to.inside.names.erase(v);
            to.inside.copied.insert(v);
        }
    }
}

// Waits for the tasks on which the construct depends. The construct is executed at once, which
// nowait allows, so tasks that depend on it need not wait.
std::string unit::target_memory(const directive& d, const environment& e)
{
    std::string list, number;
    const std::string depend = depend_list(d, e, list, number);
    const std::string wait = depend.empty() ? std::string()
                                            : "{\n" + depend + "__cp_taskwait_depend(" + list +
                                                  ", " + number + ");\n}\n";
    if (d.getDirectiveKind() == OMPD_target_data) {
        return "{\n" + wait + body(statement(d), e) + "}\n";
    }
    return wait + ";\n";
}

}  // namespace cpt
