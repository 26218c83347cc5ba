// Texts are cut into words by the rules of gcc's argument files; a file named in a file is read,
// too, to a bounded depth.
#include "arguments.hpp"

#include <unistd.h>

#include <cctype>
#include <fstream>
#include <iterator>

namespace cpt {

namespace {

// The arguments in a file that is named with @: separated by white space, with quotes and
// backslashes.
std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
            if (inside) {
                words.push_back(word);
            }
            word.clear();
            inside = false;
            continue;
        }
        inside = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i];
        } else if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else {
            word += c;
        }
    }
    if (inside) {
        words.push_back(word);
    }
    return words;
}

}  // namespace

std::vector<std::string> expanded(const std::vector<std::string>& arguments, unsigned depth)
{
    std::vector<std::string> all;
    for (const std::string& a : arguments) {
        std::ifstream file;
        if (a.size() > 1 && a[0] == '@' && depth < 20) {
            file.open(a.substr(1));
        }
        if (!file.is_open()) {
            all.push_back(a);
            continue;
        }
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        const std::vector<std::string> inner = expanded(words_of(text), depth + 1);
        all.insert(all.end(), inner.begin(), inner.end());
    }
    return all;
}

std::vector<std::string> command_of(const std::string& text)
{
    if (text.find('/') != std::string::npos && access(text.c_str(), X_OK) == 0) {
        return {text};
    }
    std::vector<std::string> words = words_of(text);
    return words.empty() ? std::vector<std::string>{"gcc"} : words;
}

}  // namespace cpt
