// tile: loops over tiles of the iterations, and in each tile loops over its iterations. A directive
// before it distributes the tiles.
#include "unit.hpp"

namespace cpt {

using namespace clang;

const directive* unit::tiled(const Stmt* s)
{
    while (const auto* block = dyn_cast_or_null<CompoundStmt>(s)) {
        s = block->size() == 1 ? block->body_front() : nullptr;
    }
    return dyn_cast_or_null<OMPTileDirective>(s);
}

unsigned unit::tiled_levels(const directive& d)
{
    return d.getSingleClause<OMPSizesClause>()->getNumSizes();
}

// The nest whose iterations are tiles; `collapsed` loops over tiles are counted as one.
loop_nest unit::tile_nest(const directive& d, unsigned collapsed, const environment& e)
{
    const auto sizes = d.getSingleClause<OMPSizesClause>()->getSizesRefs();
    const unsigned levels = tiled_levels(d);
    loop_nest nest = make_nest(d, levels, 0, e);
    if (nest.levels.size() != levels || collapsed > levels) {
        refuse(d, "these loops of tiles are not supported");
    }
    const std::string id = std::to_string(++count_), total = "__cp_n_" + id, k = "__cp_k_" + id;
    const std::string left = fresh("left");
    std::string product, split, tiles, inside, ends;
    for (unsigned n = levels; n-- > 0;) {
        const construct::level& l = nest.levels[n];
        const std::string size = fresh("size"), count = fresh("tiles"), begin = fresh("tile"),
                          at = fresh("at");
        nest.head += "unsigned long long const " + size + " = (unsigned long long)" +
                     text(sizes[n], e) + ", " + count + " = " + l.count + " / " + size + " + (" +
                     l.count + " % " + size + " != 0);\n";
        for (const std::string& name : {size, count}) {
            nest.state.push_back({"unsigned long long " + name, name});
        }
        if (n < collapsed) {
            product += (product.empty() ? "" : " * ") + count;
            split += "unsigned long long const " + begin + " = " + left + " % " + count + " * " +
                     size + ";\n" + left + " /= " + count + ";\n";
        } else {
            tiles = "unsigned long long " + begin + ";\nfor (" + begin + " = 0; " + begin + " < " +
                    l.count + "; " + begin + " += " + size + ") {\n" + tiles;
            ends += "}\n";
        }
        inside = "unsigned long long " + at + ";\nfor (" + at + " = " + begin + "; " + at + " < " +
                 l.count + " && " + at + " - " + begin + " < " + size + "; ++" + at + ") {\n" +
                 l.counter + " = (__typeof__(" + l.counter + "))(" + l.begin + " + (long long)" +
                 at + " * " + l.step + ");\n" + inside;
        ends += "}\n";
    }
    nest.head += "unsigned long long const " + total + " = " + product + ";\n";
    nest.total = total;
    nest.state.push_back({"unsigned long long " + total, total});
    nest.run_under = nullptr;
    nest.run = [=](const std::string& begin, const std::string& end, const std::string& body) {
        return "unsigned long long " + k + ";\nfor (" + k + " = " + begin + "; " + k + " < " + end +
               "; ++" + k + ") {\nunsigned long long " + left + " = " + k + ";\n" + split + tiles +
               inside + body + ends + "}\n";
    };
    nest.levels.clear();
    return nest;
}

std::string unit::tile(const directive& d, const environment& e)
{
    const loop_nest nest = tile_nest(d, 1, e);
    data_rules rules;
    rules.privates = rules.alone = true;
    rules.counters = nest.counters;
    for (const VarDecl* v : nest.counters) {
        if (!v->hasLocalStorage()) {
            refuse(d,
                   "tile of a loop that counts in a variable of the whole program is not "
                   "supported");
        }
        if (source_.begin_of(v->getLocation()) < source_.begin_of(d.getBeginLoc())) {
            rules.write_back.push_back(v);
        }
    }
    const private_copies copies = make_private(d, e, rules);
    std::string finals;
    for (unsigned n = 0; n < nest.counters.size(); ++n) {
        finals += nest.counters[n]->getName().str() + " = " + nest.final_values[n] + ";\n";
    }
    return "{\n" + nest.head + copies.before + "{\n" + copies.open + "{\n" +
           nest.run("0", nest.total, body(loop_body(d, tiled_levels(d)), copies.inside)) + "}\n" +
           finals + copies.close + "}\n}\n";
}

}  // namespace cpt
