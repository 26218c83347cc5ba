// rseq(2) for base/os/rseq.hpp. Where libc's headers do not know it, nothing is registered and
// nothing needs to be done.
#include "base/os/rseq.hpp"

#include "base/os/keep_errno.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

namespace artel::base::os {

void unregister_rseq(thread_pointer of) noexcept
{
#if defined(RSEQ_SIG) && defined(SYS_rseq)
    if (__rseq_size != 0) {
        // size that glibc registers, however much of it glibc uses
        constexpr unsigned registered_size = 32;
        constexpr int unregister = 1;  // RSEQ_FLAG_UNREGISTER
        const keep_errno guard;
        ::syscall(SYS_rseq, of + static_cast<thread_pointer>(__rseq_offset), registered_size,
                  unregister, RSEQ_SIG);
    }
#else
    static_cast<void>(of);
#endif
}

}  // namespace artel::base::os
