// cpt-translate: reads one preprocessed file, writes it without OpenMP. Called by the driver, which
// preprocesses with the user's compiler and flags. Exit status: 0 written, 1 refused or wrong, 2
// wrong usage.
#include "hints.hpp"
#include "promises.hpp"
#include "unit.hpp"

#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

using namespace clang;

// Errors in system headers come from code for another compiler (its intrinsics) and are ignored: if
// the user's code needs it, there is an error there. cpt's own errors are always reported.
class diagnostics : public DiagnosticConsumer {
public:
    explicit diagnostics(DiagnosticOptions* options) : out_(said), printer_(out_, options) {}
    void BeginSourceFile(const LangOptions& language, const Preprocessor* p) override
    {
        printer_.BeginSourceFile(language, p);
    }
    void EndSourceFile() override { printer_.EndSourceFile(); }
    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& d) override
    {
        if (level < DiagnosticsEngine::Error && !after_error_) {
            return;
        }
        if (level >= DiagnosticsEngine::Error) {
            after_error_ = false;
            if (d.getID() < diag::DIAG_UPPER_LIMIT && d.hasSourceManager() &&
                d.getLocation().isValid() &&
                d.getSourceManager().isInSystemHeader(d.getLocation())) {
                return;
            }
            after_error_ = true;
            ++errors;
        }
        printer_.HandleDiagnostic(level, d);
        if (d.getID() == diag::err_function_definition_not_allowed) {
            out_ << "cpt: note: functions inside of functions, which gcc knows, are not "
                    "translated; give them a place of their own\n";
        } else if (d.getID() == diag::err_omp_variably_modified_type_not_supported) {
            out_ << "cpt: note: tasks get no copies of arrays of variable size; share the "
                    "array, or hand over a pointer\n";
        }
    }
    unsigned errors = 0;
    std::string said;  // the text of the messages

private:
    llvm::raw_string_ostream out_;
    TextDiagnosticPrinter printer_;
    bool after_error_ = false;
};

struct job {
    std::string output;
    bool done = false;
    bool refused = false;  // Clang reads it
    diagnostics* reports = nullptr;
};

class consumer : public ASTConsumer {
public:
    explicit consumer(job& j) : job_(j) {}
    void HandleTranslationUnit(ASTContext& context) override
    {
        if (job_.reports->errors != 0) {
            return;
        }
        job_.refused = true;
        cpt::unit unit(context);
        const std::string text = cpt::with_variants(unit.translate());
        if (job_.reports->errors == 0) {
            std::ofstream out(job_.output, std::ios::binary);
            out << text;
            out.close();
            job_.done = bool(out);
            if (!out) {
                std::cerr << "cpt: error: cannot write '" << job_.output << "'\n";
            }
        }
    }

private:
    job& job_;
};

class action : public ASTFrontendAction {
public:
    explicit action(job& j) : job_(j) {}
    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, StringRef) override
    {
        return std::make_unique<consumer>(job_);
    }

private:
    job& job_;
};

}  // namespace

int main(int count, char** arguments)
{
    job j;
    std::vector<std::string> command = {"cpt",
                                        "-x",
                                        "c",
                                        "-fsyntax-only",
                                        "-fopenmp",
                                        "-fopenmp-version=51",
                                        "-ferror-limit=0",
                                        "-w",
                                        "-Wno-implicit-function-declaration",
                                        "-Wno-implicit-int",
                                        "-Wno-int-conversion",
                                        "-Wno-incompatible-function-pointer-types",
                                        "-Wno-return-type",
                                        "-Wno-int-to-pointer-cast",
                                        "-nostdinc",
                                        "-fno-caret-diagnostics-max-lines",
                                        "-D_Float32=float",
                                        "-D_Float64=double",
                                        "-D_Float32x=double",
                                        "-D_Float64x=long double",
                                        "-D_Float128=__float128"};
    command.erase(std::find(command.begin(), command.end(), "-fno-caret-diagnostics-max-lines"));
    const auto version_at = std::find(command.begin(), command.end(), "-fopenmp-version=51") -
                            command.begin();
    std::string input, profile;
    int at = 1;
    for (; at < count; ++at) {
        const std::string_view a = arguments[at];
        if (a == "-o" && at + 1 < count) {
            j.output = arguments[++at];
        } else if (a == "--profile" && at + 1 < count) {
            profile = arguments[++at];
        } else if (a == "--") {
            ++at;
            break;
        } else {
            input = a;
        }
    }
    if (input.empty() || j.output.empty()) {
        std::cerr
            << "Usage: cpt-translate INPUT.i -o OUTPUT.i [--profile FILE] [-- clang's options]\n";
        return 2;
    }
    for (; at < count; ++at) {
        command.push_back(arguments[at]);
    }
    command.push_back(input);
    // If there are hints, Clang reads the text in which they are clauses.
    std::string text;
    cpt::bounds_of_places bounds;
    std::string error;
    if (!profile.empty() && !cpt::read_profile(profile, bounds, error)) {
        std::cerr << "cpt: error: " << error << "\n";
        return 1;
    }
    {
        std::ifstream in(input, std::ios::binary);
        text.assign((std::istreambuf_iterator<char>(in)), {});
    }
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
    const bool hints = !bounds.empty() || cpt::has_hints(text);
    if (hints && !cpt::apply_hints(text, input, bounds)) {
        return 1;
    }
    if (cpt::hide_directives(text) || hints) {
        llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> changed(
            new llvm::vfs::InMemoryFileSystem);
        if (const auto here = all->getCurrentWorkingDirectory()) {
            changed->setCurrentWorkingDirectory(*here);
        }
        changed->addFile(input, 0, llvm::MemoryBuffer::getMemBufferCopy(text, input));
        all->pushOverlay(changed);
    }
    llvm::IntrusiveRefCntPtr<FileManager> files(new FileManager(FileSystemOptions(), all));
    auto options = llvm::IntrusiveRefCntPtr<DiagnosticOptions>(new DiagnosticOptions());
    options->ShowPresumedLoc = 1;
    std::string said;
    // Each version of OpenMP has words that the other does not know. If both fail, the messages for
    // the first one are shown.
    for (const char* version : {"-fopenmp-version=51", "-fopenmp-version=52"}) {
        diagnostics reports(options.get());
        j.reports = &reports;
        command[version_at] = version;
        tooling::ToolInvocation invocation(command, std::make_unique<action>(j), files.get());
        invocation.setDiagnosticConsumer(&reports);
        invocation.run();
        if (j.done && reports.errors == 0) {
            llvm::errs() << reports.said;
            return 0;
        }
        if (said.empty()) {
            said = reports.said;
        }
        if (j.refused) {
            break;  // the other version would not help
        }
    }
    llvm::errs() << said;
    return 1;
}
