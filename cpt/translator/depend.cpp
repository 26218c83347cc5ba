// Dependences of tasks: the lists of depend clauses, depend objects, and taskwait.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

std::string unit::depend_list(const directive& d, const environment& e, std::string& name,
                              std::string& number)
{
    name = "(void**)0";
    number = "0";
    std::string counting, filling;
    unsigned fixed = 0;
    const std::string list = fresh("depend_"), count = fresh("n"), at = fresh("i");
    for (const auto* c : d.getClausesOfKind<OMPDependClause>()) {
        std::string what;
        switch (c->getDependencyKind()) {
        case OMPC_DEPEND_in: what = "1"; break;
        case OMPC_DEPEND_out: what = "2"; break;
        case OMPC_DEPEND_inout: what = "3"; break;
        case OMPC_DEPEND_mutexinoutset: what = "4"; break;
        case OMPC_DEPEND_inoutset: what = "5"; break;
        case OMPC_DEPEND_outallmemory: what = "2"; break;
        case OMPC_DEPEND_inoutallmemory: what = "3"; break;
        case OMPC_DEPEND_depobj: what = "0"; break;
        default: refuse(c->getBeginLoc(), "this dependence is not supported");
        }
        std::string entries, loops, ends;
        unsigned items = 0;
        if (c->getDependencyKind() == OMPC_DEPEND_outallmemory ||
            c->getDependencyKind() == OMPC_DEPEND_inoutallmemory) {
            entries = list + "[" + at + "++] = (void*)0;\n" + list + "[" + at + "++] = (void*)" +
                      what + ";\n";
            ++items;
        }
        for (const Expr* item : c->varlists()) {
            item = item->IgnoreParenImpCasts();
            std::string address;
            if (const auto* shaped = dyn_cast<OMPArrayShapingExpr>(item)) {
                address = "(void*)" + text(shaped->getBase(), e);
            } else if (what != "0") {
                address = address_of_item(item, e);
            }
            std::string kind_text = "(void*)" + what;
            if (what == "0") {
                const std::string object = "((void**)&" + text(item, e) + ")";
                address = object + "[0]";
                kind_text = object + "[1]";
            }
            entries += list + "[" + at + "++] = " + address + ";\n" + list + "[" + at +
                       "++] = " + kind_text + ";\n";
            ++items;
        }
        if (const auto* iterators = dyn_cast_or_null<OMPIteratorExpr>(c->getModifier())) {
            auto* all = const_cast<OMPIteratorExpr*>(iterators);
            for (unsigned i = 0; i < all->numOfIterators(); ++i) {
                const auto* v = cast<VarDecl>(all->getIteratorDecl(i));
                const auto range = all->getIteratorRange(i);
                const std::string n = v->getName().str(), begin = fresh("b"), end = fresh("e"),
                                  step = fresh("s");
                // Before the iterator, whose name may be that of a variable in its own bounds.
                loops += "{ " + declarations_.declare(v->getType(), "const " + begin) + " = " +
                         text(range.Begin, e) + ";\n" +
                         declarations_.declare(v->getType(), "const " + end) + " = " +
                         text(range.End, e) + ";\nlong long const " + step + " = " +
                         (range.Step ? text(range.Step, e) : "1") + ";\n" +
                         declarations_.declare(v->getType(), n) + ";\nfor (" + n + " = " + begin +
                         "; " + step + " > 0 ? " + n + " < " + end + " : " + n + " > " + end +
                         "; " + n + " += " + step + ") {\n";
                ends += "} }\n";
            }
            counting += loops + count + " += " + std::to_string(items) + ";\n" + ends;
        } else {
            fixed += items;
        }
        filling += loops + entries + ends;
    }
    if (filling.empty()) {
        return {};
    }
    name = list;
    number = count;
    return "unsigned " + count + " = " + std::to_string(fixed) + ", " + at + " = 0;\n" + counting +
           "void* " + list + "[2 * " + count + " + 1];\n" + filling;
}

std::string unit::taskwait(const directive& d, const environment& e)
{
    std::string list, number;
    const std::string depend = depend_list(d, e, list, number);
    if (!depend.empty() && !d.getClausesOfKind<OMPNowaitClause>().empty()) {
        // Nobody waits: it is an empty task with these dependences, on which others may depend.
        const std::string name = fresh("nothing_");
        before_ += "static void " + name + "(void* __cp_data)\n{\n(void)__cp_data;\n}\n";
        return "{\n" + depend + "__cp_task(" + name + ", (void*)" + list + ", 0, 1, 1, 0, " + list +
               ", " + number + ", 0, (void*)0);\n}\n";
    }
    if (!depend.empty()) {
        return "{\n" + depend + "__cp_taskwait_depend(" + list + ", " + number + ");\n}\n";
    }
    return "__cp_taskwait();\n";
}

std::string unit::depobj(const directive& d, const environment& e)
{
    const auto* object = d.getSingleClause<OMPDepobjClause>();
    const std::string words = "((void**)&" + text(object->getDepobj(), e) + ")";
    if (!d.getClausesOfKind<OMPDestroyClause>().empty()) {
        return words + "[0] = (void*)0;\n";
    }
    if (const auto* c = d.getSingleClause<OMPUpdateClause>()) {
        const auto what = c->getDependencyKind();
        const char* number = what == OMPC_DEPEND_in              ? "1"
                             : what == OMPC_DEPEND_out           ? "2"
                             : what == OMPC_DEPEND_inout         ? "3"
                             : what == OMPC_DEPEND_mutexinoutset ? "4"
                                                                 : "5";
        return words + "[1] = (void*)" + number + ";\n";
    }
    std::string list, number;
    const std::string depend = depend_list(d, e, list, number);
    return "{\n" + depend + words + "[0] = " + list + "[0]; " + words + "[1] = " + list +
           "[1];\n}\n";
}

}  // namespace cpt
