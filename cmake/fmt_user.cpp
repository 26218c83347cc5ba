// Asks of fmt what our code asks, to see whether it links (artel_fmt.cmake).
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

int main(int argc, char**)
{
    const std::vector<int> list{1, argc};
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), "{:>{}} {:.3f} {:g} {:#x}", argc, 9, 0.5, 2.0, argc);
    fmt::vformat_to(std::back_inserter(line), "{}", fmt::make_format_args(argc));
    const auto text = fmt::format("{} {} {:?<8}", fmt::join(list, ","), std::string("x"), true);
    fmt::print(stderr, "{} {}\n", text, line.size());
    fmt::print("{}\n", fmt::vformat(text, {}));
    return text.empty() ? 1 : 0;
}
