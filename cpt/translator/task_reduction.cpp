// Reductions of tasks: task_reduction of a taskgroup, reduction of a taskloop, the task modifier,
// and in_reduction. A group's items are described in an array of words; the runtime gives it zeroed
// memory, a block for each thread, and tells tasks where their thread's copy is. Behind each copy
// stands a word that says whether it has been given its first value.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

struct item_of {
    const Expr *item, *operation;
    DeclarationName name;
};

template <class C, class Operations>
void add(std::vector<item_of>& to, const C* c, Operations&& operations)
{
    auto operation = operations.begin();
    for (const Expr* item : c->varlists()) {
        to.push_back({item, *operation++, c->getNameInfo().getName()});
    }
}

}  // namespace

bool unit::reduces_tasks(const directive& d)
{
    for (const auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        if (c->getModifier() == OMPC_REDUCTION_task) {
            return true;
        }
    }
    return false;
}

// The array's first words: number of items, bytes of a block, alignment (later: the memory), three
// of the runtime's, one unused; then for each item its address, its place in the block and an
// unused word.
unit::task_reductions unit::reduce_tasks(const directive& d, const environment& e, bool ordinary,
                                         const private_copies* copies)
{
    std::vector<item_of> all;
    for (auto* c : d.getClausesOfKind<OMPTaskReductionClause>()) {
        add(all, c, c->reduction_ops());
    }
    for (auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        if (ordinary || c->getModifier() == OMPC_REDUCTION_task) {
            add(all, c, c->reduction_ops());
        }
    }
    task_reductions r;
    if (all.empty()) {
        return r;
    }
    const std::string words = fresh("words_"), bytes = fresh("bytes_");
    std::string entries, merge;
    unsigned number = 0;
    r.before += "unsigned long " + bytes + " = 0;\n";
    for (const item_of& i : all) {
        const environment& where = copies != nullptr ? copies->inside : e;
        const reduced item = describe(i.item, d, where);
        const std::string original = fresh("o"), count = fresh("n"), at = fresh("a"),
                          copy = fresh("c");
        r.before += declarations_.declare(item.element, "* const " + original) + " = " +
                    item.address + ";\nunsigned long const " + count + " = " + item.count + ", " +
                    at + " = " + bytes + ";\n" + bytes + " += ((sizeof(*" + original + ") * " +
                    count + " + 7) / 8 * 8 + 8 + 63) / 64 * 64;\n";
        const auto entry = [&](const std::string& address) {
            const std::string n = std::to_string(7 + 3 * number++);
            entries += words + "[" + n + "] = (unsigned long)" + address + ";\n" + words + "[" + n +
                       " + 1] = " + at + ";\n" + words + "[" + n + " + 2] = 0;\n";
        };
        if (copies != nullptr) {
            // Functions that are called know the original only. It comes first: initializers ask
            // for it.
            entry(copies->originals.at(i.item->IgnoreParenImpCasts()));
        }
        entry(original);
        merge += "{ " + declarations_.declare(item.element, "* const " + copy) +
                 " = (void*)(cp_block + " + at + ");\nif (*(unsigned long*)((char*)" + copy +
                 " + (sizeof(*" + copy + ") * " + count + " + 7) / 8 * 8)) {\n" +
                 combine_elements(i.operation, i.name, original, copy, count, d) + "} }\n";
    }
    r.open = "unsigned long " + words + "[" + std::to_string(7 + 3 * number) + "];\n" + words +
             "[0] = " + std::to_string(number) + "; " + words + "[1] = " + bytes + "; " + words +
             "[2] = 64;\n" + words + "[3] = " + words + "[4] = " + words + "[5] = " + words +
             "[6] = 0;\n" + entries + "cp_taskgroup_start();\ncp_task_reduction_register(" + words +
             ");\n";
    r.close =
        "cp_taskgroup_end();\nfor (int cp_b = cp_team_size(); cp_b-- > 0;) {\nchar* const cp_block = (char*)" +
        words + "[2] + " + words + "[1] * (unsigned long)cp_b;\n" + merge +
        "}\ncp_task_reduction_unregister(" + words + ");\n";
    return r;
}

std::string unit::join_reductions(const directive& d, environment& inside, bool ordinary)
{
    std::vector<item_of> all;
    for (auto* c : d.getClausesOfKind<OMPInReductionClause>()) {
        add(all, c, c->reduction_ops());
    }
    if (ordinary) {
        for (auto* c : d.getClausesOfKind<OMPReductionClause>()) {
            add(all, c, c->reduction_ops());
        }
    }
    const environment outside = inside;
    std::string out;
    for (const item_of& i : all) {
        const reduced item = describe(i.item, d, outside);
        const std::string original = fresh("o"), count = fresh("n"), copy = fresh("c"),
                          set = fresh("f"), first = fresh("g");
        out += "void* " + first + " = (void*)0;\n";
        out += declarations_.declare(item.element, "* const " + original) + " = " + item.address +
               ";\nunsigned long const " + count + " = " + item.count + ";\n" +
               declarations_.declare(item.element, "* const " + copy) +
               " = cp_task_reduction_find(" + original + ", &" + first +
               ");\nunsigned long* const " + set + " = (void*)((char*)" + copy + " + (sizeof(*" +
               copy + ") * " + count + " + 7) / 8 * 8);\nif (!*" + set + ") {\n*" + set +
               " = 1;\n" +
               initialize_elements(
                   i.operation, i.name, item.element, copy,
                   "((" + declarations_.declare(item.element, "*") + ")" + first + ")", count, d) +
               "}\n";
        inside.names[item.variable] = moved(item, copy, original, outside, out);
        if (!item.whole && !item.variable->getType()->isArrayType()) {
            inside.moved_pointers.insert(item.variable);
        }
    }
    return out;
}

}  // namespace cpt
