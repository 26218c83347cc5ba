// rseq(2) for base/os/rseq.hpp. Where libc's headers do not know it, nothing is registered and
// nothing needs to be done.
#include "base/os/rseq.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

namespace artel::base::os {

void unregister_rseq() noexcept
{
#if defined(RSEQ_SIG) && defined(SYS_rseq)
    if (__rseq_size != 0) {
        constexpr unsigned registered_size = 32;  // size that glibc registers, however much of it
                                                  // glibc uses
        constexpr int unregister = 1;             // RSEQ_FLAG_UNREGISTER
        char* const area = static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset;
        ::syscall(SYS_rseq, area, registered_size, unregister, RSEQ_SIG);
    }
#endif
}

}  // namespace artel::base::os
