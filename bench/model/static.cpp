#include "algorithm.hpp"

namespace artel::model {

step<> take_part_static(crew& c, worker& w)
{
    if (w.index == 0) {
        co_await c.invite(w, 1, c.size());
        co_await c.run(w, c.share_of(0));
        co_await c.leave(w);
        co_await c.await_others(w);
        co_return;
    }
    while (co_await c.receive(w)) {
        if (!w.mail) {
            continue;
        }
        const letter l = *std::exchange(w.mail, {});
        co_await c.invite(w, w.index + 1, l.to);
        co_await c.run(w, l.share);
        co_await c.leave(w);
    }
}

}  // namespace artel::model
