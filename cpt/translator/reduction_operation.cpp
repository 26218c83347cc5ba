// The operation of a reduction, built in or declared by the program: what a copy begins with, and
// how it is combined with the original.
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

// The head of a loop over elements; in C89 it cannot contain the declaration.
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
        // After the second colon outside of brackets (the list of types contains no conditional).
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

// The same as a statement at the place of a construct, where names of the combiner may mean
// something else. So a reduction that is declared at file scope is a function at that place. One of
// a block stays text, which may name what the block declares.
std::string unit::declared_call(const OMPDeclareReductionDecl* r, bool initializer,
                                const std::string& out, const std::string& in, const directive& d)
{
    if (!r->getLexicalDeclContext()->isTranslationUnit()) {
        return declared_part(r, initializer, out, in, d);
    }
    std::string& name = reduction_functions_[{r, initializer}];
    if (name.empty()) {
        const std::string part = declared_part(r, initializer, "(*__cp_out)", "(*__cp_in)", d);
        if (part.empty()) {
            return {};
        }
        name = fresh(initializer ? "initialize_" : "combine_");
        const unsigned line = source_.begin_of_line(source_.begin_of(r->getLocation()));
        const unsigned end = source_.end_of_line(line);
        edits_.try_emplace(end, edit{end, ""})
            .first->second.text += source_.marker(line, true) +
                                   laid_out("static __attribute__((unused)) void " + name + "(" +
                                                declarations_.declare(r->getType(), "* __cp_out") +
                                                ", " +
                                                declarations_.declare(r->getType(), "* __cp_in") +
                                                ")\n{\n(void)__cp_in;\n" + part + "}\n",
                                            true) +
                                   source_.marker(end);
    }
    return name + "(&" + out + ", &" + in + ");\n";
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
        const std::string start = declared_call(declared, true, c, o, d);
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
        return each + declared_call(declared, false, o, c, d) + "}\n";
    }
    return each + combine(name, o, c, d) + "}\n";
}

}  // namespace cpt
