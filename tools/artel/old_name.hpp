// Options that had another name in earlier versions: they keep it, hidden from the help.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace artel::tool {

// Lets the command `words`, as the user types it, take the value of `option` by the name `old`,
// too, but not both; a note on stderr tells the name that it has now. The value lives as long as
// the command.
template <typename T>
CLI::Option* add_old_name(CLI::App& command, const std::string& words, const std::string& old,
                          CLI::Option* option, T& value)
{
    const std::string now = option->get_name();
    const auto take = [words, old, now, option, &value](const T& given) {
        if (option->count() != 0) {
            throw CLI::ValidationError(old, "is the old name of " + now + ": give one of them");
        }
        fmt::print(stderr, "{}: {} is now called {}\n", words, old, now);
        value = given;
    };
    return command.add_option_function<T>(old, take)->group("");
}

}  // namespace artel::tool
