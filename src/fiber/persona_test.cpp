// Personas made in batches: their stacks are where the C library says, all of them can be freed,
// and making them changes nobody's signal mask. With a wrong low end of its stack, the overflow of
// a persona would not be recognised.
#include "fiber/persona.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace artel::fiber {
namespace {

void never(persona&)
{
    std::abort();
}

// Where the C library says that the stack ends; what the persona says is computed.
void* low_by_pthread(const persona& p)
{
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    EXPECT_EQ(pthread_getattr_np(p.thread, &attributes), 0);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return low;
}

TEST(persona, many_are_made_at_once_and_know_their_stacks)
{
    // The larger ones last: the C library keeps stacks for later, and may give a larger one.
    for (const std::size_t size : {100000ul, 1ul << 20, 0ul, 16ul << 20}) {
        for (const unsigned count : {1u, 20u}) {
            int error = -1;
            const std::size_t before = persona_count();
            int errands = 0;
            persona* first = create_personas(
                count, size, never, [](void* n) { ++*static_cast<int*>(n); }, &errands, error);
            EXPECT_EQ(error, 0);
            EXPECT_EQ(errands, 1);
            EXPECT_EQ(persona_count(), before + count);
            EXPECT_EQ(unborn_personas(), 0u);
            unsigned found = 0;
            for (persona* p = first; p != nullptr; ++found) {
                persona* const next = static_cast<persona*>(p->next);
                EXPECT_EQ(p->stack.low, low_by_pthread(*p)) << size;
                EXPECT_GT(p->stack.size, 64u * 1024);  // the rest is thread-local storage
                EXPECT_NE(p->context, nullptr);
                dismiss_persona(*p);
                EXPECT_TRUE(free_persona(*p, true));
                p = next;
            }
            EXPECT_EQ(found, count);
            EXPECT_EQ(persona_count(), before);
        }
    }
}

// All signals are blocked while personas' threads are made; switches need not know that.
TEST(persona, making_them_leaves_switches_without_a_look_at_masks)
{
    const base::os::signal_set before = base::os::blocked_now();
    int error = -1;
    persona* const p = create_personas(1, 0, never, nullptr, nullptr, error);
    ASSERT_EQ(error, 0);
    EXPECT_EQ(p->signals.blocked, before);
    EXPECT_EQ(base::os::blocked_now(), before);
    EXPECT_FALSE(signal_masks_matter());
    EXPECT_EQ(signals_of(p->thread), &p->signals);
    EXPECT_EQ(signals_of(::pthread_self()), nullptr);  // the crew does not know it
    dismiss_persona(*p);
    EXPECT_TRUE(free_persona(*p, true));
}

}  // namespace
}  // namespace artel::fiber
