// Numbers the iterations of a directive's loops: iteration k of `total` is the same for every
// construct that distributes iterations, and k determines the counters. Within a piece the counters
// are incremented, not computed from k by divisions, so a single loop stays as simple as it was.
#include "loop_form.hpp"
#include "unit.hpp"
#include "words.hpp"

namespace cpt {

using namespace clang;

loop_nest unit::make_nest(const directive& d, unsigned levels, unsigned ordered,
                          const environment& e)
{
    if (const directive* const t = tiled(statement(d)); t != nullptr && ordered == 0) {
        return tile_nest(*t, levels, e);
    }
    loop_nest nest;
    const Stmt* s = statement(d);
    std::vector<level> all;
    unsigned declared_inside = 0;  // the offset before the inner loops
    std::string between;           // the text of statements between the loops
    for (unsigned n = 0; n < std::max(levels, ordered); ++n) {
        const ForStmt* const f = n > 0 && n < levels ? next_loop(s) : loop_in(s);
        level l{};
        if (f == nullptr || !read_loop(f, context_, l)) {
            refuse(d, "this form of loop nest is not supported");
        }
        if (declarations::variable_dimensions(l.counter_type) != 0) {
            refuse(f->getBeginLoc(),
                   "a loop over arrays of variable size by a pointer to one is not supported");
        }
        // Numbers of iterations have 64 bits.
        if (context_.getTypeSize(l.counter_type) > 64 || context_.getTypeSize(l.bound_type) > 64) {
            refuse(f->getBeginLoc(), "a loop that counts in more than 64 bits is not supported");
        }
        all.push_back(l);
        const unsigned head = source_.begin_of(f->getBeginLoc());
        if (n > 0 && loop_in(s) == nullptr) {
            between += source_.between(source_.begin_of(s->getBeginLoc()), head);
            between += source_.between(source_.end_of(f), source_.end_of(s));
        }
        // Counters are declared around the whole body. So if statements between the loops used the
        // name of an inner loop's counter for something else, they would use the counter.
        if (n > 0 && last_word(between, l.counter->getName().str()) != std::string_view::npos) {
            refuse(f->getBeginLoc(),
                   "statements between the loops of a nest that name the counter "
                   "of an inner loop are not supported");
        }
        // Directives before the loop that change nothing here leave no text.
        for (auto at = facts_.directives.lower_bound(
                 source_.begin_of(n == 0 ? d.getBeginLoc() : s->getBeginLoc()));
             at != facts_.directives.end() && at->first < head; ++at) {
            pragmas_done_.insert(source_.begin_of_line(at->first));
        }
        s = f->getBody();
        if (n == 0) {
            declared_inside = source_.begin_of(s->getBeginLoc());
        }
        for (auto at = facts_.names.lower_bound(head);
             n > 0 && at != facts_.names.end() && at->first < source_.begin_of(s->getBeginLoc());
             ++at) {
            const unsigned declared = source_.begin_of(at->second->getLocation());
            const bool counter = std::any_of(
                all.begin(), all.end(), [&](const level& x) { return x.counter == at->second; });
            if (!counter && declared_inside <= declared && declared < head) {
                refuse(f->getBeginLoc(),
                       "a loop of a nest whose head names variables that are "
                       "declared in the nest is not supported");
            }
        }
    }
    const std::string id = std::to_string(++count_);
    const auto name = [id](const char* what, unsigned n) {
        return std::string("__cp_") + what + std::to_string(n) + "_" + id;
    };
    // Whether a bound names the counter of an enclosing loop of the nest.
    const auto names_outer = [&](unsigned n) {
        for (const Expr* x : {all[n].begin, all[n].bound}) {
            const unsigned from = source_.begin_of(written(x)->getBeginLoc());
            const unsigned to = source_.end_of(written(x)->getEndLoc());
            for (auto at = facts_.names.lower_bound(from);
                 at != facts_.names.end() && at->first < to; ++at) {
                for (unsigned o = 0; o < n; ++o) {
                    if (at->second == all[o].counter) {
                        return true;
                    }
                }
            }
        }
        return false;
    };
    bool rectangular = true;
    for (unsigned n = 1; n < all.size(); ++n) {
        rectangular = rectangular && !names_outer(n);
    }
    environment inner = e;  // counters are private, under their own names
    for (const level& l : all) {
        inner.names.erase(l.counter);
    }
    // Begin, bound and number of iterations of level n.
    // The functions below outlive this one: they keep copies.
    const auto bounds = [=, this](unsigned n, const environment& where, bool declare_step) {
        const level& l = all[n];
        const std::string b = name("b", n), u = name("e", n), c = name("n", n), st = name("s", n);
        std::string out = declarations_.declare(l.counter_type, "const " + b) + " = " +
                          text(l.begin, where) + ";\n";
        // "const" belongs after a pointer's star, so it goes with the name.
        out += declarations_.declare(l.bound_type, "const " + u) + " = " + text(l.bound, where) +
               ";\n";
        if (declare_step) {
            std::string step = l.step == nullptr ? "1" : "(long long)" + text(l.step, where);
            out += "long long const " + st + " = " + (l.minus ? "-" : "") + step + ";\n";
        }
        const std::string magnitude = l.up ? "(unsigned long long)" + st
                                           : "(-(unsigned long long)" + st + ")";
        const bool pointer = l.counter_type->isAnyPointerType();
        const std::string big = l.up ? u : b, small = l.up ? b : u;
        const std::string distance = pointer ? "(unsigned long long)(" + big + " - " + small + ")"
                                             : "((unsigned long long)" + big +
                                                   " - (unsigned long long)" + small + ")";
        const std::string less = pointer ? small + " < " + big
                                         : "(" + declarations_.declare(l.bound_type, "") + ")" +
                                               small + " < (" +
                                               declarations_.declare(l.bound_type, "") + ")" + big;
        std::string some = less;
        if (l.inclusive) {
            some.replace(some.find(" < "), 3, " <= ");
            out += "unsigned long long const " + c + " = " + some + " ? " + distance + " / " +
                   magnitude + " + 1 : 0;\n";
        } else {
            out += "unsigned long long const " + c + " = " + some + " ? (" + distance + " - 1) / " +
                   magnitude + " + 1 : 0;\n";
        }
        return out;
    };
    const auto value = [=, this](unsigned n, const std::string& k) {
        const level& l = all[n];
        if (l.counter_type->isAnyPointerType()) {
            return name("b", n) + " + (long long)(" + k + ") * " + name("s", n);
        }
        return "(" + declarations_.declare(l.counter_type, "") + ")((unsigned long long)" +
               name("b", n) + " + (" + k + ") * (unsigned long long)" + name("s", n) + ")";
    };
    nest.total = "__cp_n_" + id;
    for (unsigned n = 0; n < levels; ++n) {
        nest.counters.push_back(all[n].counter);
    }
    if (rectangular) {
        std::string product;
        for (unsigned n = 0; n < all.size(); ++n) {
            nest.head += bounds(n, e, true);
            for (const char* what : {"b", "s", "n"}) {
                nest.state.push_back(
                    {*what == 'b'   ? declarations_.declare(all[n].counter_type, name(what, n))
                     : *what == 's' ? "long long " + name(what, n)
                                    : "unsigned long long " + name(what, n),
                     name(what, n)});
            }
            nest.levels.push_back({all[n].counter->getName().str(), name("b", n), name("s", n),
                                   name("n", n), all[n].counter_type->isAnyPointerType()});
            if (n < levels) {
                product += (product.empty() ? "" : " * ") + name("n", n);
                nest.final_values.push_back(value(n, name("n", n)));
            }
        }
        nest.head += "unsigned long long const " + nest.total + " = " + product + ";\n";
        nest.state.push_back({"unsigned long long " + nest.total, nest.total});
        nest.run_under = [=, this](const std::string& line, const std::string& begin,
                                   const std::string& end, const std::string& body) {
            const level& l = all[0];
            const std::string i = l.counter->getName().str(), k = "__cp_k_" + id,
                              last = "__cp_l_" + id;
            return "unsigned long long const " + k + " = " + begin + ";\n" + i + " = " +
                   value(0, k) + ";\nif (" + k + " < " + end + ") {\n" +
                   declarations_.declare(l.counter_type, "const " + last) + " = " +
                   value(0, "(" + end + " - 1)") + ";" + line + "for (" + i + " = " + value(0, k) +
                   "; " + i + (l.up ? " <= " : " >= ") + last + "; " + i +
                   (l.step == nullptr ? l.minus ? "--" : "++" : " += " + name("s", 0)) + ") {\n" +
                   body + "}\n}\n";
        };
        nest.run = [=, this](const std::string& begin, const std::string& end,
                             const std::string& body) {
            const std::string k = "__cp_k_" + id;
            if (levels == 1) {
                const std::string i = all[0].counter->getName().str();
                const std::string step = all[0].step == nullptr
                                             ? (all[0].minus ? "--" : "++") + i
                                             : i + " = " +
                                                   (all[0].counter_type->isAnyPointerType()
                                                        ? i + " + " + name("s", 0)
                                                        : "(" +
                                                              declarations_.declare(
                                                                  all[0].counter_type, "") +
                                                              ")(" + i + " + " + name("s", 0) +
                                                              ")");
                return "unsigned long long " + k + " = " + begin + ";\n" + i + " = " + value(0, k) +
                       ";\nfor (; " + k + " < " + end + "; ++" + k + ", " + step + ") {\n" + body +
                       "}\n";
            }
            // The positions in the loops; the last one changes fastest.
            std::string out = "unsigned long long " + k + " = " + begin + ", __cp_r_" + id + " = " +
                              begin + ";\nif (" + k + " < " + end + ") {\n";
            std::string next;
            for (unsigned n = levels; n-- > 0;) {
                const std::string x = name("x", n);
                out += "unsigned long long " + x + " = " +
                       (n == 0 ? "__cp_r_" + id : "__cp_r_" + id + " % " + name("n", n)) + ";\n";
                if (n > 0) {
                    out += "__cp_r_" + id + " /= " + name("n", n) + ";\n";
                    next += "++" + x + " < " + name("n", n) + " || (" + x + " = 0, ";
                } else {
                    next += "++" + x;
                }
            }
            next += std::string(levels - 1, ')');
            // Types: the conditions of a || b are int, what is assigned last decides nothing.
            std::string assign;
            for (unsigned n = 0; n < levels; ++n) {
                assign += all[n].counter->getName().str() + " = " + value(n, name("x", n)) + ";\n";
            }
            return out + "for (; " + k + " < " + end + "; ++" + k + ", (void)(" + next + ")) {\n" +
                   assign + body + "}\n}\n";
        };
        return nest;
    }
    if (ordered > 1) {
        refuse(d, "ordered(n) over loops whose bounds depend on each other is not supported");
    }
    // Bounds that depend on outer counters: iterations are counted by running through the outer
    // loops.
    nest.head += "unsigned long long " + nest.total + " = 0;\n";
    // The bounds are evaluated again where copies and counters may have the names of variables in
    // them. So their values are kept here, and of arrays the addresses.
    environment outside = e;
    std::set<const VarDecl*> kept;
    for (const level& l : all) {
        for (const Expr* x : {l.begin, l.bound, l.step}) {
            x = written(x);
            const unsigned to = x != nullptr ? source_.end_of(x->getEndLoc()) : 0;
            for (auto at =
                     facts_.names.lower_bound(to != 0 ? source_.begin_of(x->getBeginLoc()) : 0);
                 at != facts_.names.end() && at->first < to; ++at) {
                const VarDecl* const v = at->second;
                const bool counter = std::any_of(all.begin(), all.end(),
                                                 [&](const level& o) { return o.counter == v; });
                if (counter || !kept.insert(v).second) {
                    continue;
                }
                const std::string before = fresh("w_"), here = e.of(v);
                const bool array = v->getType()->isArrayType();
                nest.head += "__typeof__(" + here + ")" + (array ? "*" : "") + " const " + before +
                             " = " + (array ? "&" : "") + here + ";\n";
                outside.names[v] = array ? "(*" + before + ")" : before;
            }
        }
    }
    const auto open_loops = [=, this](std::string& out, std::string& close, bool declared,
                                      bool ends = false) {
        environment where = outside;
        for (unsigned n = 0; n + 1 < levels; ++n) {
            out += "{\n" + bounds(n, where, true);
            where.names.erase(all[n].counter);
            const std::string x = name("x", n), i = all[n].counter->getName().str();
            out += "unsigned long long " + x + " = 0;\nfor (; " + x + " < " + name("n", n) +
                   "; ++" + x + ") {\n";
            out += (declared ? i : declarations_.declare(all[n].counter_type, i)) + " = " +
                   value(n, x) + ";\n";
            close = "}\n" + (ends ? i + " = " + value(n, name("n", n)) + ";\n" : std::string()) +
                    "}\n" + close;
        }
        out += bounds(levels - 1, where, true);
    };
    std::string counting, counting_end;
    open_loops(counting, counting_end, false);
    nest.head += counting + nest.total + " += " + name("n", levels - 1) + ";\n" + counting_end;
    std::string ending, ending_end;
    open_loops(ending, ending_end, true, true);
    nest.finish = ending + all[levels - 1].counter->getName().str() + " = " +
                  value(levels - 1, name("n", levels - 1)) + ";\n" + ending_end;
    nest.run = [=](const std::string& begin, const std::string& end, const std::string& body) {
        const std::string done = "__cp_c_" + id, k = "__cp_k_" + id, x = name("x", levels - 1),
                          n = name("n", levels - 1);
        std::string out = "unsigned long long " + done + " = 0;\n", close;
        open_loops(out, close, true);
        out += "if (" + done + " + " + n + " <= " + begin + " || " + done + " >= " + end + ") { " +
               done + " += " + n + "; continue; }\n";
        out += "unsigned long long " + x + " = " + begin + " > " + done + " ? " + begin + " - " +
               done + " : 0;\n";
        const std::string i = all[levels - 1].counter->getName().str();
        out += "unsigned long long " + k + " = " + done + " + " + x + ";\nfor (; " + x + " < " + n +
               " && " + k + " < " + end + "; ++" + x + ", ++" + k + ") {\n" + i + " = " +
               value(levels - 1, x) + ";\n" + body + "}\n" + done + " += " + n + ";\n";
        return out + close;
    };
    return nest;
}

}  // namespace cpt
