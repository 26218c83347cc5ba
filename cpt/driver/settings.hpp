// What `cpt run` can set: one table of variables, options and allowed values, and how each reaches
// the runtime.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpt {

struct setting {
    const char* variable;  // CP_...
    const char* option;    // of cpt run
    const char* value;     // the name of the option's value in the help; empty: the option has none
                           // and means "1"
    const char* allowed;
    const char* meaning;
    // Whether the value is allowed; on artel it also sets the variables that the crew reads. The
    // other runtimes read cpt's variables themselves.
    bool (*apply)(const std::string& value, bool artel);
};

const std::vector<setting>& settings();
// The setting behind an option; nullptr: there is none.
const setting* setting_of_option(std::string_view option);
// Checks all settings that are given, and sets the variables that the crew reads in the process's
// environment. Returns an empty text, or what is wrong and what is allowed.
std::string apply_settings(const std::string& runtime);
// The table as text, with the values in force.
std::string settings_table();

}  // namespace cpt
