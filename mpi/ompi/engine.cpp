// The C++ side of the Open MPI component: each function takes C types and calls the collectives of
// mpi/coll.
#include "ompi/engine.h"

#include "coll/agreement.hpp"
#include "coll/device.hpp"
#include "coll/setup.hpp"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

namespace coll = artel::coll;
namespace shm = artel::shm;

// Set while Open MPI opens the component, by one thread; read only afterwards.
coll::settings& chosen()
{
    static coll::settings s = coll::settings_of_environment();
    return s;
}

// The strings that artel_get_setting hands out.
struct texts {
    std::string name, help, value;
};

const std::vector<texts>& table()
{
    static const std::vector<texts> rows = [] {
        std::vector<texts> made;
        for (const coll::setting_row& row : coll::setting_table()) {
            constexpr std::size_t prefix = sizeof "ARTEL_MPI_" - 1;
            // The variable ARTEL_MPI itself is the switch.
            std::string name = std::strlen(row.variable) < prefix ? "enable"
                                                                  : row.variable + prefix;
            for (char& c : name) {
                c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            }
            made.push_back(
                {name, std::string(row.meaning) + " (" + row.allowed + ")", row.print(chosen())});
        }
        return made;
    }();
    return rows;
}

artel_result result_of(shm::status s)
{
    switch (s) {
    case shm::status::ok: return artel_ok;
    case shm::status::truncated: return artel_truncated;
    case shm::status::peer_died:
    case shm::status::failed: break;
    }
    return artel_failed;
}

}  // namespace

extern "C" {

int artel_get_setting(unsigned row, artel_setting* setting)
{
    if (row >= table().size()) {
        return 0;
    }
    const texts& t = table()[row];
    *setting = {t.name.c_str(), t.help.c_str(), t.value.c_str()};
    return 1;
}

int artel_set(unsigned row, const char* word)
{
    const coll::setting_row& r = coll::setting_table()[row];
    if (!r.set(chosen(), word)) {
        std::fprintf(stderr, "artel: coll_artel_%s=%s is ignored; allowed: %s\n",
                     table()[row].name.c_str(), word, r.allowed);
        return -1;
    }
    return 0;
}

int artel_verbose(void)
{
    return chosen().verbose != 0;
}

int artel_on_device(const void* address)
{
    return coll::on_device(address) ? 1 : 0;
}

struct artel_site {
    std::unique_ptr<coll::site> site;
};

unsigned artel_agreed_setup_after(const artel_bootstrap* b)
{
    return coll::agreed_setup_after({b->rank, b->size, b->context, b->allgather, b->progress},
                                    chosen());
}

artel_site* artel_site_make(const artel_bootstrap* b, char* story, size_t room)
{
    auto made = std::make_unique<artel_site>();
    made->site = coll::site::make({b->rank, b->size, b->context, b->allgather, b->progress},
                                  chosen());
    std::snprintf(story, room, "%s", made->site->story().c_str());
    return made->site->usable() ? made.release() : nullptr;
}

void artel_site_free(artel_site* site)
{
    delete site;
}

unsigned artel_site_nodes(const artel_site* site)
{
    return site->site->nodes();
}

unsigned artel_site_node_of(const artel_site* site, int rank)
{
    return site->site->node_of(rank);
}

unsigned artel_site_number(const artel_site* site, int rank)
{
    return site->site->number_in_node(rank);
}

artel_result artel_site_broadcast(artel_site* site, const artel_message* message, unsigned number,
                                  int complete)
{
    return result_of(site->site->broadcast(*message, number, complete != 0));
}

int artel_site_has_lost_somebody(const artel_site* site)
{
    return site->site->has_lost_somebody();
}

int artel_site_does(const artel_site* site, artel_collective collective)
{
    const coll::settings& s = site->site->chosen();
    switch (collective) {
    case artel_bcast: return s.bcast != 0;
    case artel_barrier: return s.barrier != 0;
    case artel_reduce: return s.reduce != 0;
    case artel_allreduce: return s.allreduce != 0;
    case artel_allgather: return s.allgather != 0;
    }
    return 0;
}

int artel_site_nodes_in_order(const artel_site* site)
{
    return site->site->nodes_in_order();
}

int artel_site_alone(const artel_site* site)
{
    return site->site->all() == nullptr;
}

int artel_site_prepare(artel_site* site, size_t bytes, size_t element_bytes)
{
    bool can = false;
    return site->site->prepare(bytes, element_bytes, can) == shm::status::ok ? can : -1;
}

artel_result artel_site_barrier(artel_site* site)
{
    return result_of(site->site->all()->barrier());
}

artel_result artel_site_hear_of(artel_site* site, unsigned number)
{
    return result_of(site->site->all()->hear_of(number));
}

artel_result artel_site_reduce(artel_site* site, const void* in, void* out, size_t bytes,
                               const artel_operation* operation, int root)
{
    coll::exchange& all = *site->site->all();
    return result_of(root < 0
                         ? all.allreduce(in, out, bytes, *operation)
                         : all.reduce(in, out, bytes, *operation, static_cast<unsigned>(root)));
}

artel_result artel_site_allgather(artel_site* site, const void* own, size_t bytes, void* all)
{
    return result_of(site->site->all()->allgather(own, bytes, all));
}

}  // extern "C"
