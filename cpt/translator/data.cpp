// Private copies: private, firstprivate, lastprivate, reduction and linear. A copy has the
// variable's own name, in a block of its own, so the user's text stays as it is; the original is
// reached through a pointer that was made in front of the block.
#include "unit.hpp"

namespace cpt {

using namespace clang;

const VarDecl* variable_of(const Expr* e)
{
    const auto* name = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
    return name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

namespace {

const OMPDeclareReductionDecl* declared_reduction(const Expr* operation)
{
    const auto* call = dyn_cast_or_null<CallExpr>(operation);
    const auto* value = call ? dyn_cast<OpaqueValueExpr>(call->getCallee()) : nullptr;
    const auto* name = value ? dyn_cast<DeclRefExpr>(value->getSourceExpr()->IgnoreImpCasts())
                             : nullptr;
    return name ? dyn_cast<OMPDeclareReductionDecl>(name->getDecl()) : nullptr;
}

bool word_character(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string replace_words(std::string_view text, const std::map<std::string, std::string>& words)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && word_character(text[end])) {
            ++end;
        }
        if (end == at) {
            out += text[at++];
            continue;
        }
        const std::string word(text.substr(at, end - at));
        const auto found = words.find(word);
        out += found == words.end() ? word : found->second;
        at = end;
    }
    return out;
}

std::size_t closing(std::string_view text, std::size_t open)
{
    unsigned depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '"' || text[at] == '\'') {
            const char quote = text[at++];
            while (at < text.size() && text[at] != quote) {
                at += text[at] == '\\' ? 2 : 1;
            }
        } else if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
            ++depth;
        } else if ((text[at] == ')' || text[at] == ']' || text[at] == '}') && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

// The head of a loop over elements. C89 has no declarations in it.
std::string each_of(const std::string& counter, const std::string& count)
{
    return "unsigned long " + counter + ";\nfor (" + counter + " = 0; " + counter + " < " + count +
           "; ++" + counter + ") {\n";
}

std::string limit(ASTContext& context, QualType type, bool largest)
{
    if (type->isRealFloatingType()) {
        return largest ? "__builtin_inf()" : "-__builtin_inf()";
    }
    const unsigned width = unsigned(context.getTypeSize(type));
    if (type->isUnsignedIntegerType()) {
        return largest ? "-1" : "0";
    }
    const std::string top = "(long long)((1ull << " + std::to_string(width - 1) + ") - 1)";
    return largest ? top : "(-" + top + " - 1)";
}

}  // namespace

std::set<const VarDecl*> unit::listed_last(const directive& d)
{
    std::set<const VarDecl*> all;
    for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            all.insert(variable_of(item));
        }
    }
    return all;
}

std::set<const VarDecl*> unit::listed_first(const directive& d) const
{
    const std::vector<const VarDecl*> all = firstprivates(d);
    return {all.begin(), all.end()};
}

// Those that the user wrote, and those that tasks get without a word.
std::vector<const VarDecl*> unit::firstprivates(const directive& d) const
{
    std::vector<const VarDecl*> all;
    for (const auto* c : d.getClausesOfKind<OMPFirstprivateClause>()) {
        for (const Expr* item : c->varlists()) {
            const VarDecl* const v = variable_of(item);
            if (v != nullptr && !(c->isImplicit() && shared_by_region(v, d))) {
                all.push_back(v);
            }
        }
    }
    return all;
}

namespace {

bool listed_in_any(const directive& d, const VarDecl* v)
{
    for (const OMPClause* c : d.clauses()) {
        if (c == nullptr || c->isImplicit()) {
            continue;
        }
        const bool attribute = isa<OMPPrivateClause, OMPFirstprivateClause, OMPLastprivateClause,
                                   OMPReductionClause, OMPInReductionClause, OMPLinearClause>(c);
        for (const Stmt* item : const_cast<OMPClause*>(c)->children()) {
            const auto* e = attribute ? dyn_cast_or_null<Expr>(item) : nullptr;
            if (e != nullptr && variable_of(e) == v) {
                return true;
            }
        }
    }
    if (const auto* l = dyn_cast<OMPLoopDirective>(&d)) {
        for (const Expr* counter : l->counters()) {
            if (counter != nullptr && variable_of(counter) == v) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

// Clang 19 takes what a combined region of tasks ("parallel master taskloop") shares for private to
// its tasks, because it sees one construct without a region around it.
bool unit::shared_by_region(const VarDecl* v, const directive& d) const
{
    const unsigned inner = source_.begin_of(d.getBeginLoc());
    for (auto at = facts_.directives.upper_bound(inner); at != facts_.directives.begin();) {
        --at;
        const directive& around = *at->second;
        if (&around != &d && source_.end_of(&around) <= inner) {
            continue;
        }
        if (listed_in_any(around, v)) {
            return false;
        }
        if (has(around, llvm::omp::OMPD_parallel)) {
            const auto* all = around.getSingleClause<OMPDefaultClause>();
            return has(around, llvm::omp::OMPD_taskloop) &&
                   source_.begin_of(v->getLocation()) < at->first &&
                   (all == nullptr ||
                    (all->getDefaultKind() != llvm::omp::OMP_DEFAULT_private &&
                     all->getDefaultKind() != llvm::omp::OMP_DEFAULT_firstprivate));
        }
    }
    return false;
}

std::string unit::initial_value(const DeclarationName& name, QualType type, const directive& d)
{
    if (name.getNameKind() == DeclarationName::CXXOperatorName) {
        switch (name.getCXXOverloadedOperator()) {
        case OO_Plus:
        case OO_Minus:
        case OO_Pipe:
        case OO_Caret:
        case OO_PipePipe: return "0";
        case OO_Star:
        case OO_AmpAmp: return "1";
        case OO_Amp: return "~0";
        default: break;
        }
    } else if (name.isIdentifier()) {
        if (name.getAsString() == "min") {
            return limit(context_, type, true);
        }
        if (name.getAsString() == "max") {
            return limit(context_, type, false);
        }
    }
    refuse(d, "reduction with '" + name.getAsString() + "' is not supported");
}

std::string unit::combine(const DeclarationName& name, const std::string& out,
                          const std::string& in, const directive& d)
{
    if (name.getNameKind() == DeclarationName::CXXOperatorName) {
        const char* op = nullptr;
        switch (name.getCXXOverloadedOperator()) {
        case OO_Plus:
        case OO_Minus: op = "+"; break;
        case OO_Star: op = "*"; break;
        case OO_Amp: op = "&"; break;
        case OO_Pipe: op = "|"; break;
        case OO_Caret: op = "^"; break;
        case OO_AmpAmp: op = "&&"; break;
        case OO_PipePipe: op = "||"; break;
        default: break;
        }
        if (op != nullptr) {
            return out + " = " + out + " " + op + " " + in + ";\n";
        }
    } else if (name.isIdentifier()) {
        if (name.getAsString() == "min") {
            return "if (" + in + " < " + out + ") " + out + " = " + in + ";\n";
        }
        if (name.getAsString() == "max") {
            return "if (" + in + " > " + out + ") " + out + " = " + in + ";\n";
        }
    }
    refuse(d, "reduction with '" + name.getAsString() + "' is not supported");
}

// The combiner, or the initializer, of a declared reduction, as statement; empty where there is
// none. `out` and `in` are omp_out and omp_in, or omp_priv and omp_orig.
std::string unit::declared_part(const OMPDeclareReductionDecl* r, bool initializer,
                                const std::string& out, const std::string& in, const directive& d)
{
    const unsigned line = source_.begin_of_line(source_.begin_of(r->getLocation()));
    const unsigned end = source_.end_of_line(line);
    const std::string_view pragma = source_.between(line, end);
    const std::size_t open = pragma.find('(', pragma.find("reduction"));
    const std::size_t close = closing(pragma, open);
    if (open == pragma.npos || close >= pragma.size()) {
        refuse(d, "the declared reduction cannot be read");
    }
    if (!initializer) {
        // Behind the second colon that stands in no brackets (and in no conditional of the type
        // list).
        std::size_t at = open + 1;
        for (unsigned colons = 0; colons < 2 && at < close; ++at) {
            if (pragma[at] == '(' || pragma[at] == '[') {
                at = closing(pragma, at);
            } else if (pragma[at] == ':') {
                ++colons;
            }
        }
        return replace_words(pragma.substr(at, close - at), {{"omp_out", out}, {"omp_in", in}}) +
               ";\n";
    }
    const std::size_t word = pragma.find("initializer", close);
    if (word == pragma.npos) {
        return {};
    }
    const std::size_t begin = pragma.find('(', word);
    std::string_view inner = pragma.substr(begin + 1, closing(pragma, begin) - begin - 1);
    inner.remove_prefix(std::min(inner.find_first_not_of(" \t"), inner.size()));
    if (inner.substr(0, 8) == "omp_priv" && !word_character(inner.size() > 8 ? inner[8] : ' ')) {
        std::string_view rest = inner.substr(8);
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        if (!rest.empty() && rest[0] == '=') {
            // An initialiser: braces may stand in it.
            return "{ __typeof__(" + out + ") __cp_i = " +
                   replace_words(rest.substr(1), {{"omp_priv", out}, {"omp_orig", in}}) +
                   "; __builtin_memcpy((void*)&" + out + ", &__cp_i, sizeof __cp_i); }\n";
        }
    }
    return replace_words(inner, {{"omp_priv", out}, {"omp_orig", in}}) + ";\n";
}

// The text of a clause's item, which may be a section of an array: what stands at its beginning.
std::string unit::item_text(const Expr* item, const environment& e)
{
    item = item->IgnoreParenImpCasts();
    if (const auto* s = dyn_cast<ArraySectionExpr>(item)) {
        const std::string lower = s->getLowerBound() ? text(s->getLowerBound(), e) : "0";
        return item_text(s->getBase(), e) + "[" + lower + "]";
    }
    if (const auto* s = dyn_cast<ArraySubscriptExpr>(item)) {
        return item_text(s->getBase(), e) + "[" + text(s->getIdx(), e) + "]";
    }
    return text(item, e);
}

std::string unit::address_of_item(const Expr* item, const environment& e)
{
    return "(void*)&" + item_text(item, e);
}

// What an item of a reduction is: where it begins, its element's type, and how many elements it
// has.
unit::reduced unit::describe(const Expr* item, const directive& d, const environment& e)
{
    reduced r;
    item = item->IgnoreParenImpCasts();
    if (const VarDecl* v = variable_of(item)) {
        r.variable = v;
        r.whole = true;
        r.element = context_.getBaseElementType(v->getType()).getUnqualifiedType();
        r.address = "(void*)&" + e.of(v);
        r.count = "(sizeof(" + e.of(v) + ") / sizeof(" + declarations_.declare(r.element, "") +
                  "))";
        return r;
    }
    // A section of an array, or of what a pointer points to.
    const Expr* base = item;
    std::string count;
    unsigned depth = 0;  // how many dimensions are named
    while (true) {
        base = base->IgnoreParenImpCasts();
        if (const auto* s = dyn_cast<ArraySectionExpr>(base)) {
            const std::string whole = item_text(s->getBase(), e);
            const std::string length = s->getColonLocFirst().isInvalid() ? "1"
                                       : s->getLength() != nullptr
                                           ? text(s->getLength(), e)
                                           : "(sizeof(" + whole + ") / sizeof(" + whole +
                                                 "[0]) - " +
                                                 (s->getLowerBound() ? text(s->getLowerBound(), e)
                                                                     : "0") +
                                                 ")";
            count = count.empty() ? length : length + " * " + count;
            base = s->getBase();
        } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(base)) {
            base = element->getBase();
        } else {
            break;
        }
        ++depth;
    }
    r.variable = variable_of(base);
    if (r.variable == nullptr) {
        refuse(d, "this form of array section in a reduction is not supported");
    }
    QualType element = r.variable->getType();
    for (; depth != 0; --depth) {
        element = element->isArrayType() ? context_.getAsArrayType(element)->getElementType()
                                         : element->getPointeeType();
    }
    r.element = context_.getBaseElementType(element).getUnqualifiedType();
    const std::string first = item_text(item, e);
    r.address = "(void*)&" + first;
    r.count = "((unsigned long)(" + (count.empty() ? "1" : count) + ") * (sizeof(" + first +
              ") / sizeof(" + declarations_.declare(r.element, "") + ")))";
    return r;
}

// Statements over `count` elements at `copy`, and at `original`.
std::string unit::initialize_elements(const Expr* operation, const DeclarationName& name,
                                      QualType element, const std::string& copy,
                                      const std::string& original, const std::string& count,
                                      const directive& d)
{
    const std::string i = fresh("i"), each = each_of(i, count);
    const std::string c = copy + "[" + i + "]", o = original + "[" + i + "]";
    if (const OMPDeclareReductionDecl* declared = declared_reduction(operation)) {
        const std::string start = declared_part(declared, true, c, o, d);
        return start.empty() ? "__builtin_memset((void*)" + copy + ", 0, sizeof(*" + copy + ") * " +
                                   count + ");\n"
                             : each + start + "}\n";
    }
    return each + c + " = " + initial_value(name, element, d) + ";\n}\n";
}

std::string unit::combine_elements(const Expr* operation, const DeclarationName& name,
                                   const std::string& original, const std::string& copy,
                                   const std::string& count, const directive& d)
{
    const std::string i = fresh("i"), each = each_of(i, count);
    const std::string c = copy + "[" + i + "]", o = original + "[" + i + "]";
    if (const OMPDeclareReductionDecl* declared = declared_reduction(operation)) {
        return each + declared_part(declared, false, o, c, d) + "}\n";
    }
    return each + combine(name, o, c, d) + "}\n";
}

// What the variable of an item is called when its elements lie at `copy` instead of at `original`.
std::string unit::moved(const reduced& r, const std::string& copy, const std::string& original,
                        const environment& e, std::string& before)
{
    // The pointer leaves the copy's bounds on its way, and what it points at is larger than the
    // copy: compilers are not to know where it came from, only that it may point into the copy.
    const std::string name = fresh("m"), address = fresh("q"), here = e.of(r.variable);
    const bool array = r.whole || r.variable->getType()->isArrayType();
    before += "char* " + address + " = (char*)" + copy + " - ((char*)" + original + " - (char*)" +
              (array ? "&" : "") + here + ");\n__asm__ volatile(\"\" : \"+r\"(" + address +
              ") : \"r\"(" + copy + ") : \"memory\");\n";
    before += "__typeof__(" + here + ")" + (array ? "*" : "") + " const " + name + " = (void*)" +
              address + ";\n";
    return array ? "(*" + name + ")" : name;
}

void unit::reduce_into(private_copies& to, const Expr* item, const Expr* operation,
                       const DeclarationName& name, const directive& d, const environment& e)
{
    const std::string original = fresh("o"), copy = fresh("c"), number = fresh("n");
    const reduced r = describe(item, d, e);
    to.before += declarations_.declare(r.element, "* const " + original) + " = " + r.address +
                 ";\nunsigned long const " + number + " = " + r.count + ";\n";
    if (r.whole) {
        const VarDecl* const v = r.variable;
        const std::string n = v->getName().str();
        environment through = e;
        if (declarations::variable_dimensions(v->getType()) != 0) {
            const std::string pointer = fresh("t");
            to.before += "__typeof__(" + e.of(v) + ")* const " + pointer + " = &" + e.of(v) + ";\n";
            through.names[v] = "(*" + pointer + ")";
        }
        to.open += declare(v, n, through) + alignment(v) + ";\n";
        to.inside.names.erase(v);
        to.inside.copied.insert(v);
        to.open += declarations_.declare(r.element, "* const " + copy) + " = (void*)&" + n + ";\n";
    } else {
        to.before += declarations_.declare(r.element, copy + "[" + number + " + 1]") + ";\n";
        to.inside.names[r.variable] = moved(r, copy, original, e, to.before);
        if (!r.variable->getType()->isArrayType()) {
            to.inside.moved_pointers.insert(r.variable);
        }
    }
    to.open += initialize_elements(operation, name, r.element, copy, original, number, d);
    to.reduce += combine_elements(operation, name, original, copy, number, d);
}

private_copies unit::make_private(const directive& d, const environment& e, data_rules& rules)
{
    private_copies to;
    to.inside = e;
    std::set<const VarDecl*> done;
    // A copy without a value; `original`: where a pointer to the original is wanted, its name.
    const auto copy = [&](const VarDecl* v, std::string* original) {
        const std::string n = v->getName().str();
        const bool variable = declarations::variable_dimensions(v->getType()) != 0;
        std::string pointer;
        if (original != nullptr || variable) {
            pointer = fresh("o_" + n);
            to.before += "__typeof__(" + e.of(v) + ")* const " + pointer + " = &" + e.of(v) + ";\n";
        }
        if (original != nullptr) {
            *original = pointer;
        }
        if (!done.insert(v).second) {
            return;
        }
        environment through = e;
        if (variable) {
            through.names[v] = "(*" + pointer + ")";
        }
        to.open += declare(v, n, through) + alignment(v) + ";\n";
        to.inside.names.erase(v);
        to.inside.copied.insert(v);
    };
    const auto assign = [&](const VarDecl* v, const std::string& target, const std::string& from) {
        return v->getType()->isArrayType() ? "__builtin_memcpy((void*)&" + target + ", (void*)&" +
                                                 from + ", sizeof(" + target + "));\n"
                                           : target + " = " + from + ";\n";
    };
    if (rules.firstprivate) {
        for (const VarDecl* v : firstprivates(d)) {
            if (!rules.values.contains(v) && !done.contains(v) && !rules.not_first.contains(v)) {
                std::string original;
                copy(v, &original);
                to.open += assign(v, v->getName().str(), "(*" + original + ")");
            }
        }
    }
    if (rules.lastprivate) {
        for (const auto* c : d.getClausesOfKind<OMPLastprivateClause>()) {
            const bool conditional = c->getKind() == OMPC_LASTPRIVATE_conditional;
            if (conditional && rules.position.empty()) {
                refuse(c->getBeginLoc(), "lastprivate(conditional) is not supported here");
            }
            for (const Expr* item : c->varlists()) {
                const VarDecl* const v = variable_of(item);
                if (v == nullptr) {
                    continue;
                }
                std::string original;
                copy(v, &original);
                if (conditional) {
                    // The position of the iteration that assigned it last; the highest one of all
                    // threads wins.
                    const std::string n = v->getName().str(), when = fresh("w");
                    to.open += "unsigned long long " + when + " = 0;\n";
                    to.inside.assigned[v] = "(*(" + when + " = " + rules.position + " + 1, &" + n +
                                            "))";
                    if (rules.alone) {
                        to.close += "if (" + when + " != 0) *" + original + " = " + n + ";\n";
                        continue;
                    }
                    const std::string best = "__cp_best[" + std::to_string(to.conditional++) + "]";
                    to.close += "__cp_reduce_begin();\nif (" + when + " > " + best + ") { " + best +
                                " = " + when + "; *" + original + " = " + n +
                                "; }\n__cp_reduce_end();\n";
                    continue;
                }
                to.close += "if (" + rules.last + ") { " +
                            assign(v, "(*" + original + ")", v->getName().str()) + "}\n";
            }
        }
    }
    if (to.conditional != 0) {
        // One thread has the words in its frame until all have compared with them.
        const std::string n = std::to_string(to.conditional);
        to.before +=
            "unsigned long long __cp_mine[" + n +
            "] = {0}, *__cp_best = __cp_mine;\n{\nvoid* __cp_list[1];\nvoid** const "
            "__cp_from = __cp_single_copy_start();\nif (__cp_from == (void**)0) {\n__cp_list[0] = __cp_mine;\n"
            "__cp_single_copy_end(__cp_list);\n} else {\n__cp_best = __cp_from[0];\n}\n__cp_barrier();\n}\n";
        to.close += "__cp_barrier();\n";
    }
    if (rules.linear) {
        for (const auto* c : d.getClausesOfKind<OMPLinearClause>()) {
            for (const Expr* item : c->varlists()) {
                const VarDecl* const v = variable_of(item);
                const std::string n = v->getName().str();
                if (std::find(rules.counters.begin(), rules.counters.end(), v) !=
                    rules.counters.end()) {
                    std::string original;
                    copy(v, &original);
                    to.close += "if (" + rules.last + ") *" + original + " = " + n + ";\n";
                    continue;
                }
                std::string original;
                copy(v, &original);
                const std::string start = fresh("l"), step = fresh("s");
                to.before += "__typeof__(*" + original + ") const " + start + " = *" + original +
                             ";\nlong long const " + step + " = " +
                             (c->getStep() ? text(c->getStep(), e) : "1") + ";\n";
                const std::string at = v->getType()->isAnyPointerType()
                                           ? start + " + (long long)%K% * " + step
                                           : "(__typeof__(" + n + "))(" + start + " + %K% * " +
                                                 step + ")";
                rules.index += n + " = " + at + ";\n";
                std::string last = at;
                last.replace(last.find("%K%"), 3, rules.total);
                to.close += "if (" + rules.last + ") *" + original + " = " + last + ";\n";
            }
        }
    }
    for (const VarDecl* v : rules.write_back) {
        if (!done.contains(v)) {
            std::string original;
            copy(v, &original);
            to.close += (rules.alone ? "" : "if (" + rules.last + ") ") + "*" + original + " = " +
                        v->getName().str() + ";\n";
        }
    }
    if (rules.privates) {
        for (const auto* c : d.getClausesOfKind<OMPPrivateClause>()) {
            for (const Expr* item : c->varlists()) {
                if (const VarDecl* v = variable_of(item); v != nullptr && !done.contains(v)) {
                    copy(v, nullptr);
                }
            }
        }
        for (const VarDecl* v : rules.counters) {
            if (!done.contains(v)) {
                copy(v, nullptr);
            }
        }
    }
    if (rules.reduction) {
        for (const auto* c : d.getClausesOfKind<OMPReductionClause>()) {
            auto operation = c->reduction_ops().begin();
            if (c->getModifier() == OMPC_REDUCTION_task) {
                continue;
            }
            for (const Expr* item : c->varlists()) {
                reduce_into(to, item, *operation++, c->getNameInfo().getName(), d, e);
            }
        }
        if (!to.reduce.empty()) {
            to.reduce = "__cp_reduce_begin();\n" + to.reduce + "__cp_reduce_end();\n";
        }
        share_reductions(to, d, e);
    }
    return to;
}

}  // namespace cpt
