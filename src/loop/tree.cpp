#include "loop/tree.hpp"

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "base/spinlock.hpp"
#include "loop/descriptor.hpp"
#include "loop/letter.hpp"
#include "loop/profile.hpp"
#include "loop/recruit.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "sched/latch.hpp"

#include <algorithm>
#include <artel/detail/block.hpp>
#include <mutex>
#include <new>

namespace artel::loop {
namespace {

class tree;

// A task, and a node of the completion tree.
struct node : base::work {
    tree* of = nullptr;
    node* parent = nullptr;                    // nullptr: the root, which lies in the caller's frame
    std::atomic<std::uint32_t> references{1};  // itself, and those it has made
    unit_range units;
    unsigned first = 0;  // workers [first, last), as numbers of shares; one that is made for thieves has just its maker's
    unsigned last = 0;
};

class tree {
public:
    tree(descriptor& d, const sched::worker& caller, const distribution& how, bool measured_grain) noexcept
        : d_(d), home_(caller.home), caller_slot_(home_slot(caller, d.slots())), how_(how), measured_grain_(measured_grain)
    {
        root_.of = this;
        root_.run = run_node;
        root_.units = {0, d.equal_share(d.slots() - 1).last};
        root_.last = d.slots();
    }

    // Runs the loop; the caller takes part if it may.
    void run(sched::worker& caller) noexcept;

private:
    static void run_node(void* carrier, base::work& self);
    static void open_letter(void* carrier, base::work& self);
    void execute(node& n, sched::worker& here) noexcept;
    void perform(node& n, unsigned number) noexcept;
    void distribute(node& n, unsigned number) noexcept;
    void send(node& n) noexcept;
    void send(node& n, sched::worker& to) noexcept;
    node* take_back() noexcept;
    std::uint32_t run_for_timespan(unit_range& units, unsigned number) noexcept;
    bool time_has_passed() const noexcept;
    void help() noexcept;
    node* make(node& parent, unit_range units, unsigned first, unsigned last) noexcept;
    static void drop(node* n) noexcept;
    unsigned take_number(const sched::worker& here) noexcept;
    node* take_left_over() noexcept;
    void leave_over(node& n) noexcept;

    descriptor& d_;
    sched::crew& home_;
    const unsigned caller_slot_;
    const distribution how_;
    const bool measured_grain_;
    node root_;
    sched::latch done_;
    const std::uint64_t start_ = base::cycles();
    // Tasks that were sent to named workers, and whether whoever has nothing else to do takes back those that were not begun.
    letters_sent<node> sent_;
    std::atomic<bool> taking_back_{false};
    // Tasks that found no number.
    std::atomic<unsigned> left_over_count_{0};
    base::spinlock lock_;
    node* left_over_ = nullptr;
};

node* tree::make(node& parent, unit_range units, unsigned first, unsigned last) noexcept
{
    void* memory = nullptr;
    try {
        memory = detail::allocate_block(sizeof(node));
    } catch (const std::bad_alloc&) {
        return nullptr;  // whoever wanted to share runs it alone
    }
    node* const made = new (memory) node;
    made->run = run_node;
    made->of = this;
    made->parent = &parent;
    made->units = units;
    made->first = first;
    made->last = last;
    parent.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: we hold one already
    return made;
}

void tree::drop(node* n) noexcept
{
    // release: what was done comes before the end that others see; acquire: the last one passes on all of it.
    while (n->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        node* const parent = n->parent;
        if (parent == nullptr) {
            n->of->done_.set();  // the caller may return now, and everything here be gone
            return;
        }
        n->~node();
        detail::free_block(n, sizeof(node));
        n = parent;
    }
}

// --- numbers --------------------------------------------------------------------------------------------------------

unsigned tree::take_number(const sched::worker& here) noexcept
{
    const unsigned n = d_.slots();
    const unsigned home = home_slot(here, n);
    for (unsigned i = 0; i < n; ++i) {
        const unsigned at = home + i < n ? home + i : home + i - n;
        if (d_.take_number(at)) {
            return at;
        }
    }
    return no_slot;
}

void tree::leave_over(node& n) noexcept
{
    const std::scoped_lock hold(lock_);
    n.next = left_over_;
    left_over_ = &n;
    left_over_count_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see execute
}

node* tree::take_left_over() noexcept
{
    if (left_over_count_.load(std::memory_order_relaxed) == 0) {  // relaxed: see execute
        return nullptr;
    }
    const std::scoped_lock hold(lock_);
    node* const taken = left_over_;
    if (taken != nullptr) {
        left_over_ = static_cast<node*>(taken->next);
        left_over_count_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see execute
    }
    return taken;
}

// --- running --------------------------------------------------------------------------------------------------------

void tree::run_node(void* carrier, base::work& self)
{
    auto& n = static_cast<node&>(self);
    n.of->execute(n, *static_cast<sched::worker*>(carrier));
}

void tree::open_letter(void* carrier, base::work& self)
{
    auto& l = static_cast<letter<node>&>(self);
    node* const n = l.take();
    l.drop();
    if (n != nullptr) {
        n->of->execute(*n, *static_cast<sched::worker*>(carrier));
    }
}

void tree::execute(node& n, sched::worker& here) noexcept
{
    if (const auto& nodes = d_.asked().nodes; !nodes.allows(here)) {
        if (sched::worker* const there = nodes.pick(home_); there != nullptr && there != &here) {
            send(n, *there);
            return;
        }
    }
    // Whoever finds no number leaves its task, fences, and tries once more; whoever gives one back fences, and looks for tasks that were left: one of
    // the two sees the other. A task that is held keeps all this alive, so the last one is dropped last.
    node* alive = nullptr;
    node* next = &n;
    unsigned number = take_number(here);
    if (number == no_slot) {
        n.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: we hold one already
        alive = &n;
        leave_over(n);
        base::full_fence();  // pairs with the one below
        number = take_number(here);
        if (number == no_slot) {
            drop(alive);
            return;
        }
        next = take_left_over();
    }
    for (;;) {
        while (next != nullptr) {
            perform(*next, number);
            if (alive != nullptr) {
                drop(alive);
            }
            alive = next;
            next = take_left_over();
            if (next == nullptr) {
                next = take_back();
            }
        }
        d_.give_number(number);
        base::full_fence();                                           // pairs with the one above
        if (left_over_count_.load(std::memory_order_relaxed) == 0) {  // relaxed: ordered by the fence
            break;
        }
        number = take_number(*sched::this_worker());
        if (number == no_slot) {
            break;  // those who have the numbers look when they give them back
        }
        next = take_left_over();
    }
    drop(alive);
}

void tree::perform(node& n, unsigned number) noexcept
{
    if (d_.stopped()) {
        return;
    }
    if (n.last - n.first > 1) {
        distribute(n, number);
    }
    const std::uint32_t done = run_for_timespan(n.units, number);
    const std::uint32_t grain = measured_grain_ ? std::max(d_.grain_units(), done) : d_.grain_units();
    while (n.units.size() / 2 >= grain && !d_.stopped()) {
        const std::uint32_t middle = n.units.first + n.units.size() / 2;
        node* const half = make(n, {middle, n.units.last}, n.first, n.first + 1);
        if (half == nullptr) {
            break;
        }
        n.units.last = middle;
        sched::push(*sched::this_worker(), *half);  // the body may have brought us to another one
    }
    if (!n.units.empty() && !d_.stopped()) {
        d_.run(n.units, number);
    }
}

void tree::distribute(node& n, unsigned number) noexcept
{
    unsigned first = n.first + 1;
    unsigned groups = std::min(how_.fan_out, n.last - first);
    for (; groups > 0; --groups) {
        const unsigned last = first + (n.last - first + groups - 1) / groups;
        node* const child = make(n, {d_.equal_share(first).first, d_.equal_share(last - 1).last}, first, last);
        if (child == nullptr) {
            d_.run({d_.equal_share(first).first, d_.equal_share(n.last - 1).last},
                   number);  // no memory: what nobody has yet is run here
            break;
        }
        send(*child);
        first = last;
    }
    n.units = d_.equal_share(n.first);
    n.last = n.first + 1;
}

void tree::send(node& n) noexcept
{
    sched::worker& here = *sched::this_worker();
    sched::worker* to = nullptr;
    if (d_.asked().nodes.restricts()) {
        to = d_.asked().nodes.pick(home_);
    } else {
        // Share 0 is the caller's, the others follow in the order of slots.
        const unsigned slot = (caller_slot_ + n.first) % d_.slots();
        to = slot < home_.table_size() ? home_.at(slot) : slot > 0 ? home_.member(slot - 1) : nullptr;
        if (to != nullptr &&
            (to->duty == sched::role::reserve ||
             (to->duty == sched::role::guest && !to->taking_part.load(std::memory_order_relaxed)))) {  // relaxed: a guess
            to = sched::any_member(home_);
        }
    }
    if (to == nullptr || to == &here || !to->manned.load(std::memory_order_relaxed)) {  // relaxed: see there
        sched::push(here, n);  // also when the system gave that worker no thread
    } else {
        send(n, *to);
    }
}

void tree::send(node& n, sched::worker& to) noexcept
{
    letter<node>* const l = letter<node>::make(n, open_letter);
    if (l == nullptr) {
        sched::push(*sched::this_worker(), n);
        return;
    }
    sent_.add(*l);
    sched::post(to, *l, *l);
}

// Called with a task still in one's hands, which keeps the tree alive.
node* tree::take_back() noexcept
{
    base::full_fence();  // pairs with the one in help(): what we have sent is seen there, or the flag here
    return taking_back_.load(std::memory_order_relaxed) ? sent_.take_back() : nullptr;  // relaxed: ordered by the fence
}

std::uint32_t tree::run_for_timespan(unit_range& units, unsigned number) noexcept
{
    const std::uint32_t all = units.size();
    const std::uint64_t start = base::cycles();
    std::uint64_t passed = 0;
    for (std::uint32_t piece = d_.grain_units(); !units.empty() && passed < how_.timespan && !d_.stopped();) {
        const std::uint32_t next = units.first + std::min(piece, units.size());
        d_.run({units.first, next}, number);
        units.first = next;
        passed = std::max<std::uint64_t>(base::cycles() - start, 1);
        // Twice as many as last time, if that fits into what is left of the timespan.
        const auto done = static_cast<double>(all - units.size());
        const double fits = passed < how_.timespan ? done * (static_cast<double>(how_.timespan) / static_cast<double>(passed) - 1)
                                                   : 0;
        const double twice = std::min(2.0 * piece, 1e9);
        piece = std::max(d_.grain_units(), static_cast<std::uint32_t>(std::min(twice, std::max(fits, 1.0))));
    }
    return all - units.size();
}

bool tree::time_has_passed() const noexcept
{
    return base::cycles() - start_ >= how_.timespan;
}

// The caller's part when its share is done. It gives all workers the timespan to begin with theirs, unless there is something else to do here, and
// then begins with what they have not: it must not wait for workers that are busy.
void tree::help() noexcept
{
    while (!done_.is_set()) {
        sched::worker& here = *sched::this_worker();
        base::work* const item = here.tasks.pop();
        if (item == nullptr) {
            if (!time_has_passed() && !here.has_work()) {
                if (home_.oversubscribed()) {
                    base::os::yield();
                } else {
                    base::cpu_relax();
                }
                continue;
            }
            taking_back_.store(true, std::memory_order_relaxed);  // relaxed: ordered by the fence
            base::full_fence();                                   // pairs with the one in take_back()
            if (node* const n = sent_.take_back(); n != nullptr) {
                execute(*n, here);
                continue;
            }
            return;
        }
        if (item->run != run_node || static_cast<node*>(item)->of != this) {
            sched::put_back(here, *item);
            return;
        }
        execute(static_cast<node&>(*item), here);
    }
}

void tree::run(sched::worker& caller) noexcept
{
    if (d_.asked().nodes.allows(caller)) {
        execute(root_, caller);
        help();
    } else if (sched::worker* const there = d_.asked().nodes.pick(home_); there != nullptr) {
        sched::post(*there, root_, root_);
    } else {
        execute(root_, caller);
    }
    done_.wait();
    sent_.forget();
}

}  // namespace

void run_along_tree(const request& r, unsigned slots, bool measured_grain)
{
    sched::late_guest_scope scope;
    descriptor* const d = scope.here() != nullptr ? descriptor::make(r, slots) : nullptr;
    if (d == nullptr) {
        run_alone(r);
        return;
    }
    d->free_numbers();
    scope.count();
    {
        tree t(*d, *scope.here(), r.distributed != nullptr ? *r.distributed : distribution_for(slots), measured_grain);
        t.run(*scope.here());
    }
    d->close();
    const std::exception_ptr error = d->take_error();
    d->drop_reference();
    if (error) {
        std::rethrow_exception(error);
    }
}

}  // namespace artel::loop
