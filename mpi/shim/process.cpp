// The state ends in MPI_Finalize; if the caller bypassed ours, when the library deletes an
// attribute of MPI_COMM_SELF. The library makes progress when it is asked about a receive that
// never completes.
#include "shim/process.hpp"

#include "shim/communicator.hpp"
#include "shim/export.hpp"
#include "shim/reach.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace artel::shim {
namespace {

std::mutex making;
std::atomic<process*> the_process{nullptr};
std::atomic<bool> over{false};

// Duplicates start anew. (MPI_COMM_NULL_COPY_FN would be a symbol of one library, which does not
// exist where the shim is preloaded without need.)
int do_not_copy(MPI_Comm, int, void*, void*, void*, int* flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

// From here on all calls are left to the library.
void end(process& p)
{
    if (is_over()) {
        return;
    }
    // The program does not free MPI_COMM_WORLD.
    void* record = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, p.key, &record, &found) == MPI_SUCCESS && found != 0) {
        PMPI_Comm_delete_attr(MPI_COMM_WORLD, p.key);
    }
    PMPI_Cancel(&p.never);
    PMPI_Wait(&p.never, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&p.own);
    over.store(true, std::memory_order_relaxed);  // relaxed: see is_over()
    // Threads also stop using what they remember of other communicators.
    forget_all();
}

// Called when MPI_Finalize deletes our attribute, if its caller bypassed our version of it.
int finalize(MPI_Comm, int, void* value, void*)
{
    end(*static_cast<process*>(value));
    return MPI_SUCCESS;
}

process* make_process()
{
    if (!library_in_reach()) {
        return nullptr;
    }
    int initialized = 0, finalized = 0;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (initialized == 0 || finalized != 0) {
        return nullptr;
    }
    const std::lock_guard<std::mutex> lock(making);
    // acquire: pairs with the release below.
    if (process* const p = the_process.load(std::memory_order_acquire); p != nullptr) {
        return p;
    }
    auto fresh = std::make_unique<process>();
    if (PMPI_Comm_create_keyval(do_not_copy, forget, &fresh->key, nullptr) != MPI_SUCCESS ||
        PMPI_Comm_create_keyval(do_not_copy, finalize, &fresh->end_key, nullptr) != MPI_SUCCESS ||
        // Not a duplicate: attributes of the program's would be copied, and deleted with it.
        PMPI_Comm_split(MPI_COMM_SELF, 0, 0, &fresh->own) != MPI_SUCCESS ||
        PMPI_Comm_set_errhandler(fresh->own, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, fresh->own, &fresh->never) != MPI_SUCCESS ||
        PMPI_Comm_set_attr(MPI_COMM_SELF, fresh->end_key, fresh.get()) != MPI_SUCCESS) {
        return nullptr;
    }
    // release: pairs with the acquires in make_process and get_process.
    the_process.store(fresh.get(), std::memory_order_release);
    return fresh.release();
}

}  // namespace

process* get_process()
{
    // acquire: pairs with the release in make_process.
    process* const p = the_process.load(std::memory_order_acquire);
    return p != nullptr ? p : make_process();
}

bool is_over() noexcept
{
    // relaxed: set by the thread that calls MPI_Finalize, the only one that may still make calls
    // then.
    return over.load(std::memory_order_relaxed);
}

const coll::settings& environment()
{
    static const coll::settings fallback{};
    const process* const p = get_process();
    return p == nullptr ? fallback : p->settings;
}

MPI_Comm own_communicator()
{
    const process* const p = is_over() ? nullptr : get_process();
    return p == nullptr ? MPI_COMM_NULL : p->own;
}

// Not MPI_Iprobe: MPICH's looks for the message only, and a pending send of another communicator
// makes no progress. A request that is not complete makes both libraries check everything; and
// unlike MPI_Test, getting its status is allowed in several threads at once.
int make_progress(void*)
{
    int flag = 0;
    // acquire: pairs with the release in make_process.
    return PMPI_Request_get_status(the_process.load(std::memory_order_acquire)->never, &flag,
                                   MPI_STATUS_IGNORE);
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, newest first, and their delete
// functions may still communicate. The position of ours depends on when this process had its first
// collective, so all ranks stop using their sites before any attribute is deleted.
void end_of_process()
{
    // acquire: pairs with the release in make_process.
    if (process* const p = the_process.load(std::memory_order_acquire); p != nullptr) {
        end(*p);
    }
}

}  // namespace artel::shim

ARTEL_EXPORT int MPI_Finalize(void)
{
    artel::shim::library_in_reach();
    artel::shim::end_of_process();
    return PMPI_Finalize();
}
