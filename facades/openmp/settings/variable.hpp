// One setting from the environment, or from kmp_set_defaults. A malformed value gets libgomp's
// warning and the default; in programs made for libomp (dialect.hpp), libomp's warnings, which
// mostly name the value that is used instead. Used while settings are read; any thread.
#pragma once

#include "env_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace artel::openmp {

// Adds settings in the form "NAME=value|NAME=value", which override the environment for variables
// that are read later.
void override_environment(std::string_view settings);

class variable {
public:
    explicit variable(const char* name);

    explicit operator bool() const noexcept { return text_.has_value(); }
    const char* name() const noexcept { return name_; }
    const std::string& text() const noexcept { return *text_; }
    bool operator==(const char* other) const noexcept { return text_ && *text_ == other; }

    // The value, or nothing when none was given or it was not allowed, after a warning. number: of
    // at least `least`; programs made for libomp get the nearest allowed number. For a text that is
    // no number libomp's warning names `otherwise` as the value used; nothing_else: it names none.
    static constexpr std::uint64_t nothing_else = UINT64_MAX;
    std::optional<std::uint64_t> number(std::uint64_t least, std::uint64_t most,
                                        std::uint64_t otherwise) const;
    std::optional<bool> boolean() const;
    std::optional<std::size_t> bytes(std::size_t otherwise) const;      // KiB without a unit
    std::optional<std::size_t> kmp_bytes(std::size_t otherwise) const;  // bytes without a unit
    // Index of the word among `words`.
    std::optional<unsigned> word(const char* const* words, unsigned count) const;

    // "is an invalid value; ignored".
    void invalid() const noexcept;

private:
    std::optional<std::size_t> checked(std::optional<std::size_t> bytes,
                                       std::size_t otherwise) const;
    void corrected(const char* why, std::uint64_t used, bool is_size) const noexcept;

    const char* name_;
    std::optional<std::string> text_;
};

// As libomp writes a number of bytes: "8M", "16k", "10000".
std::string size_text(std::size_t bytes);

// true and false in all the forms that libomp knows.
std::optional<bool> parse_libomp_switch(std::string_view text) noexcept;

}  // namespace artel::openmp
