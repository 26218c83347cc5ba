// Full/empty bits of any aligned word.
#include "sched/feb_table.hpp"

namespace {

namespace feb = artel::sched::feb;
using feb::word;

constexpr int success = 0;
constexpr int not_possible_now = -7;  // QTHREAD_OPFAIL

word* writable(const word* at)
{
    return const_cast<word*>(at);  // the interface takes pointers to constants, too
}

}  // namespace

extern "C" {

int qthread_feb_status(const word* at)
{
    return feb::is_full(at) ? 1 : 0;
}
int qthread_empty(const word* at)
{
    feb::empty(writable(at));
    return success;
}
int qthread_fill(const word* at)
{
    feb::fill(writable(at));
    return success;
}
int qthread_purge(word* at)
{
    feb::purge(at, 0);
    return success;
}
int qthread_purge_to(word* at, const word* from)
{
    feb::purge(at, feb::read_xx(from));
    return success;
}
int qthread_purge_to_const(word* at, word value)
{
    feb::purge(at, value);
    return success;
}
int qthread_writeEF(word* at, const word* from)
{
    feb::copy_ef(at, from);
    return success;
}
int qthread_writeEF_const(word* at, word value)
{
    feb::write_ef(at, value);
    return success;
}
int qthread_writeEF_nb(word* at, const word* from)
{
    return feb::try_write_ef(at, feb::read_xx(from)) ? success : not_possible_now;
}
int qthread_writeEF_const_nb(word* at, word value)
{
    return feb::try_write_ef(at, value) ? success : not_possible_now;
}
int qthread_writeF(word* at, const word* from)
{
    feb::write_f(at, feb::read_xx(from));
    return success;
}
int qthread_writeF_const(word* at, word value)
{
    feb::write_f(at, value);
    return success;
}
int qthread_writeFF(word* at, const word* from)
{
    feb::copy_ff(at, from);
    return success;
}
int qthread_writeFF_const(word* at, word value)
{
    feb::write_ff(at, value);
    return success;
}
int qthread_readFF(word* to, const word* at)
{
    const word value = feb::read_ff(at);
    if (to != nullptr) {
        *to = value;
    }
    return success;
}
int qthread_readFE(word* to, const word* at)
{
    const word value = feb::read_fe(writable(at));
    if (to != nullptr) {
        *to = value;
    }
    return success;
}
int qthread_readFF_nb(word* to, const word* at)
{
    word value;
    if (!feb::try_read_ff(at, value)) {
        return not_possible_now;
    }
    if (to != nullptr) {
        *to = value;
    }
    return success;
}
int qthread_readFE_nb(word* to, const word* at)
{
    word value;
    if (!feb::try_read_fe(writable(at), value)) {
        return not_possible_now;
    }
    if (to != nullptr) {
        *to = value;
    }
    return success;
}
int qthread_readXX(word* to, const word* at)
{
    const word value = feb::read_xx(at);
    if (to != nullptr) {
        *to = value;
    }
    return success;
}
}
