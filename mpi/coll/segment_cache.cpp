// A short list, of which the oldest segment is unmapped when another one comes; the digest of the
// settings tells whether a segment fits.
#include "coll/segment_cache.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace artel::coll {
namespace {

struct segment_cache {
    std::mutex mutex;
    std::vector<cached_segment> kept;
};

// Never destroyed: communicators may be freed after static objects have been destroyed.
segment_cache& the_cache()
{
    static auto* const one = new segment_cache;
    return *one;
}

}  // namespace

std::vector<cached_segment> take_cached_segments(int numa)
{
    segment_cache& cache = the_cache();
    const std::lock_guard<std::mutex> lock(cache.mutex);
    std::vector<cached_segment> found;
    for (auto at = cache.kept.end(); at != cache.kept.begin();) {
        --at;
        if (at->numa == numa) {
            found.push_back(std::move(*at));
            at = cache.kept.erase(at);
        }
    }
    return found;
}

void cache_segment(cached_segment s)
{
    segment_cache& cache = the_cache();
    cached_segment dropped;  // unmapped without the lock
    const std::lock_guard<std::mutex> lock(cache.mutex);
    if (cache.kept.size() >= most_cached_segments) {
        dropped = std::move(cache.kept.front());
        cache.kept.erase(cache.kept.begin());
    }
    cache.kept.push_back(std::move(s));
}

void drop_cached_segments()
{
    segment_cache& cache = the_cache();
    std::vector<cached_segment> dropped;  // unmapped without the lock
    const std::lock_guard<std::mutex> lock(cache.mutex);
    dropped.swap(cache.kept);
}

std::uint64_t digest_of(const settings& s)
{
    std::uint64_t digest = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const setting_row& row : setting_table()) {
        for (const char c : row.print(s) + ';') {
            digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
    }
    return digest;
}

}  // namespace artel::coll
