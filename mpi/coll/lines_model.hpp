// The real channel of lines.hpp on simulated atomics, for models of it and of its users: without
// copies between processes and hints to the processor. Included once, by the model, first.
#pragma once

#include "base/machine_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "coll/copy.hpp"
#include "coll/lines.hpp"
#include "coll/shm_model.hpp"
#include "shm/waiter.hpp"

namespace artel::shm {

int copy_from_process(pid_t, void*, std::uint64_t, std::size_t) noexcept
{
    return 1;
}
int copy_to_process(pid_t, std::uint64_t, const void*, std::size_t) noexcept
{
    return 1;
}
bool has_ended(pid_t, std::uint64_t) noexcept
{
    return false;
}
std::size_t page_size() noexcept
{
    return 4096;
}

}  // namespace artel::shm

namespace artel::coll {

void copy_from_shared(void* to, const std::byte* shared, std::size_t bytes) noexcept
{
    std::memcpy(to, shared, bytes);
}
void stream_from_shared(std::byte* to, const std::byte* shared, std::size_t bytes) noexcept
{
    std::memcpy(to, shared, bytes);
}
void (*handed_back)(std::byte* shared) = nullptr;
void hand_back(std::byte* shared, std::size_t) noexcept
{
    handed_back(shared);
}

}  // namespace artel::coll

#include "coll/direct.cpp"
#include "coll/fragments.cpp"
#include "coll/lines.cpp"
#include "coll/model.cpp"
#include "coll/tree.cpp"
#include "coll/tree_choice.cpp"
#include "shm/waiter.cpp"

namespace {

using namespace artel;

constexpr std::size_t fragment = 64;
constexpr unsigned sets = 2;

int nothing(void*)
{
    return 1;
}

coll::settings small_settings()
{
    coll::settings s;
    s.slots = 4;
    s.queue_bytes = sets * fragment;
    s.sets = sets;
    s.fragment = fragment;
    s.inline_limit = 0;
    s.direct_from = 0;
    s.shape = coll::tree_kind::chain;
    return s;
}

}  // namespace
