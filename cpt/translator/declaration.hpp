// Writes the declaration of a name with a given type, in C that is valid at file scope.
#pragma once

#include "clang.hpp"

namespace cpt {

class declarations {
public:
    // The name of a tagged type, "struct s".
    std::function<std::string(const clang::TagDecl*)> tag;
    // The size of a variable dimension of the type, by its number, counted from the outside.
    using dimension = std::function<std::string(unsigned)>;

    explicit declarations(clang::ASTContext& context) : context_(context) {}

    std::string declare(clang::QualType type, const std::string& name,
                        const dimension& size = {}) const;
    // How many variable dimensions the type has.
    static unsigned variable_dimensions(clang::QualType type);

private:
    std::string spell(clang::QualType type, const std::string& inner, const dimension& size,
                      unsigned& count) const;

    clang::ASTContext& context_;
};

}  // namespace cpt
