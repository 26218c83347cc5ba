// What the loops of a directive execute in each iteration.
#include "loop_form.hpp"
#include "unit.hpp"

namespace cpt {

using namespace clang;

// Statements between loops that are counted as one are executed in each iteration, as often as
// those inside. The heads of inner loops are replaced by heads of loops that run once, so that
// `continue` still ends the iteration.
unit::loop_inside unit::loop_body(const directive& d, unsigned levels)
{
    if (const directive* const t = tiled(statement(d)); t != nullptr) {
        return loop_body(*t, tiled_levels(*t));
    }
    const ForStmt* loop = loop_in(statement(d));
    loop_inside inside{nullptr, {}};
    for (unsigned n = 1; n < levels && loop != nullptr; ++n) {
        const Stmt* const s = loop->getBody();
        const bool alone = loop_in(s) != nullptr;
        loop = next_loop(s);
        if (loop != nullptr && inside.statement == nullptr && !alone) {
            inside = {s, fresh("once")};
        }
        if (loop != nullptr && inside.statement != nullptr) {
            const unsigned behind = source_.begin_of(loop->getBody()->getBeginLoc());
            facts_.edits[source_.begin_of(loop->getBeginLoc())] = {
                behind, "for (" + inside.once + " = 1; " + inside.once + "; " + inside.once +
                            " = 0)" + source_.marker(behind)};
        }
    }
    if (loop == nullptr) {
        refuse(d, "this form of loop nest is not supported");
    }
    if (inside.statement == nullptr) {
        inside.statement = loop->getBody();
    }
    return inside;
}

std::string unit::body(const loop_inside& s, const environment& e)
{
    const std::string inside = body(s.statement, e);
    return s.once.empty() ? inside : "{\nint " + s.once + ";\n" + inside + "}\n";
}

}  // namespace cpt
