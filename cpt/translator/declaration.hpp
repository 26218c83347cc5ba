// Spells the declaration of a name with a given type, in C as it may stand at file scope.
#pragma once

#include "clang.hpp"

namespace cpt {

class declarations {
public:
    // Given a tagged type, what to call it: "struct s".
    std::function<std::string(const clang::TagDecl*)> tag;
    // Given the number of a variable dimension in the type, counted from the outside, its size.
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
