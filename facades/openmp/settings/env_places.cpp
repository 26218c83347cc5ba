// Here is decided which variable counts where several are set, and how policies and places go
// together; the texts are parsed in places.cpp, cpu_affinity.cpp and kmp/affinity_setting.cpp.
#include "env_places.hpp"

#include "linking/dialect.hpp"
#include "linking/messages.hpp"
#include "place_position.hpp"
#include "places.hpp"
#include "variable.hpp"

namespace artel::openmp {
namespace {

// The standard's variables, and libgomp's own. The runtimes differ in their defaults: places
// without a policy mean "true" to libgomp and "spread" to libomp; a policy without places means
// threads to libgomp and cores to libomp.
void read_standard(global_icvs& g)
{
    const bool libomp = programs_dialect().of_libomp;
    if (const variable v("OMP_PROC_BIND"); v) {
        if (auto list = parse_proc_bind(v.text())) {
            g.proc_bind = std::move(*list);
        } else {
            v.invalid();
        }
    }
    bool given = false;
    if (const variable v("OMP_PLACES"); v) {
        if (auto places = parse_places(v.text())) {
            g.places = std::move(*places);
            given = true;
        } else if (libomp) {
            warn_as_libomp(250, "OMP_PLACES: syntax error, using cores.");
            g.places = places_of_cores();
            given = true;
        } else {
            v.invalid();
        }
    }
    if (const variable v("GOMP_CPU_AFFINITY"); v) {
        if (auto places = parse_cpu_affinity(v.text()); !places) {
            // libgomp's spelling.
            complain("Invalid value for enviroment variable GOMP_CPU_AFFINITY");
        } else if (!given) {
            g.places = std::move(*places);
            given = true;
        }
    }
    if (!given && !g.proc_bind.empty() && g.proc_bind.front() != bind_false) {
        g.places = libomp ? places_of_cores() : places_of_threads();
    }
    if (given && g.proc_bind.empty()) {
        g.proc_bind = {libomp ? bind_spread : bind_true};
    }
    if (libomp && !g.proc_bind.empty() && g.proc_bind.front() == bind_true) {
        g.proc_bind = {bind_spread};
    }
}

// Members follow the order of the places; `balanced` spreads them.
void use_kmp_affinity(global_icvs& g)
{
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
        if (variable(name)) {
            warn_as_libomp(182, "{}: ignored because KMP_AFFINITY has been defined", name);
        }
    }
    g.places = g.kmp.affinity.places();
    g.proc_bind = {g.kmp.affinity.type == kmp_affinity::kind::balanced ? bind_spread : bind_close};
    if (g.places.empty()) {
        g.proc_bind = {bind_false};
    }
}

}  // namespace

void read_places(global_icvs& g)
{
    if (g.kmp.affinity.type == kmp_affinity::kind::disabled) {
        return;
    }
    if (g.kmp.affinity.binds()) {
        use_kmp_affinity(g);
    } else {
        read_standard(g);
    }
    if (g.proc_bind.empty() || g.proc_bind.front() == bind_false) {
        g.places.clear();
    } else {
        g.initial.bind = static_cast<std::uint8_t>(g.proc_bind.front());
    }
}

}  // namespace artel::openmp
