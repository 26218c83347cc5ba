// Light threads on gcc's own OpenMP runtime. An OS thread that enters opens a region whose threads
// are the streams. Light threads are fibers, and each run of one is a task of the region. The file
// that includes this defines make_task, and is compiled with -fopenmp. Constructs that call omp_
// functions (master, for) are not used, because the library itself defines functions of these
// names.
#pragma once

#include "../common/light.hpp"
#include "../common/settings.hpp"
#include "../common/spinlock.hpp"
#include "fiber.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

namespace cp::light {

namespace {

void make_task(fiber* x);

// The region of one OS thread that has entered.
struct region {
    region(void (*function)(void*), void* of) : f(function), argument(of) {}
    void (*f)(void*);
    void* argument;
    std::atomic<int> word{0};  // changes when the region's first thread has something to do
    bool done = false;         // under the lock, as the list
    spinlock lock;
    std::vector<fiber*> from_outside;  // fibers resumed by threads outside of the region
    std::atomic<unsigned> waiting{0};  // the number of these
};

void run_task(fiber* x)
{
    auto* const r = static_cast<region*>(x->home);
    // relaxed: a hint. The first thread may be busy for long, so others check, too.
    if (r->waiting.load(std::memory_order_relaxed) != 0) {
        std::vector<fiber*> more;
        r->lock.lock();
        more.swap(r->from_outside);
        r->waiting.store(0, std::memory_order_relaxed);  // relaxed: under the lock
        r->lock.unlock();
        for (fiber* const m : more) {
            make_task(m);
        }
    }
    carry(x);
}

void run_region(void* argument)
{
    auto* const r = static_cast<region*>(argument);
    r->f(r->argument);
    std::atomic<int>& w = r->word;
    r->lock.lock();
    r->done = true;
    w.fetch_add(1, std::memory_order_release);  // release: pairs with drive
    r->lock.unlock();  // the region does not end before its first thread has taken the lock
    syscall(SYS_futex, &w, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Run by the region's first thread: makes tasks for fibers that were resumed from outside, and
// takes part in running all tasks. It sleeps only while every light thread is suspended and waits
// for something from outside.
void drive(region& r)
{
    std::vector<fiber*> ready = {make_fiber(run_region, &r, &r)};
    while (true) {
#pragma omp taskgroup
        for (fiber* const x : ready) {
            make_task(x);
        }
        ready.clear();
        // acquire: pairs with resume and run_region.
        const int seen = r.word.load(std::memory_order_acquire);
        r.lock.lock();
        ready.swap(r.from_outside);
        r.waiting.store(0, std::memory_order_relaxed);  // relaxed: under the lock
        const bool done = r.done;
        r.lock.unlock();
        if (done) {
            return;
        }
        if (ready.empty()) {
            syscall(SYS_futex, &r.word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
        }
    }
}

unsigned width = 1;

}  // namespace

void start(unsigned streams)
{
    width = streams;
}

// Ends the threads of the region, which wait for the caller's next region. It calls libgomp's
// function of this name, because the library defines one itself.
bool stop()
{
    void* const libgomp = dlopen("libgomp.so.1", RTLD_NOLOAD | RTLD_LAZY);
    if (libgomp == nullptr) {
        return false;
    }
    const auto pause_all = reinterpret_cast<int (*)(int)>(dlsym(libgomp, "omp_pause_resource_all"));
    const bool ended = pause_all != nullptr && pause_all(2) == 0;  // hard
    dlclose(libgomp);
    return ended;
}

void enter(void (*f)(void*), void* argument)
{
    region r(f, argument);
#pragma omp parallel num_threads(width) shared(r)
#pragma omp single nowait
    drive(r);
}

void spawn(void (*f)(void*), void* argument, unsigned, unsigned)
{
    make_task(make_fiber(f, argument, carried()->home));
}

void resume(handle h)
{
    auto* const x = static_cast<fiber*>(h);
    if (in_stream()) {
        make_task(x);
        return;
    }
    auto* const r = static_cast<region*>(x->home);
    r->lock.lock();
    r->from_outside.push_back(x);
    r->waiting.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    r->word.fetch_add(1, std::memory_order_release);     // release: pairs with drive
    std::atomic<int>& w = r->word;
    r->lock.unlock();
    syscall(SYS_futex, &w, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

// Queues the fiber after all that are ready: libgomp runs the youngest task of a group first, so a
// new task made at once would starve the others.
void yield()
{
    suspend(
        [](handle self, void*) {
            auto* const x = static_cast<fiber*>(self);
            auto* const r = static_cast<region*>(x->home);
            std::atomic<int>& w = r->word;
            r->lock.lock();
            r->from_outside.push_back(x);
            w.fetch_add(1, std::memory_order_release);  // release: pairs with drive
            r->lock.unlock();
            syscall(SYS_futex, &w, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
        },
        nullptr);
}

}  // namespace cp::light
