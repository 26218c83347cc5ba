// A map by number of ranks and size of message, under a mutex.
#include "coll/known_times.hpp"

#include "coll/segment_cache.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace artel::coll {
namespace {

// Communicators may be set up in several threads at once.
std::mutex known_mutex;
using what = std::pair<unsigned, std::uint64_t>;  // ranks, bytes of the message
std::map<what, model_times>& known()
{
    // Never destroyed: communicators may be set up after static objects have gone.
    static auto* const found = new std::map<what, model_times>;
    return *found;
}

}  // namespace

bool find_times(unsigned ranks, std::uint64_t message_bytes, model_times& times)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    const auto found = known().find({ranks, message_bytes});
    if (found != known().end()) {
        times = found->second;
    }
    return found != known().end();
}

void keep_times(unsigned ranks, std::uint64_t message_bytes, const model_times& times)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    known()[{ranks, message_bytes}] = times;
}

void forget_times()
{
    drop_cached_segments();
    const std::lock_guard<std::mutex> lock(known_mutex);
    known().clear();
}

}  // namespace artel::coll
