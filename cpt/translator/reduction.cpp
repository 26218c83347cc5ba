// The items of a reduction: which part of a variable the clause names, and the copy that replaces
// it.
#include "unit.hpp"

namespace cpt {

using namespace clang;

// The text of a clause's item; for a section of an array, that of its first element.
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

// Describes an item of a reduction: its address, the type of its elements, and how many it has.
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
        // The name of a variable can be replaced by another pointer; but a pointer that is an
        // element of an array cannot.
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

// The expression that replaces the variable of an item, so that its elements are those at `copy`
// instead of at `original`.
std::string unit::moved(const reduced& r, const std::string& copy, const std::string& original,
                        const environment& e, std::string& before)
{
    // The pointer may lie outside of the copy, and the type to which it points may be larger than
    // the copy. So its origin is hidden from the compiler, which only knows that it may point into
    // the copy.
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
                       const DeclarationName& name, const directive& d, const environment& e,
                       scan_phases* scan)
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
    const std::string initialize = initialize_elements(operation, name, r.element, copy, original,
                                                       number, d);
    const std::string add = combine_elements(operation, name, original, copy, number, d);
    if (scan == nullptr) {
        to.open += initialize;
        to.reduce += add;
        return;
    }
    // Iterations are executed in order, so the original has the sum of those before.
    const std::string i = fresh("i");
    const std::string take = "{ unsigned long " + i + ";\nfor (" + i + " = 0; " + i + " < " +
                             number + "; ++" + i + ") " +
                             assign(r.element, copy + "[" + i + "]", original + "[" + i + "]") +
                             "}\n";
    scan->begin += scan->exclusive ? take : "{\n" + initialize + "}\n";
    scan->between += "{\n" + (scan->exclusive ? initialize + "}\n" : add + "}\n" + take);
    scan->end += scan->exclusive ? "{\n" + add + "}\n" : "";
}

}  // namespace cpt
