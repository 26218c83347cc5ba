// Each kind of warning has a flag, so that a program with many communicators gets one line.
#include "coll/page_warnings.hpp"

#include <atomic>
#include <cstdio>

namespace artel::coll {
namespace {

void say(std::atomic<bool>& said, const std::string& text)
{
    // relaxed: publishes nothing; a line that is printed twice would do no harm.
    if (!text.empty() && !said.exchange(true, std::memory_order_relaxed)) {
        std::fprintf(stderr, "artel: %s\n", text.c_str());
    }
}

}  // namespace

void say_once(const std::string& text)
{
    static std::atomic<bool> said{false};
    say(said, text);
}

std::string words_of_strays(const page_facts& facts)
{
    if (facts.astray == 0) {
        return {};
    }
    return std::to_string(facts.astray) + " pages of " + std::to_string(facts.with_strays) +
           (facts.with_strays == 1 ? " rank lie" : " ranks lie") +
           " on other NUMA nodes than they should, and could neither be moved nor taken anew: is "
           "there memory left on every node (numastat -m)?";
}

std::string words_of_unbound(const page_facts& facts)
{
    if (facts.unbound == 0) {
        return {};
    }
    return std::to_string(facts.unbound) + " of " + std::to_string(facts.ranks) + " ranks (rank " +
           std::to_string(facts.first_unbound) +
           " is the first) may run on several NUMA nodes, so that their memory may become remote; "
           "bind them: mpirun --bind-to numa (Open MPI), mpiexec -bind-to numa (MPICH), "
           "I_MPI_PIN_DOMAIN=numa (Intel MPI)";
}

void tell(const page_facts& facts)
{
    static std::atomic<bool> said_strays{false}, said_unbound{false};
    say(said_strays, words_of_strays(facts));
    say(said_unbound, words_of_unbound(facts));
}

}  // namespace artel::coll
