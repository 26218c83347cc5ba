// See kernel_text.hpp.
#include "lab/kernel_text.hpp"

#include <sstream>

namespace artel::lab {

std::int64_t tlb_interrupts(std::istream& interrupts)
{
    for (std::string line; std::getline(interrupts, line);) {
        std::istringstream words(line);
        std::string name;
        if (!(words >> name) || name != "TLB:")
            continue;
        std::int64_t sum = 0;
        for (std::int64_t value = 0; words >> value;)
            sum += value;
        return sum;
    }
    return -1;
}

double busy_ticks(std::istream& stat)
{
    std::string word;
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0;
    stat >> word >> user >> nice >> system >> idle >> wait >> irq >> softirq >> steal;
    return user + nice + system + irq + softirq + steal;
}

std::int64_t huge_page_kib(std::istream& rollup)
{
    std::int64_t sum = -1;
    for (std::string line; std::getline(rollup, line);)
        for (const char* name : {"AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:",
                                 "Shared_Hugetlb:", "Private_Hugetlb:"})
            if (line.starts_with(name)) {
                std::istringstream rest(line.substr(line.find(':') + 1));
                std::int64_t kib = 0;
                rest >> kib;
                sum = (sum < 0 ? 0 : sum) + kib;
            }
    return sum;
}

std::string chosen_word(const std::string& line)
{
    const auto begin = line.find('['), end = line.find(']');
    return begin == line.npos || end == line.npos || end < begin
               ? "unknown"
               : line.substr(begin + 1, end - begin - 1);
}

}  // namespace artel::lab
