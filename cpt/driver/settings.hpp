// What `cpt run` can set: one table of variables, options and allowed values, and what each becomes
// for the runtime.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpt {

struct setting {
    const char* variable;  // CP_...
    const char* option;    // of cpt run
    const char* value;     // what the option's value is called; empty: it has none and means "1"
    const char* allowed;
    const char* meaning;
    // Whether the value is allowed on a runtime; on artel sets what the crew reads, too. The others
    // read the variables themselves.
    bool (*apply)(const std::string& value, bool artel);
};

const std::vector<setting>& settings();
// The setting behind an option; nullptr: there is none.
const setting* setting_of_option(std::string_view option);
// Checks all that are set, and sets what the crew reads in the process's environment. Empty, or
// what is wrong and what is allowed.
std::string apply_settings(const std::string& runtime);
// The table, with today's values.
std::string settings_table();

}  // namespace cpt
