// Reductions: what a copy begins with, how it is combined with the original, and what of a variable
// the clause names. Operations are built in or declared by the program.
#include "unit.hpp"
#include "words.hpp"

namespace cpt {

using namespace clang;

namespace {

const OMPDeclareReductionDecl* declared_reduction(const Expr* operation)
{
    const auto* call = dyn_cast_or_null<CallExpr>(operation);
    const auto* value = call ? dyn_cast<OpaqueValueExpr>(call->getCallee()) : nullptr;
    const auto* name = value ? dyn_cast<DeclRefExpr>(value->getSourceExpr()->IgnoreImpCasts())
                             : nullptr;
    return name ? dyn_cast<OMPDeclareReductionDecl>(name->getDecl()) : nullptr;
}

// The head of a loop over elements. C89 has no declarations in it.
std::string each_of(const std::string& counter, const std::string& count)
{
    return "unsigned long " + counter + ";\nfor (" + counter + " = 0; " + counter + " < " + count +
           "; ++" + counter + ") {\n";
}

std::string limit(ASTContext& context, QualType type, const std::string& type_text, bool largest)
{
    if (type->isRealFloatingType()) {
        return largest ? "__builtin_inf()" : "-__builtin_inf()";
    }
    if (type->isUnsignedIntegerType()) {
        return largest ? "-1" : "0";
    }
    // In the type itself, which may be wider than long long.
    const std::string half = "((" + type_text + ")1 << " +
                             std::to_string(context.getTypeSize(type) - 2) + ")";
    const std::string top = "(" + half + " - 1 + " + half + ")";
    return largest ? top : "(-" + top + " - 1)";
}

}  // namespace

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
        const std::string word = name.getAsString();
        if (word == "min" || word == "max") {
            return limit(context_, type, declarations_.declare(type, ""), word == "min");
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
    for (bool first = true; depth != 0; --depth, first = false) {
        // A name can stand for another pointer, but not for memory in which one of many differs.
        if (!first && element->isAnyPointerType()) {
            refuse(d, "a reduction of what a pointer in memory points to is not supported");
        }
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

}  // namespace cpt
