// Options that had another name in earlier versions: they keep it, hidden from the help.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace artel::tool {

// Lets the command take a value by the name `old`, too; a note on stderr says that the option is
// called `now`. `words` is the command as the user types it. The value lives as long as the
// command.
template <typename T>
CLI::Option* add_old_name(CLI::App& command, const std::string& words, const std::string& old,
                          const std::string& now, T& value)
{
    return command
        .add_option_function<T>(old,
                                [words, old, now, &value](const T& given) {
                                    fmt::print(stderr, "{}: {} is now called {}\n", words, old,
                                               now);
                                    value = given;
                                })
        ->group("");
}

}  // namespace artel::tool
