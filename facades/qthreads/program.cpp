// One static task, made anew when the runtime is initialised, and in a child of a fork when another
// thread becomes the program's.
#include "program.hpp"

#include "team.hpp"

#include <new>

namespace artel::qthreads {
namespace {

// Never destroyed: it is read until the process ends.
alignas(task) unsigned char room_for_the_program[sizeof(task)];
task* of_the_program = nullptr;
const fiber::tls_block* programs_thread = nullptr;  // the thread whose qthread that is

}  // namespace

task& make_program(bool again)
{
    const fiber::tls_block* const here = &fiber::this_tls();
    if (of_the_program == nullptr || !again || programs_thread != here) {
        of_the_program = new (room_for_the_program) task;
        of_the_program->id = 1;
        of_the_program->in = &default_team();
        programs_thread = here;
    }
    return *of_the_program;
}

bool is_the_program(const task& t) noexcept
{
    return &t == of_the_program;
}

void forget_program_thread() noexcept
{
    programs_thread = nullptr;
}

}  // namespace artel::qthreads
