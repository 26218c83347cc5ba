// Worksharing without loops: sections, single, master and masked, scope.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

const construct* unit::cancelled_region(const environment& e, std::string& leave)
{
    for (const construct* c = e.around; c != nullptr; c = c->outer) {
        if (c->what == OMPD_parallel && c->cancellable) {
            c->left = true;
            leave += "goto " + c->exit + ";";
            return c;
        }
        if (c->reduces_tasks) {
            leave += "__cp_team_reduction_end(1); ";
        }
    }
    return nullptr;
}

std::string unit::barrier_text(const environment& e)
{
    std::string leave;
    return cancelled_region(e, leave) != nullptr ? "if (__cp_barrier_cancel()) { " + leave + " }\n"
                                                 : "__cp_barrier();\n";
}

std::string unit::end_of_share(const environment& e, const std::string& what, bool cancelled)
{
    std::string leave;
    if (cancelled_region(e, leave) != nullptr) {
        return "if (__cp_" + what + "_end_cancel()) { " + leave + " }\n";
    }
    return cancelled ? "(void)__cp_" + what + "_end_cancel();\n" : "__cp_" + what + "_end();\n";
}

std::string unit::sections(const directive& d, const environment& e, bool combined)
{
    const auto* block = dyn_cast<CompoundStmt>(statement(d));
    if (block == nullptr) {
        refuse(d, "sections without a block are not supported");
    }
    const std::string id = fresh("section_"), last = fresh("last_");
    data_rules rules;
    rules.privates = rules.lastprivate = rules.reduction = true;
    rules.firstprivate = true;
    if (combined) {
        rules.not_first = listed_first(d);
        for (const VarDecl* v : listed_last(d)) {
            rules.not_first.erase(v);
        }
    }
    rules.last = last;
    rules.position = id;
    private_copies copies = make_private(d, e, rules);
    construct here{e.around, OMPD_sections,   fresh("exit_"), false, false, false, {},
                   1,        reduces_tasks(d)};
    environment inside = copies.inside;
    inside.around = &here;
    std::string cases;
    unsigned number = 0;
    for (const Stmt* s : block->body()) {
        const auto* section = dyn_cast<OMPSectionDirective>(s);
        // The pragma of the first section may be omitted; then all statements up to the next one
        // belong to it.
        if (section != nullptr || number == 0) {
            cases += number == 0 ? "" : "} break;\n";
            cases += "case " + std::to_string(++number) + ": {\n";
        }
        if (section != nullptr) {
            pragmas_done_.insert(source_.begin_of_line(source_.begin_of(section->getBeginLoc())));
        }
        cases += body(section != nullptr ? statement(*section) : s, inside);
    }
    if (number != 0) {
        cases += "} break;\n";
    }
    std::string out = "{\n" + copies.before + "{\n" + copies.open + "int " + last +
                      " = 0;\n(void)" + last + ";\n";
    for (const VarDecl* v : listed_first(d)) {
        if (listed_last(d).contains(v)) {
            out += "__cp_barrier();\n";  // all threads must have read the original before one
                                         // writes it
            break;
        }
    }
    out += "unsigned " + id + ";\nfor (" + id + " = __cp_sections_start(" + std::to_string(number) +
           "); " + id + " != 0; " + id + " = __cp_sections_next()) {\nswitch (" + id + ") {\n" +
           cases + "}\n" + last + " = " + id + " == " + std::to_string(number) + ";\n}\n";
    if (here.left) {
        out += here.exit + ":;\n";
    }
    const bool nowait = combined || !d.getClausesOfKind<OMPNowaitClause>().empty();
    if (!copies.tasks.empty()) {
        return out + "__cp_sections_end_nowait();\n" + copies.reduce + copies.close + copies.tasks +
               "}\n}\n";
    }
    out += copies.reduce + copies.close + "}\n";
    out += nowait ? "__cp_sections_end_nowait();\n" : end_of_share(e, "sections", here.left);
    return out + "}\n";
}

std::string unit::single(const directive& d, const environment& e)
{
    data_rules rules;
    rules.privates = rules.firstprivate = true;
    private_copies copies = make_private(d, e, rules);
    const bool nowait = !d.getClausesOfKind<OMPNowaitClause>().empty();
    std::vector<const VarDecl*> sent;
    for (const auto* c : d.getClausesOfKind<OMPCopyprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            const auto* name = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts());
            sent.push_back(cast<VarDecl>(name->getDecl()));
        }
    }
    const std::string inner = copies.before + "{\n" + copies.open +
                              body(statement(d), copies.inside) + "}\n";
    if (sent.empty()) {
        return "{\nif (__cp_single_start()) {\n" + inner + "}\n" + (nowait ? "" : barrier_text(e)) +
               "}\n";
    }
    const std::string from = fresh("from_"), list = fresh("list_");
    std::string addresses, copying;
    for (unsigned i = 0; i < sent.size(); ++i) {
        const std::string v = e.of(sent[i]);
        addresses += list + "[" + std::to_string(i) + "] = (void*)&" + v + ";\n";
        copying += "__builtin_memcpy((void*)&" + v + ", " + from + "[" + std::to_string(i) +
                   "], sizeof(" + v + "));\n";
    }
    return "{\nvoid* " + list + "[" + std::to_string(sent.size()) + "];\nvoid** const " + from +
           " = __cp_single_copy_start();\nif (" + from + " == (void**)0) {\n" + inner + addresses +
           "__cp_single_copy_end(" + list + ");\n} else {\n" + copying + "}\n" + barrier_text(e) +
           "}\n";
}

std::string unit::master(const directive& d, kinds rest, const environment& e)
{
    std::string who = "0";
    if (const auto* c = d.getSingleClause<OMPFilterClause>()) {
        who = text(c->getThreadID(), e);
    }
    // In braces: an "else" may follow that belongs to the user's "if".
    return "{ if (__cp_thread_number() == " + who + ") {\n" +
           (rest.empty() ? body(statement(d), e) : leaves(d, rest, e)) + "} }\n";
}

std::string unit::scope(const directive& d, const environment& e)
{
    data_rules rules;
    rules.privates = rules.firstprivate = rules.reduction = true;
    private_copies copies = make_private(d, e, rules);
    const bool nowait = !d.getClausesOfKind<OMPNowaitClause>().empty();
    // Barriers in the scope need to know of its reductions.
    construct here{e.around, OMPD_scope, "", false, false, false, {}, 1, reduces_tasks(d)};
    copies.inside.around = &here;
    return "{\n" + copies.before + "{\n" + copies.open + body(statement(d), copies.inside) +
           copies.reduce + copies.close + copies.tasks + "}\n" +
           (nowait || !copies.tasks.empty() ? "" : barrier_text(e)) + "}\n";
}

}  // namespace cpt
