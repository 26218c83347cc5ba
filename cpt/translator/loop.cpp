// for, distribute, simd and loop, alone and combined.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

std::string unit::loop(const directive& d, kinds rest, const environment& e)
{
    const auto& l = cast<OMPLoopDirective>(d);
    kind what = rest.front();
    if (what == OMPD_loop) {
        // The region to which it binds: that of the clause, or the enclosing construct.
        what = OMPD_for;
        if (const auto* c = d.getSingleClause<OMPBindClause>()) {
            what = c->getBindKind() == OMPC_BIND_teams      ? OMPD_distribute
                   : c->getBindKind() == OMPC_BIND_parallel ? OMPD_for
                                                            : OMPD_simd;
        } else if (e.around != nullptr && e.around->what == OMPD_teams) {
            what = OMPD_distribute;
        }
    }
    const bool combined = has(d, OMPD_parallel) && what == OMPD_for;
    const bool distribute = what == OMPD_distribute;
    const bool outer_only = distribute && rest.size() > 1 && rest[1] == OMPD_parallel;
    const bool shares = what == OMPD_for || distribute;
    unsigned levels = l.getLoopsNumber(), ordered_levels = 0;
    bool ordered = false;
    Expr::EvalResult value;
    const auto number = [&](const Expr* x) {
        return written(x)->EvaluateAsInt(value, context_)
                   ? unsigned(value.Val.getInt().getZExtValue())
                   : 1u;
    };
    levels = 1;
    if (const auto* c = d.getSingleClause<OMPCollapseClause>()) {
        levels = number(c->getNumForLoops());
    }
    if (const auto* c = d.getSingleClause<OMPOrderedClause>(); c != nullptr && what == OMPD_for) {
        ordered = true;
        if (c->getNumForLoops() != nullptr) {
            ordered_levels = number(c->getNumForLoops());
            ordered = false;
        }
    }
    bool scan = false;
    for (const auto* c : d.getClausesOfKind<OMPReductionClause>()) {
        scan = scan || c->getModifier() == OMPC_REDUCTION_inscan;
    }
    loop_nest nest = make_nest(d, levels, ordered_levels, e);
    const bool plain_simd = !shares;
    const std::string simd = scan || outer_only || ordered || ordered_levels != 0 || !nest.run_under
                                 ? std::string()
                                 : simd_line(d, nest);
    const auto* workshare = dyn_cast<OMPForDirective>(&d);
    const auto* together = dyn_cast<OMPParallelForDirective>(&d);
    const auto* offered = dyn_cast<OMPTargetParallelForDirective>(&d);
    const bool cancels = (workshare != nullptr && workshare->hasCancel()) ||
                         (together != nullptr && together->hasCancel()) ||
                         (offered != nullptr && offered->hasCancel());
    const std::string id = fresh("");
    const std::string lo = id + "_lo", hi = id + "_hi", last = id + "_last", more = id + "_more";

    data_rules rules;
    rules.privates = !outer_only;
    // If a function was outlined for the directive, it has made the copies. But if a variable is
    // lastprivate, too, it needs a copy here, as its original is written at the end.
    rules.firstprivate = shares;
    if (has(d, OMPD_parallel) || has(d, OMPD_teams)) {
        rules.not_first = listed_first(d);
        for (const VarDecl* v : listed_last(d)) {
            rules.not_first.erase(v);
        }
    }
    rules.lastprivate = true;
    rules.reduction = !outer_only && (shares || !simd.empty() || scan);
    const loop_inside s = loop_body(d, levels);
    scan_phases phases;
    if (scan) {
        rules.scan = &phases;
        for (const Stmt* part : s.statement->children()) {
            if (const auto* between = dyn_cast_or_null<OMPScanDirective>(part)) {
                phases.exclusive = !between->getClausesOfKind<OMPExclusiveClause>().empty();
            }
        }
    }
    rules.linear = !outer_only;
    rules.last = last;
    rules.total = nest.total;
    if (!has(d, OMPD_distribute)) {
        rules.position = "__cp_k_" + nest.total.substr(std::size("__cp_n_") - 1);
        rules.alone = plain_simd;
    }
    if (!outer_only && has(d, OMPD_simd)) {
        // Counters are linear: their last value is visible after the loop.
        for (const VarDecl* v : nest.counters) {
            if (source_.begin_of(v->getLocation()) < source_.begin_of(d.getBeginLoc())) {
                rules.write_back.push_back(v);
            }
        }
    }
    if (!outer_only) {
        rules.counters = nest.counters;
        if (ordered_levels > 1) {
            // Counters of inner loops that are not declared in these.
            const Stmt* at = statement(d);
            for (unsigned n = 0; n < ordered_levels; ++n) {
                while (const auto* block = dyn_cast<CompoundStmt>(at)) {
                    at = block->body_front();
                }
                const auto* f = cast<ForStmt>(at);
                if (const auto* a = dyn_cast<BinaryOperator>(f->getInit()); a && n > 0) {
                    if (const auto* name = dyn_cast<DeclRefExpr>(a->getLHS())) {
                        rules.counters.push_back(cast<VarDecl>(name->getDecl()));
                    }
                }
                at = f->getBody();
            }
        }
    }
    private_copies copies = make_private(d, e, rules);

    construct here{e.around,
                   what == OMPD_simd ? OMPD_simd : OMPD_for,
                   fresh("exit_"),
                   false,
                   false,
                   false,
                   {},
                   levels,
                   reduces_tasks(d)};
    here.levels = nest.levels;
    here.cancellable = false;
    here.scan = phases.between;
    environment inside = copies.inside;
    inside.around = &here;
    inside.range_begin.clear();
    inside.range_end.clear();

    const auto run = [&](const std::string& begin, const std::string& end) {
        const std::string statement_text = rules.index_of(nest) + phases.begin + body(s, inside) +
                                           phases.end;
        return "{\n" +
               (simd.empty() ? nest.run(begin, end, statement_text)
                             : nest.run_under(simd, begin, end, statement_text)) +
               "}\n";
    };

    // The size of pieces is evaluated before the copies have the variables' names.
    loop_schedule schedule;
    if (distribute) {
        const auto* const c = d.getSingleClause<OMPDistScheduleClause>();
        schedule.chunk = c != nullptr && c->getChunkSize() != nullptr
                             ? "(unsigned long long)" + text(c->getChunkSize(), e)
                             : "0";
    } else if (shares) {
        schedule = schedule_of(d, ordered, cancels, e);
    }
    if (shares && schedule.chunk != "0") {
        nest.head += "unsigned long long const " + id + "_chunk = " + schedule.chunk + ";\n";
        schedule.chunk = id + "_chunk";
    }
    const auto& [schedule_kind, chunk, is_static] = schedule;

    std::string out = "{\n" + nest.head + copies.before + "{\n" + copies.open;
    out += "unsigned long long " + lo + " = 0, " + hi + " = 0;\nint " + last + " = 0;\n(void)" +
           lo + "; (void)" + hi + "; (void)" + last + ";\n";
    bool both = false;  // firstprivate and lastprivate: all threads must have read the original
                        // before one writes it
    if (shares && !d.getClausesOfKind<OMPLinearClause>().empty() && !distribute) {
        both = true;
    }
    both = both ||
           (!listed_first(d).empty() && !d.getClausesOfKind<OMPLastprivateClause>().empty() &&
            what == OMPD_for && !has(d, OMPD_distribute));
    if (both) {
        out += "__cp_barrier();\n";
    }

    if (distribute) {
        const std::string stride = id + "_stride";
        out += "unsigned long long " + stride + ";\n__cp_distribute(" + nest.total + ", " + chunk +
               ", &" + lo + ", &" + hi + ", &" + stride + ");\nfor (; " + lo + " < " + nest.total +
               "; " + lo + " += " + stride + ", " + hi + " += " + stride + ") {\nif (" + hi +
               " >= " + nest.total + ") { " + hi + " = " + nest.total + "; " + last + " = 1; }\n";
        if (outer_only) {
            environment in = copies.inside;
            in.range_begin = lo;
            in.range_end = hi;
            in.range_last = last;
            out += leaves(d, rest.drop_front(), in);
        } else {
            out += run(lo, hi);
        }
        out += "}\n";
    } else if (plain_simd) {
        if (e.range_begin.empty()) {
            out += last + " = " + nest.total + " != 0;\n" + run("0", nest.total);
        } else {
            out += run(e.range_begin, e.range_end);
        }
    } else {
        // The iterations to be shared among threads: all, or those of an enclosing distribute.
        const bool part = !e.range_begin.empty();
        const std::string total = part ? "(" + e.range_end + " - " + e.range_begin + ")"
                                       : nest.total;
        const std::string begin = part ? "(" + e.range_begin + " + " + lo + ")" : lo;
        const std::string end = part ? "(" + e.range_begin + " + " + hi + ")" : hi;
        const std::string is_last = part ? " && " + e.range_last : "";
        if (scan || e.sequential) {
            // One thread executes all iterations in order, so that an iteration of a scan finds the
            // sum of those before.
            out += std::string("if (__cp_single_start()) {\n") + last + " = " + total + " != 0;\n" +
                   hi + " = " + total + ";\n" + run(begin, end) + "}\n";
        } else if (ordered_levels != 0) {
            const std::string inner = iterations_inside(here);
            out += "unsigned long long const " + id + "_counts[] = {" + nest.total +
                   (inner.empty() ? "" : ", " + inner) + "};\n";
            out += "int " + more + ";\nfor (" + more + " = __cp_doacross_start(" +
                   (inner.empty() ? "1" : "2") + ", " + id + "_counts, " + schedule_kind + ", " +
                   chunk + ", &" + lo + ", &" + hi + "); " + more + "; " + more +
                   " = __cp_loop_next(" + schedule_kind + ", &" + lo + ", &" + hi + ")) {\n" +
                   run(begin, end) + last + " |= " + hi + " == " + total + is_last + ";\n}\n";
        } else if (is_static && !ordered) {
            const std::string stride = id + "_stride";
            if (chunk == "0") {
                out += "__cp_static(" + total + ", &" + lo + ", &" + hi + ");\nif (" + lo + " < " +
                       hi + ") {\n" + run(begin, end) + last + " = " + hi + " == " + total +
                       is_last + ";\n}\n";
            } else {
                out += "unsigned long long " + stride + ";\n__cp_static_chunks(" + total + ", " +
                       chunk + ", &" + lo + ", &" + hi + ", &" + stride + ");\nfor (; " + lo +
                       " < " + total + "; " + lo + " += " + stride + ", " + hi + " += " + stride +
                       ") {\nif (" + hi + " >= " + total + ") { " + hi + " = " + total + "; " +
                       last + " = 1" + is_last + "; }\n" + run(begin, end) + "}\n";
            }
        } else {
            out += "int " + more + ";\nfor (" + more + " = __cp_loop_start(" + total + ", " +
                   schedule_kind + ", " + chunk + ", &" + lo + ", &" + hi + "); " + more + "; " +
                   more + " = __cp_loop_next(" + schedule_kind + ", &" + lo + ", &" + hi +
                   ")) {\n" + run(begin, end) + last + " |= " + hi + " == " + total + is_last +
                   ";\n}\n";
        }
        const bool registered = !is_static || ordered || ordered_levels != 0;
        if (here.left) {
            out += here.exit + ":;\n";
        }
        std::string finish;
        const bool registers = registered && !scan && !e.sequential;
        const bool nowait = !d.getClausesOfKind<OMPNowaitClause>().empty() || combined;
        if (registers && (nowait || !copies.tasks.empty())) {
            finish = "__cp_loop_end_nowait();\n";
        }
        // A mark, replaced below by the values of counters that are visible after the loop.
        out += "%FINAL%";
        if (!copies.tasks.empty()) {
            out += finish + copies.reduce + copies.close + copies.tasks + "}\n";
        } else {
            out += copies.reduce + copies.close + "}\n" + finish;
            if (!nowait) {
                out += registers ? end_of_share(e, "loop", here.left) : barrier_text(e);
            }
        }
        out += "}\n";
    }
    if (what != OMPD_for) {
        if (here.left) {
            out += here.exit + ":;\n";
        }
        out += "%FINAL%" + copies.reduce + copies.close + copies.tasks + "}\n}\n";
    }
    // The values after the loop of counters that are visible there.
    std::string finals;
    for (unsigned n = 0; n < nest.counters.size() && !outer_only; ++n) {
        const VarDecl* const v = nest.counters[n];
        bool listed = false;
        const auto look = [&](const auto& clauses) {
            for (const auto* c : clauses) {
                for (const Expr* item : c->varlists()) {
                    const auto* name = dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts());
                    listed = listed || (name != nullptr && name->getDecl() == v);
                }
            }
        };
        look(d.getClausesOfKind<OMPLastprivateClause>());
        look(d.getClausesOfKind<OMPLinearClause>());
        listed = listed || ((nest.counters.size() > 1 || !rules.alone) &&
                            std::find(rules.write_back.begin(), rules.write_back.end(), v) !=
                                rules.write_back.end());
        if (listed) {
            if (nest.final_values.empty()) {
                // Counters that are no private copies here are declared in the loops; the
                // statements name all of them.
                finals = "if (" + last + ") {\n" + nest.finish + "}\n";
                break;
            }
            finals += "if (" + last + ") " + v->getName().str() + " = " + nest.final_values[n] +
                      ";\n";
        }
    }
    out.replace(out.find("%FINAL%"), 7, finals);
    return out;
}

}  // namespace cpt
