// The machine of a simulation: CPUs in the order in which a crew numbers its workers, and how far
// they are from each other.
#pragma once

#include "costs.hpp"

#include <string>
#include <vector>

namespace artel::model {

class machine {
public:
    // `synthetic`: an hwloc synthetic description, such as "numa:4 l3:2 core:8 pu:1". Throws
    // std::runtime_error that shows it when hwloc does not understand it.
    explicit machine(const std::string& synthetic);

    unsigned cpus() const { return static_cast<unsigned>(places_.size()); }
    unsigned nodes() const { return nodes_; }
    const std::string& description() const { return description_; }
    distance between(unsigned a, unsigned b) const
    {
        if (a == b) {
            return distance::same;
        }
        const place& x = places_[a];
        const place& y = places_[b];
        return x.core == y.core     ? distance::core
               : x.cache == y.cache ? distance::cache
               : x.node == y.node   ? distance::node
                                    : distance::machine;
    }

private:
    struct place {
        unsigned core, cache, node;
    };
    std::string description_;
    std::vector<place> places_;
    unsigned nodes_ = 1;
};

}  // namespace artel::model
