// C declarators are built from the name outwards: each pointer, array or function type wraps what
// has been written so far. Names of types that are not visible at file scope are replaced by the
// types that they stand for.
#include "declaration.hpp"

#include "local_names.hpp"

namespace cpt {

using namespace clang;

namespace {

std::string qualifiers(Qualifiers q)
{
    std::string text;
    if (q.hasConst()) {
        text += "const ";
    }
    if (q.hasVolatile()) {
        text += "volatile ";
    }
    if (q.hasRestrict()) {
        text += "__restrict ";
    }
    return text;
}

bool of_file(const Decl* d)
{
    return d->getDeclContext()->isFileContext();
}

}  // namespace

unsigned declarations::variable_dimensions(QualType type)
{
    unsigned count = 0;
    while (true) {
        if (const auto* p = type->getAs<PointerType>()) {
            type = p->getPointeeType();
        } else if (const auto* a = type->getAsArrayTypeUnsafe()) {
            count += isa<VariableArrayType>(a) ? 1 : 0;
            type = a->getElementType();
        } else {
            return count;
        }
    }
}

std::string declarations::spell(QualType type, const std::string& inner, const dimension& size,
                                unsigned& count) const
{
    const std::string q = qualifiers(type.getLocalQualifiers());
    const Type* const t = type.getTypePtr();
    if (const auto* named = dyn_cast<TypedefType>(t)) {
        const std::string name = named->getDecl()->getName().str();
        if (of_file(named->getDecl()) && variable_dimensions(type) == 0 &&
            !local_names(context_).contains(name)) {
            return q + name + " " + inner;
        }
    }
    if (const auto* p = dyn_cast<PointerType>(t)) {
        return spell(p->getPointeeType(), "(* " + q + inner + ")", size, count);
    }
    if (const auto* a = dyn_cast<ConstantArrayType>(t)) {
        llvm::SmallString<20> n;
        a->getSize().toStringUnsigned(n);
        return spell(a->getElementType().withFastQualifiers(type.getLocalFastQualifiers()),
                     inner + "[" + n.str().str() + "]", size, count);
    }
    if (const auto* a = dyn_cast<IncompleteArrayType>(t)) {
        return spell(a->getElementType(), inner + "[]", size, count);
    }
    if (const auto* a = dyn_cast<VariableArrayType>(t)) {
        const std::string n = size ? size(count) : "";
        ++count;
        return spell(a->getElementType(), inner + "[" + n + "]", size, count);
    }
    if (const auto* f = dyn_cast<FunctionProtoType>(t)) {
        std::string parameters;
        for (const QualType parameter : f->param_types()) {
            unsigned none = 0;
            parameters += (parameters.empty() ? "" : ", ") + spell(parameter, "", {}, none);
        }
        if (f->isVariadic()) {
            parameters += ", ...";
        }
        return spell(f->getReturnType(),
                     inner + "(" + (parameters.empty() ? "void" : parameters) + ")", size, count);
    }
    if (const auto* f = dyn_cast<FunctionNoProtoType>(t)) {
        return spell(f->getReturnType(), inner + "()", size, count);
    }
    if (const auto* r = dyn_cast<TagType>(t)) {
        return q + tag(r->getDecl()) + " " + inner;
    }
    if (const auto* v = dyn_cast<VectorType>(t)) {
        const auto bytes = context_.getTypeSizeInChars(type).getQuantity();
        return "__attribute__((vector_size(" + std::to_string(bytes) + "))) " + q +
               spell(v->getElementType(), inner, size, count);
    }
    if (const auto* a = dyn_cast<AtomicType>(t)) {
        unsigned none = 0;
        return q + "_Atomic(" + spell(a->getValueType(), "", {}, none) + ") " + inner;
    }
    if (const auto* c = dyn_cast<ComplexType>(t)) {
        return q + "_Complex " + spell(c->getElementType(), inner, size, count);
    }
    if (isa<BuiltinType, BitIntType>(t)) {
        PrintingPolicy policy(context_.getLangOpts());
        policy.Bool = false;
        QualType bare(t, 0);
        return q + bare.getAsString(policy) + " " + inner;
    }
    // A type that only names another one: spells that type, with the qualifiers of both.
    const QualType behind = t->getLocallyUnqualifiedSingleStepDesugaredType();
    if (behind.getTypePtr() == t) {
        return q + type.getAsString() + " " + inner;
    }
    return spell(
        behind.withFastQualifiers(behind.getLocalFastQualifiers() | type.getLocalFastQualifiers()),
        inner, size, count);
}

std::string declarations::declare(QualType type, const std::string& name,
                                  const dimension& size) const
{
    unsigned count = 0;
    return spell(type, name, size, count);
}

}  // namespace cpt
