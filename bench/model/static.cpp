// Static scheduling: nothing is balanced, so the loop takes as long as the share that costs most.
#include "algorithm.hpp"

namespace artel::model {
namespace {

step<> participate(crew& c, worker& w, range mine)
{
    co_await c.run(w, mine);
}

}  // namespace

step<> take_part_static(crew& c, worker& w)
{
    co_await take_part_along_tree(c, w, participate);
}

}  // namespace artel::model
