// Each thread remembers the record that it used last, until any communicator is freed; others are
// found by the communicator's attribute. MPI_Comm_free and MPI_Comm_disconnect are here, because
// calls that delete functions make meanwhile are left to the library.
#include "shim/communicator.hpp"

#include "coll/agreement.hpp"
#include "shim/export.hpp"
#include "shim/process.hpp"
#include "shim/reach.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <numeric>
#include <vector>

namespace artel::shim {
namespace {

// Changes whenever a communicator is freed, so that no thread uses a record that it remembers:
// handles are reused.
std::atomic<unsigned> generation{1};

// The communicator that this thread is freeing: the library deletes its attributes one by one, ours
// among them, and the program's delete functions for others may still use the communicator. Such
// calls are left to the library, in all ranks; a record made now would never be deleted.
thread_local MPI_Comm leaving{};  // no handle is zero

int gather(void* context, const void* own, void* all, int bytes_each)
{
    const auto* const c = static_cast<communicator*>(context);
    return PMPI_Allgather(own, bytes_each, MPI_BYTE, all, bytes_each, MPI_BYTE, c->handle) ==
                   MPI_SUCCESS
               ? 0
               : 1;
}

// Whether all of its ranks were started together with this one. Others may lack this library: Open
// MPI 5's launcher does not pass its preloads on to processes that are spawned later. All ranks of
// a communicator get the same answer: with several worlds, every rank sees ranks of another one.
bool of_one_world(MPI_Comm comm, int size)
{
    MPI_Group here = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size(), MPI_UNDEFINED);
    std::iota(ranks.begin(), ranks.end(), 0);
    if (PMPI_Comm_group(comm, &here) == MPI_SUCCESS &&
        PMPI_Comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        PMPI_Group_translate_ranks(here, size, ranks.data(), world, found.data());
    }
    for (MPI_Group* const g : {&here, &world}) {
        if (*g != MPI_GROUP_NULL) {
            PMPI_Group_free(g);
        }
    }
    return std::find(found.begin(), found.end(), MPI_UNDEFINED) == found.end();
}

communicator* make_communicator(MPI_Comm comm, const process& p)
{
    int inter = 0;
    auto fresh = std::make_unique<communicator>();
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS ||
        PMPI_Comm_size(comm, &fresh->size) != MPI_SUCCESS ||
        PMPI_Comm_rank(comm, &fresh->rank) != MPI_SUCCESS) {
        return nullptr;
    }
    fresh->handle = comm;
    if (inter != 0 || fresh->size < 2 ||
        (comm != MPI_COMM_WORLD && !of_one_world(comm, fresh->size))) {
        fresh->now = communicator::phase::fallback;
    }
    return PMPI_Comm_set_attr(comm, p.key, fresh.get()) == MPI_SUCCESS ? fresh.release() : nullptr;
}

}  // namespace

int forget(MPI_Comm, int, void* value, void*)
{
    auto* const c = static_cast<communicator*>(value);
    // release: pairs with the acquire in find().
    generation.fetch_add(1, std::memory_order_release);
    if (c->leaders != MPI_COMM_NULL && !is_over()) {
        PMPI_Comm_free(&c->leaders);
    }
    delete c;
    return MPI_SUCCESS;
}

void forget_all() noexcept
{
    // release: as in forget(); here for what threads remember.
    generation.fetch_add(1, std::memory_order_release);
}

communicator* find(MPI_Comm comm)
{
    struct remembered {
        MPI_Comm comm = MPI_COMM_NULL;
        communicator* record = nullptr;
        unsigned generation = 0;
    };
    thread_local remembered last;
    // acquire: pairs with the release in forget(): a freed record is not used. A communicator may
    // be freed only while no call on it runs.
    const unsigned now = generation.load(std::memory_order_acquire);
    if (last.comm == comm && last.generation == now) {
        return last.record;
    }
    if (comm == MPI_COMM_NULL || comm == leaving || is_over()) {
        return nullptr;
    }
    const process* const p = get_process();
    if (p == nullptr) {
        return nullptr;
    }
    void* value = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, p->key, &value, &found) != MPI_SUCCESS) {
        return nullptr;
    }
    communicator* const record = found != 0 ? static_cast<communicator*>(value)
                                            : make_communicator(comm, *p);
    if (record != nullptr) {
        last = {comm, record, now};
    }
    return record;
}

int free_with(int (*library)(MPI_Comm*), MPI_Comm* comm)
{
    const MPI_Comm outer = leaving;
    if (comm != nullptr) {
        leaving = *comm;
        forget_all();
    }
    const int error = library(comm);
    leaving = outer;
    return error;
}

bool communicator::ready_for_use()
{
    if (now == phase::waiting) {
        if (calls == 0) {
            setup_after = coll::agreed_setup_after(bootstrap(), environment());
        }
        if (setup_after == coll::never) {
            now = phase::fallback;
        } else if (++calls > setup_after) {
            set_up();
        }
    }
    return now == phase::ready;
}

int communicator::code_of(shm::status s)
{
    return s == shm::status::ok          ? MPI_SUCCESS
           : s == shm::status::truncated ? MPI_ERR_TRUNCATE
                                         : MPI_ERR_OTHER;
}

int communicator::tell(int error) const
{
    if (error != MPI_SUCCESS) {
        // Its result only says that the handler was called, which is certain when it returns.
        PMPI_Comm_call_errhandler(handle, error);
    }
    return error;
}

coll::bootstrap communicator::bootstrap()
{
    return {rank, size, this, gather, make_progress};
}

void communicator::set_up()
{
    const coll::settings& settings = environment();
    site = coll::site::make(bootstrap(), settings);
    now = site->usable() ? phase::ready : phase::fallback;
    if (now == phase::ready && site->nodes() > 1) {
        const int colour = site->number_in_node(rank) == 0 ? 0 : MPI_UNDEFINED;
        if (PMPI_Comm_split(handle, colour, rank, &leaders) != MPI_SUCCESS) {
            now = phase::fallback;
        } else if (leaders != MPI_COMM_NULL) {
            PMPI_Comm_set_errhandler(leaders, MPI_ERRORS_RETURN);
        }
    }
    if (settings.verbose != 0 && rank == 0) {
        std::fprintf(stderr, "artel: communicator of %d: %s\n", size, site->story().c_str());
    }
    if (now == phase::fallback) {
        site.reset();
    }
}

}  // namespace artel::shim

ARTEL_EXPORT int MPI_Comm_free(MPI_Comm* comm)
{
    artel::shim::library_in_reach();
    return artel::shim::free_with([](MPI_Comm* c) { return PMPI_Comm_free(c); }, comm);
}

ARTEL_EXPORT int MPI_Comm_disconnect(MPI_Comm* comm)
{
    artel::shim::library_in_reach();
    return artel::shim::free_with([](MPI_Comm* c) { return PMPI_Comm_disconnect(c); }, comm);
}
