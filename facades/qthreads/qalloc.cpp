// qalloc: memory from a mapped file, for all processes that map it and for later runs of the
// program. The header of the file has all of its state; freed blocks are in lists by size. Sizes
// are powers of two in dynamic maps, and one given size in static ones; neighbours are not merged.
// There is one lock, so the number of streams that callers pass has no effect. Pointers into the
// file are valid only where it was first mapped, so it is mapped there or not at all.
#include "base/log.hpp"
#include "foreign/fork_safe_lock.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr char magic[8] = {'a', 'r', 't', 'e', 'l', 'q', 'a', '1'};
constexpr std::size_t grain = 16;
constexpr unsigned classes = 64;

// A free block. Positions are offsets in the file; 0: none.
struct free_block {
    std::uint64_t next;
};

struct map {
    char name[sizeof magic];
    std::uint64_t size;
    std::uint64_t home;   // the address it was first mapped at
    std::uint64_t item;   // bytes; 0: a dynamic map
    std::uint64_t fresh;  // everything from here on was never allocated
    pthread_mutex_t lock;
    std::uint64_t free[classes];  // the first free block of 2^i bytes; of a static map free[0]
};

struct block_head {  // of a dynamic map, before the block
    std::uint64_t size_class;
    std::uint64_t unused;
};
static_assert(sizeof(block_head) == grain);

std::size_t rounded(std::size_t n)
{
    return (n + grain - 1) / grain * grain;
}

// Holds the lock of a map. The lock is robust: if a process died with it, the next holder
// continues, because each change of a list is a single store.
struct holding {
    explicit holding(map& of) : m(of)
    {
        if (::pthread_mutex_lock(&m.lock) == EOWNERDEAD) {
            ::pthread_mutex_consistent(&m.lock);
        }
    }
    ~holding() { ::pthread_mutex_unlock(&m.lock); }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;
    map& m;
};

// The present maps.
artel::foreign::fork_safe_lock guard;
std::vector<map*> maps;

map* remember(void* at)
{
    const std::scoped_lock hold(guard);
    maps.push_back(static_cast<map*>(at));
    return maps.back();
}

void make(map& m, std::size_t size, std::size_t item)
{
    m.size = size;
    m.home = reinterpret_cast<std::uint64_t>(&m);
    m.item = item;
    m.fresh = rounded(sizeof(map));
    pthread_mutexattr_t attributes;
    ::pthread_mutexattr_init(&attributes);
    ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    ::pthread_mutex_init(&m.lock, &attributes);
    ::pthread_mutexattr_destroy(&attributes);
    std::memcpy(m.name, magic, sizeof magic);
}

// Maps an open file: as its header says, or as a new map if it is empty. nullptr, with a message,
// otherwise.
map* map_of(int file, const char* name, std::size_t size, void* wanted, std::size_t item,
            bool only_load)
{
    map head;
    const ssize_t had = ::pread(file, &head, sizeof head, 0);
    const bool exists = had == sizeof head && std::memcmp(head.name, magic, sizeof magic) == 0;
    if (!exists && (only_load || had != 0)) {
        artel::base::warn("qalloc: {} is not a map of this library", name);
        return nullptr;
    }
    if (exists) {
        wanted = reinterpret_cast<void*>(head.home);
        size = head.size;
    } else if (size < 2 * sizeof(map) || ::ftruncate(file, static_cast<off_t>(size)) != 0) {
        artel::base::warn("qalloc: {} cannot be made {} bytes long", name, size);
        return nullptr;
    }
    const int fixed = wanted != nullptr ? MAP_FIXED_NOREPLACE : 0;
    void* const at = ::mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file, 0);
    if (at == MAP_FAILED || (wanted != nullptr && at != wanted)) {
        artel::base::warn("qalloc: {} cannot be mapped at {}", name, wanted);
        if (at != MAP_FAILED) {
            ::munmap(at, size);
        }
        return nullptr;
    }
    if (!exists) {
        make(*static_cast<map*>(at), size, item);
    }
    return remember(at);
}

map* open_map(const char* name, off_t size, void* wanted, std::size_t item, bool only_load)
{
    constexpr mode_t anybody = 0666;  // as the umask allows
    const int file = ::open(name, O_RDWR | O_CLOEXEC | (only_load ? 0 : O_CREAT), anybody);
    if (file < 0) {
        return nullptr;
    }
    map* const m = map_of(file, name, static_cast<std::size_t>(std::max<off_t>(size, 0)), wanted,
                          item, only_load);
    ::close(file);
    return m;
}

// Takes a block of `bytes` from the free list, or else from the unused end. With the lock held.
void* take(map& m, unsigned list, std::size_t bytes)
{
    char* const base = reinterpret_cast<char*>(&m);
    if (const std::uint64_t first = m.free[list]; first != 0) {
        m.free[list] = reinterpret_cast<free_block*>(base + first)->next;
        return base + first;
    }
    if (bytes > m.size - m.fresh) {
        return nullptr;
    }
    void* const block = base + m.fresh;
    m.fresh += bytes;
    return block;
}

void put(map& m, unsigned list, void* block)
{
    static_cast<free_block*>(block)->next = m.free[list];
    m.free[list] = static_cast<std::uint64_t>(static_cast<char*>(block) -
                                              reinterpret_cast<char*>(&m));
}

void* allocate_item(map& m)
{
    if (m.item > m.size) {
        return nullptr;
    }
    const holding hold(m);
    return take(m, 0, rounded(m.item));
}
void* allocate(map& m, std::size_t size)
{
    if (size > m.size) {
        return nullptr;
    }
    const std::size_t all = std::bit_ceil(std::max<std::size_t>(size, 1) + sizeof(block_head));
    const auto size_class = static_cast<unsigned>(std::countr_zero(all));
    const holding hold(m);
    auto* const head = static_cast<block_head*>(take(m, size_class, all));
    if (head == nullptr) {
        return nullptr;
    }
    head->size_class = size_class;
    return head + 1;
}

void free_item(map& m, void* block)
{
    const holding hold(m);
    put(m, 0, block);
}
void free_sized(map& m, void* block)
{
    auto* const head = static_cast<block_head*>(block) - 1;
    const auto size_class = static_cast<unsigned>(head->size_class);
    const holding hold(m);
    put(m, size_class, head);
}

}  // namespace

extern "C" {

void* qalloc_makestatmap(off_t size, void* at, const char* name, std::size_t item, std::size_t)
{
    return open_map(name, size, at, std::max<std::size_t>(item, 1), false);
}
void* qalloc_makedynmap(off_t size, void* at, const char* name, std::size_t)
{
    return open_map(name, size, at, 0, false);
}
void* qalloc_loadmap(const char* name)
{
    return open_map(name, 0, nullptr, 0, true);
}
void qalloc_checkpoint(void)
{
    for (std::size_t i = 0;; ++i) {
        void* at = nullptr;
        std::size_t size = 0;
        {
            const std::scoped_lock hold(guard);
            if (i >= maps.size()) {
                return;
            }
            at = maps[i];
            size = maps[i]->size;
        }
        ::msync(at, size, MS_SYNC);  // waits for the disk, so without the lock
    }
}
void qalloc_cleanup(void)
{
    qalloc_checkpoint();
    const std::scoped_lock hold(guard);
    for (map* const m : maps) {
        ::munmap(m, m->size);
    }
    maps.clear();
}
void* qalloc_statmalloc(map* m)
{
    return m != nullptr ? allocate_item(*m) : nullptr;
}
void* qalloc_dynmalloc(map* m, std::size_t size)
{
    return m != nullptr ? allocate(*m, size) : nullptr;
}
void* qalloc_malloc(map* m, std::size_t size)
{
    if (m == nullptr) {
        return nullptr;
    }
    return m->item != 0 ? allocate_item(*m) : allocate(*m, size);
}
void qalloc_statfree(void* block, map* m)
{
    if (block != nullptr) {
        free_item(*m, block);
    }
}
void qalloc_dynfree(void* block, map* m)
{
    if (block != nullptr) {
        free_sized(*m, block);
    }
}
void qalloc_free(void* block, map* m)
{
    if (block != nullptr) {
        (m->item != 0 ? free_item : free_sized)(*m, block);
    }
}
}
