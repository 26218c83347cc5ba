// Collected once for a unit, by a walk through all declaration contexts.
#include "local_names.hpp"

namespace cpt {

using namespace clang;

namespace {

// Blocks are no declaration contexts, but the statement of a directive is.
void collect_names(const DeclContext* context, std::set<std::string>& to)
{
    for (const Decl* d : context->decls()) {
        if (const auto* f = dyn_cast<FunctionDecl>(d)) {
            for (const ParmVarDecl* parameter : f->parameters()) {
                to.insert(parameter->getName().str());
            }
        }
        if (isa<FunctionDecl, CapturedDecl>(d)) {
            collect_names(cast<DeclContext>(d), to);
        }
        const auto* const named = dyn_cast<NamedDecl>(d);
        if (named != nullptr && isa<VarDecl, FunctionDecl>(d) && !context->isFileContext() &&
            named->getIdentifier() != nullptr) {
            to.insert(named->getName().str());
        }
    }
}

}  // namespace

const std::set<std::string>& local_names(const ASTContext& context)
{
    static const std::set<std::string> names = [&] {
        std::set<std::string> all;
        collect_names(context.getTranslationUnitDecl(), all);
        return all;
    }();
    return names;
}

}  // namespace cpt
