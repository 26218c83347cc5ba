// The team of one member that each OS thread of the program has outside of regions, made when it
// first calls the runtime; and the functions of cp.h that only read the caller's team.
#include "team.hpp"

#include "interface.hpp"
#include "private.hpp"

namespace cp {

std::atomic<unsigned> light_threads{0};

namespace {

// An OS thread of the program, the only member of a team.
struct os_thread {
    team alone{1, nullptr};
    thread self;
    std::atomic<unsigned> busy{1};
    private_table privates;
    std::vector<private_table*> of_members;
    os_thread()
    {
        alone.inside.store(1, std::memory_order_relaxed);  // relaxed: nobody else knows it
        alone.busy = &busy;
        self.group = &alone;
        self.now = &self.implicit;
        self.at = &alone.first;
        self.implicit.of = &alone;
        self.implicit.settings = settings().first;
        self.initial = is_first_os_thread();
        self.privates = &privates;
        self.privates_of_members = &of_members;
    }
    ~os_thread()
    {
        set_current(nullptr);
        for (private_table* t : of_members) {
            delete t;
        }
    }
};

// exit() first destroys the thread-local objects of the calling thread. If it was called in a
// region, functions that it calls afterwards may open regions and still need the object.
struct owner {
    os_thread* it = nullptr;
    ~owner()
    {
        if (it != nullptr && !it->self.initial && current_if_any() == &it->self) {
            delete it;
            it = nullptr;
        }
    }
};

}  // namespace

thread* first_of_os_thread()
{
    static thread_local owner mine;
    if (mine.it == nullptr) {
        mine.it = new os_thread;
    }
    set_current(&mine.it->self);
    return &mine.it->self;
}

}  // namespace cp

using namespace cp;

extern "C" {

cp_caller* cp_calling(void)
{
    return &current()->hints;
}

unsigned cp_default_threads(void)
{
    const thread& me = *current();
    return threads_of_next_region(me.now->settings, me.group->level);
}

int __cp_thread_number(void)
{
    return static_cast<int>(current()->number);
}

int __cp_team_size(void)
{
    return static_cast<int>(current()->group->n);
}

}  // extern "C"
