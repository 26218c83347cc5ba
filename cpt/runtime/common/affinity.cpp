// Places, and the display of affinity. Light threads have no places: they run on any free stream.
// CP_STREAM_BIND and CP_NUMAS bind the streams.
#include "interface.hpp"
#include "team.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace cp;

namespace {

std::string processors_of_caller()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::string text;
    for (unsigned first = 0; first < CPU_SETSIZE; ++first) {
        if (!CPU_ISSET(first, &set)) {
            continue;
        }
        unsigned last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) {
            ++last;
        }
        text += (text.empty() ? "" : ",") + std::to_string(first);
        text += last > first ? "-" + std::to_string(last) : "";
        first = last;
    }
    return text;
}

struct field {
    char letter;
    const char* name;
};
constexpr field fields[] = {
    {'t', "team_num"},
    {'T', "num_teams"},
    {'L', "nesting_level"},
    {'n', "thread_num"},
    {'N', "num_threads"},
    {'a', "ancestor_tnum"},
    {'H', "host"},
    {'P', "process_id"},
    {'i', "native_thread_id"},
    {'A', "thread_affinity"},
};

std::string value_of(char letter)
{
    const thread& me = *current();
    switch (letter) {
    case 't': return std::to_string(omp_get_team_num());
    case 'T': return std::to_string(omp_get_num_teams());
    case 'L': return std::to_string(me.group->level);
    case 'n': return std::to_string(me.number);
    case 'N': return std::to_string(me.group->n);
    case 'a': return std::to_string(omp_get_ancestor_thread_num(omp_get_level() - 1));
    case 'H': {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        return host;
    }
    case 'P': return std::to_string(getpid());
    case 'i': return std::to_string(gettid());
    default: return processors_of_caller();
    }
}

// %[[0.]width]letter, %{name}, %%
std::string formatted(const char* format)
{
    std::string out;
    for (const char* at = format; *at != 0; ++at) {
        if (*at != '%') {
            out += *at;
            continue;
        }
        ++at;
        if (*at == '%') {
            out += '%';
            continue;
        }
        const bool zeros = *at == '0';
        at += zeros ? 1 : 0;
        const bool right = *at == '.';
        at += right ? 1 : 0;
        std::size_t width = 0;
        for (; *at >= '0' && *at <= '9'; ++at) {
            width = width * 10 + static_cast<std::size_t>(*at - '0');
        }
        char letter = *at;
        if (*at == '{') {
            const char* const end = std::strchr(at, '}');
            if (end == nullptr) {
                return out;
            }
            const std::string name(at + 1, end);
            letter = 0;
            for (const field& f : fields) {
                letter = name == f.name ? f.letter : letter;
            }
            at = end;
        }
        if (*at == 0) {
            break;
        }
        const bool known = std::any_of(std::begin(fields), std::end(fields),
                                       [letter](const field& f) { return f.letter == letter; });
        std::string text = known ? value_of(letter) : "undefined";
        if (text.size() < width) {
            const std::size_t more = width - text.size();
            const bool number = known && letter != 'H' && letter != 'A';
            if (zeros && right && number) {
                text.insert(text[0] == '-' ? 1 : 0, more, '0');
            } else {
                text.insert(right ? 0 : text.size(), more, ' ');
            }
        }
        out += text;
    }
    return out;
}

std::size_t copy(const std::string& text, char* to, std::size_t bytes)
{
    if (bytes != 0) {
        const std::size_t n = std::min(bytes - 1, text.size());
        std::memcpy(to, text.data(), n);
        to[n] = 0;
    }
    return text.size();
}

const char* or_default(const char* format)
{
    return format != nullptr && *format != 0 ? format : settings().affinity_format.c_str();
}

}  // namespace

extern "C" {

omp_proc_bind_t omp_get_proc_bind(void)
{
    return omp_proc_bind_false;
}
int omp_get_num_places(void)
{
    return 0;
}
int omp_get_place_num_procs(int)
{
    return 0;
}
void omp_get_place_proc_ids(int, int*) {}
int omp_get_place_num(void)
{
    return -1;
}
int omp_get_partition_num_places(void)
{
    return 0;
}
void omp_get_partition_place_nums(int*) {}

void omp_set_affinity_format(const char* format)
{
    settings().affinity_format = format;
}
size_t omp_get_affinity_format(char* to, size_t bytes)
{
    return copy(settings().affinity_format, to, bytes);
}
void omp_display_affinity(const char* format)
{
    // Written by stdio, so in order with the program's own output.
    std::printf("%s\n", formatted(or_default(format)).c_str());
}
size_t omp_capture_affinity(char* to, size_t bytes, const char* format)
{
    return copy(formatted(or_default(format)), to, bytes);
}

}  // extern "C"
