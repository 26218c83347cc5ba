// Reductions of tasks: task_reduction of a taskgroup, reduction of a taskloop, the task modifier,
// and in_reduction. A group's items are described in an array of words; the runtime gives the group
// zeroed memory, a block for each thread, and tells tasks where their thread's copy is. A word
// after each copy says whether it has been initialised.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

namespace {

template <class Item, class C, class Operations>
void add(std::vector<Item>& to, const C* c, Operations&& operations)
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

namespace {

// The word after the copy's elements that says whether it has been initialised.
std::string word_of(const std::string& copy, const std::string& count)
{
    return "(*(unsigned long*)((char*)" + copy + " + (sizeof(*" + copy + ") * " + count +
           " + 7) / 8 * 8))";
}

}  // namespace

// The array's first words: number of items, bytes of a block, alignment (later: the memory), three
// of the runtime's, one unused; then for each item its address, its place in the block and an
// unused word.
unit::reduction_words unit::describe_reductions(const std::vector<item_of>& all, const directive& d,
                                                const environment& e)
{
    reduction_words r;
    r.name = fresh("words_");
    const std::string bytes = fresh("bytes_");
    std::string entries, merge;
    unsigned number = 0;
    r.open = "unsigned long " + bytes + " = 0;\n";
    for (const item_of& i : all) {
        reduction_words::entry part{describe(i.item, d, e), fresh("o"), fresh("n"), fresh("a")};
        const std::string copy = fresh("c"), o = part.original, n = part.count, at = part.place;
        r.open += declarations_.declare(part.item.element, "* const " + o) + " = " +
                  part.item.address + ";\nunsigned long const " + n + " = " + part.item.count +
                  ", " + at + " = " + bytes + ";\n" + bytes + " += ((sizeof(*" + o + ") * " + n +
                  " + 7) / 8 * 8 + 8 + 63) / 64 * 64;\n";
        const std::string w = std::to_string(7 + 3 * number++);
        entries += r.name + "[" + w + "] = (unsigned long)" + o + ";\n" + r.name + "[" + w +
                   " + 1] = " + at + ";\n" + r.name + "[" + w + " + 2] = 0;\n";
        merge += "{ " + declarations_.declare(part.item.element, "* const " + copy) +
                 " = (void*)(__cp_block + " + at + ");\nif (" + word_of(copy, n) + ") {\n" +
                 combine_elements(i.operation, i.name, o, copy, n, d) + "} }\n";
        r.entries.push_back(std::move(part));
    }
    r.open += "unsigned long " + r.name + "[" + std::to_string(7 + 3 * number) + "];\n" + r.name +
              "[0] = " + std::to_string(number) + "; " + r.name + "[1] = " + bytes + "; " + r.name +
              "[2] = 64;\n" + r.name + "[3] = " + r.name + "[4] = " + r.name + "[5] = " + r.name +
              "[6] = 0;\n" + entries;
    const std::string member = fresh("b");
    r.merge = "int " + member + ";\nfor (" + member + " = __cp_team_size(); " + member +
              "-- > 0;) {\nchar* const __cp_block = (char*)" + r.name + "[2] + " + r.name +
              "[1] * (unsigned long)" + member + ";\n" + merge + "}\n";
    return r;
}

unit::task_reductions unit::reduce_tasks(const directive& d, const environment& e)
{
    std::vector<item_of> all;
    for (auto* c : d.getClausesOfKind<OMPTaskReductionClause>()) {
        add(all, c, c->reduction_ops());
    }
    for (auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        add(all, c, c->reduction_ops());
    }
    if (all.empty()) {
        return {};
    }
    const reduction_words words = describe_reductions(all, d, e);
    return {
        words.open + "__cp_taskgroup_start();\n__cp_task_reduction_register(" + words.name + ");\n",
        "__cp_taskgroup_end();\n" + words.merge + "__cp_task_reduction_unregister(" + words.name +
            ");\n"};
}

// A member's copy is its block of the memory that all share, and the first member combines the
// blocks with the original when all tasks have ended.
void unit::share_reductions(private_copies& to, const directive& d, const environment& e)
{
    std::vector<item_of> all;
    for (auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        if (c->getModifier() == OMPC_REDUCTION_task) {
            add(all, c, c->reduction_ops());
        }
    }
    if (all.empty()) {
        return;
    }
    const reduction_words words = describe_reductions(all, d, e);
    const std::string mine = fresh("mine_");
    to.before += words.open + "__cp_team_reduction_start(" + words.name + ");\nchar* const " +
                 mine + " = (char*)" + words.name + "[2] + " + words.name +
                 "[1] * (unsigned long)__cp_thread_number();\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& part = words.entries[i];
        const std::string copy = fresh("c");
        to.before += declarations_.declare(part.item.element, "* const " + copy) + " = (void*)(" +
                     mine + " + " + part.place + ");\n" + word_of(copy, part.count) + " = 1;\n" +
                     initialize_elements(all[i].operation, all[i].name, part.item.element, copy,
                                         part.original, part.count, d);
        to.inside.names[part.item.variable] = moved(part.item, copy, part.original, e, to.before);
        if (!part.item.whole && !part.item.variable->getType()->isArrayType()) {
            to.inside.moved_pointers.insert(part.item.variable);
        }
    }
    std::string leave = "__cp_team_reduction_end(1); ";
    to.tasks = (cancelled_region(e, leave) != nullptr
                    ? "if (__cp_barrier_cancel()) { " + leave + " }\n"
                    : std::string("__cp_barrier();\n")) +
               "if (__cp_thread_number() == 0) {\n" + words.merge +
               "}\n__cp_team_reduction_end(0);\n";
}

std::string unit::join_at_once(const directive& d, environment& inside)
{
    const environment e = inside;
    const joined_reductions j = join_reductions(d, e);
    // The fields of the frame are local variables in this case.
    std::string out = j.fields + j.fill + j.open(inside);
    for (const std::string of : {"__cp_new.__cp_in_", "__cp_f->__cp_in_"}) {
        for (std::size_t at; (at = out.find(of)) != out.npos;) {
            out.erase(at, of.find("__cp_in_"));
        }
    }
    return out;
}

// The addresses of the items are stored when the task is made; the copies that their names stand
// for are found in the task.
unit::joined_reductions unit::join_reductions(const directive& d, const environment& e)
{
    std::vector<item_of> all;
    for (auto* c : d.getClausesOfKind<OMPInReductionClause>()) {
        add(all, c, c->reduction_ops());
    }
    for (auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        if (has(d, llvm::omp::OMPD_taskloop)) {
            add(all, c, c->reduction_ops());
        }
    }
    joined_reductions j;
    std::vector<std::string> fields;
    for (const item_of& i : all) {
        const reduced item = describe(i.item, d, e);
        fields.push_back(fresh("in_"));
        j.fields += "  void* " + fields.back() + "; unsigned long " + fields.back() + "_n;\n";
        j.fill += "__cp_new." + fields.back() + " = " + item.address + ";\n__cp_new." +
                  fields.back() + "_n = " + item.count + ";\n";
    }
    j.open = [this, all, fields, &d](environment& inside) {
        const environment outside = inside;
        std::string out;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const reduced item = describe(all[i].item, d, outside);
            const std::string original = fresh("o"), count = fresh("n"), copy = fresh("c"),
                              first = fresh("g");
            out += "void* " + first + " = (void*)0;\n";
            out += declarations_.declare(item.element, "* const " + original) + " = __cp_f->" +
                   fields[i] + ";\nunsigned long const " + count + " = __cp_f->" + fields[i] +
                   "_n;\n" + declarations_.declare(item.element, "* const " + copy) +
                   " = __cp_task_reduction_find(" + original + ", &" + first + ");\nif (!" +
                   word_of(copy, count) + ") {\n" + word_of(copy, count) + " = 1;\n" +
                   initialize_elements(
                       all[i].operation, all[i].name, item.element, copy,
                       "((" + declarations_.declare(item.element, "*") + ")" + first + ")", count,
                       d) +
                   "}\n";
            inside.names[item.variable] = moved(item, copy, original, outside, out);
            if (!item.whole && !item.variable->getType()->isArrayType()) {
                inside.moved_pointers.insert(item.variable);
            }
        }
        return out;
    };
    return j;
}

}  // namespace cpt
