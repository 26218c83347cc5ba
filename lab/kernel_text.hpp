// Parses files of /proc and /sys. Pure functions of the text, so that they can be tested with that
// of other machines.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace artel::lab {

// /proc/interrupts: TLB interrupts of all CPUs; -1 where there is no such line, as on processors
// that flush without interrupts.
std::int64_t tlb_interrupts(std::istream& interrupts);

// /proc/stat: ticks that all CPUs have been busy, stolen time included; 0 if it cannot be read.
double busy_ticks(std::istream& stat);

// /proc/PID/smaps_rollup: KiB in transparent and explicit huge pages; -1 if the text has no such
// lines.
std::int64_t huge_page_kib(std::istream& rollup);

// "always [madvise] never" to "madvise"; "unknown" if nothing is marked.
std::string chosen_word(const std::string& line);

}  // namespace artel::lab
