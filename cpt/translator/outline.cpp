// Outlined functions, and the frames with the variables that they use of the function around them.
// Variables are passed by address, or by value if they cannot change meanwhile, which keeps loops
// that use them as fast as they were.
#include "unit.hpp"

namespace cpt {

using namespace clang;

namespace {

// The type of a copy of a variable: without const, also for the elements of arrays.
QualType plain(ASTContext& context, QualType type)
{
    if (const auto* a = context.getAsConstantArrayType(type)) {
        return context.getConstantArrayType(plain(context, a->getElementType()), a->getSize(),
                                            a->getSizeExpr(), a->getSizeModifier(), 0);
    }
    const bool is_volatile = type.isVolatileQualified();
    type = type.getUnqualifiedType();
    return is_volatile ? type.withVolatile() : type;
}

bool has_constant_part(ASTContext& context, QualType type)
{
    type = context.getBaseElementType(type.getCanonicalType());
    const auto* const record = type->getAsRecordDecl();
    return type.isConstQualified() ||
           (record != nullptr &&
            std::any_of(record->field_begin(), record->field_end(), [&](const FieldDecl* f) {
                return has_constant_part(context, f->getType());
            }));
}

}  // namespace

// Types that cannot be assigned are copied as memory.
std::string unit::assign(QualType type, const std::string& to, const std::string& from) const
{
    return type->isArrayType() || has_constant_part(context_, type.getUnqualifiedType())
               ? "__builtin_memcpy((void*)&" + to + ", (void*)&" + from + ", sizeof(" + to + "));\n"
               : to + " = " + from + ";\n";
}

// The attribute for a copy of a variable that was declared with an alignment.
std::string unit::alignment(const VarDecl* v) const
{
    const auto wanted = context_.getDeclAlign(v).getQuantity();
    if (allocated_.contains(v)) {
        // An allocate clause may ask for an alignment up to that of a cache line.
        return " __attribute__((aligned(" + std::to_string(std::max<long>(wanted, 64)) + ")))";
    }
    return v->hasAttr<AlignedAttr>() ? " __attribute__((aligned(" + std::to_string(wanted) + ")))"
                                     : "";
}

// The declaration of `name` with the variable's type. Variable dimensions are computed from the
// variable by the name that it has here.
std::string unit::declare(const VarDecl* v, const std::string& name, const environment& e,
                          QualType type)
{
    if (type.isNull()) {
        type = plain(context_, v->getType());
    }
    const std::string here = e.of(v);
    return declarations_.declare(type, name, [&](unsigned wanted) {
        // An expression for the element at the wanted dimension.
        std::string path = here;
        unsigned count = 0;
        QualType t = v->getType();
        while (true) {
            if (const auto* p = t->getAs<PointerType>()) {
                path = "(*" + path + ")";
                t = p->getPointeeType();
            } else if (const auto* a = context_.getAsArrayType(t)) {
                if (isa<VariableArrayType>(a) && count++ == wanted) {
                    return "sizeof(" + path + ") / sizeof(" + path + "[0])";
                }
                path += "[0]";
                t = a->getElementType();
            } else {
                return std::string();
            }
        }
    });
}

frame unit::make_frame(const directive& d, const environment& e,
                       const std::function<mode(const VarDecl*)>& how, std::string extra, bool task,
                       const std::set<const VarDecl*>& wanted)
{
    const unsigned begin = source_.begin_of(d.getBeginLoc()), end = source_.end_of(&d);
    frame f;
    f.name = fresh("frame_");
    f.inside.around = nullptr;
    f.inside.names = hoisted_;
    f.inside.sequential = e.sequential;
    std::string fields, types;
    std::string trailing;  // of variable arrays in the frame of a task
    long aligned = 64;     // what these need
    // Each variable dimension of a type, evaluated in the caller.
    const auto pass_dimensions = [&](const std::string& name, const std::string& here,
                                     QualType type) {
        const unsigned variable = declarations::variable_dimensions(type);
        for (unsigned i = 0; i < variable; ++i) {
            const std::string field = "__cp_d" + std::to_string(i) + "_" + name;
            fields += "  unsigned long " + field + ";\n";
            std::string size;
            std::string path = here;
            unsigned count = 0;
            QualType t = type;
            while (size.empty()) {
                if (const auto* p = t->getAs<PointerType>()) {
                    path = "(*" + path + ")";
                    t = p->getPointeeType();
                } else {
                    const auto* a = context_.getAsArrayType(t);
                    if (isa<VariableArrayType>(a) && count++ == i) {
                        size = "sizeof(" + path + ") / sizeof(" + path + "[0])";
                    }
                    path += "[0]";
                    t = a->getElementType();
                }
            }
            f.fill += "__cp_new." + field + " = " + size + ";\n";
            f.open += "unsigned long const " + field + " = __cp_f->" + field + ";\n";
        }
    };
    // Typedefs of variable size in a block around the region.
    std::set<const TypedefNameDecl*> named;
    for (const auto& [declared, at] : facts_.type_names) {
        const auto* t = dyn_cast<TypedefNameDecl>(declared);
        if (t == nullptr || at < begin || at >= end ||
            !t->getUnderlyingType()->isVariablyModifiedType() ||
            source_.begin_of(t->getLocation()) >= begin || !named.insert(t).second) {
            continue;
        }
        const std::string name = t->getName().str();
        pass_dimensions(name, "(*(" + name + "*)0)", t->getUnderlyingType());
        f.open += "typedef " + declarations_.declare(t->getUnderlyingType(), name, [&](unsigned i) {
            return "__cp_d" + std::to_string(i) + "_" + name;
        }) + ";\n";
    }
    for (const VarDecl* v : captured(begin, end, e, wanted)) {
        const std::string name = v->getName().str();
        const QualType type = v->getType();
        const unsigned variable = declarations::variable_dimensions(type);
        std::string here = e.of(v);
        mode m = how(v);
        if (e.moved_pointers.contains(v) && m == mode::reference) {
            m = task ? mode::in_frame : mode::value;
            f.inside.moved_pointers.insert(v);
        }
        pass_dimensions(name, here, type);
        const auto size = [&](unsigned i) { return "__cp_d" + std::to_string(i) + "_" + name; };
        if (m == mode::value) {
            const QualType copy = plain(context_, type);
            if (variable != 0) {  // a pointer to a variable array
                fields += "  void* " + name + ";\n";
                f.fill += "__cp_new." + name + " = (void*)" + here + ";\n";
            } else {
                fields += "  " + declarations_.declare(copy, name) + ";\n";
                f.fill += "__cp_new." + name + " = " + here + ";\n";
            }
            f.open += declarations_.declare(copy, name, size) + alignment(v) + " = __cp_f->" +
                      name + ";\n";
            f.inside.names.erase(v);
            f.inside.copied.insert(v);
        } else if (m == mode::in_frame) {
            if (variable != 0 && type->isArrayType()) {
                // The array is placed after the frame, at an offset that is known at run time.
                fields += "  unsigned long __cp_at_" + name + ";\n";
                const long edge = std::max<long>(64, context_.getDeclAlign(v).getQuantity());
                aligned = std::max(aligned, edge);
                f.fill += "__cp_new.__cp_at_" + name + " = __cp_size = (__cp_size + " +
                          std::to_string(edge - 1) + ") / " + std::to_string(edge) + " * " +
                          std::to_string(edge) + ";\n__cp_size += sizeof(" + here + ");\n";
                trailing += "__builtin_memcpy((char*)__cp_r + __cp_new.__cp_at_" + name +
                            ", (void*)&" + here + ", sizeof(" + here + "));\n";
                f.open += declarations_.declare(plain(context_, type), "(*__cp_p_" + name + ")",
                                                size) +
                          " = (void*)((char*)__cp_f + __cp_f->__cp_at_" + name + ");\n";
                f.inside.names[v] = "(*__cp_p_" + name + ")";
            } else if (variable != 0) {
                fields += "  void* " + name + ";\n";
                f.fill += "__cp_new." + name + " = (void*)" + here + ";\n";
                f.inside.copied.insert(v);
                f.open += declarations_.declare(plain(context_, type), name, size) + " = __cp_f->" +
                          name + ";\n";
            } else {
                fields += "  " + declarations_.declare(plain(context_, type), name) + alignment(v) +
                          ";\n";
                f.fill += assign(type, "__cp_new." + name, here);
                f.inside.names[v] = "(__cp_f->" + name + ")";
            }
        } else {
            fields += "  void* " + name + ";\n";
            f.fill += "__cp_new." + name + " = (void*)&" + here + ";\n";
            f.open += declarations_.declare(type, "(*__cp_p_" + name + ")", size) + " = __cp_f->" +
                      name + ";\n";
            f.inside.names[v] = "(*__cp_p_" + name + ")";
        }
    }
    // Functions that are declared in a block around the region.
    std::set<const FunctionDecl*> declared;
    for (auto at = facts_.functions.lower_bound(begin);
         at != facts_.functions.end() && at->first < end; ++at) {
        if (source_.begin_of(at->second->getLocation()) < begin &&
            declared.insert(at->second).second) {
            f.open += declarations_.declare(at->second->getType(), at->second->getName().str()) +
                      ";\n";
        }
    }
    for (auto at = facts_.names.lower_bound(begin); at != facts_.names.end() && at->first < end;
         ++at) {
        const VarDecl* const v = at->second;
        if (v->isLocalExternDecl() && source_.begin_of(v->getLocation()) < begin) {
            f.open = "extern " + declarations_.declare(v->getType(), v->getName().str()) + ";\n" +
                     f.open;
        }
    }
    before_ += "struct " + f.name + " {\n" + extra + fields + "};\n";
    if (task) {
        f.fill = "unsigned long __cp_size = sizeof __cp_new;\n" + f.fill;
        f.fill += "void* __cp_r = &__cp_new;\n";
        f.alignment = "__alignof__(struct " + f.name + ")";
        if (!trailing.empty()) {
            const std::string n = std::to_string(aligned);
            f.alignment = "(" + f.alignment + " > " + n + " ? " + f.alignment + " : " + n + ")";
            f.fill += "char __cp_space[__cp_size + 64] __attribute__((aligned(" + f.alignment +
                      ")));\n__cp_r = __cp_space;\n";
            f.fill += trailing + "__builtin_memcpy(__cp_r, &__cp_new, sizeof __cp_new);\n";
        }
    }
    return f;
}

void unit::outlined(const std::string& name, const std::string& parameter, const frame& f,
                    const std::string& body, unsigned at)
{
    before_ += "static void " + name + "(void*)" + attributes_ + ";\n";
    after_ += source_.marker(at, true) + "static void " + name + "(void* " + parameter +
              ")\n{\nstruct " + f.name + "* const __cp_f = " + parameter + ";\n(void)__cp_f;\n" +
              f.open + body + "\n}\n";
}

}  // namespace cpt
