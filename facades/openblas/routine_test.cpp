// Which names are taken for routines of BLAS and LAPACK, and which arguments give the amount of
// work. With a wrong index another argument, perhaps an address, would be taken for a size, and
// large calls would pass uncounted.
#include "routine.hpp"

#include <gtest/gtest.h>

namespace {

using artel::openblas::routine;

TEST(routine, is_known_by_its_name)
{
    for (const char* name :
         {"dgemm_", "cblas_dgemm", "sgetrf_", "zheevd_", "cblas_zdotc_sub", "dznrm2_", "idamax_",
          "LAPACKE_dgesv", "LAPACKE_zgesvd_work", "dsgesv_", "cblas_sbgemm", "cblas_dgemm_batch",
          "dpotrf_", "dlange_", "ssyevr_", "ctrsm_", "cblas_icamin", "zungqr_", "dormqr_"}) {
        EXPECT_TRUE(routine(name, false)) << name;
    }
}

TEST(routine, nothing_else_is_one)
{
    for (const char* name : {"",
                             "_",
                             "d_",
                             "dgemm",
                             "dsolve_",
                             "dsimulate_",
                             "openblas_get_config",
                             "xerbla_",
                             "lsame_",
                             "dlamch_",
                             "cblas_xerbla",
                             "LAPACKE_malloc",
                             "LAPACKE_dge_trans",
                             "LAPACKE_get_nancheck",
                             "blas_memory_alloc",
                             "blas_memory_free_",
                             "goto_set_num_threads",
                             "exec_blas",
                             "cblas_",
                             "LAPACKE_",
                             "DGEMM_",
                             "ilaenv_",
                             "fgemm_",
                             "main_",
                             "second_"}) {
        EXPECT_FALSE(routine(name, false)) << name;
    }
}

TEST(routine, says_where_the_amount_is)
{
    const auto f = routine("dgemm_", true), c = routine("cblas_dgemm", false);
    EXPECT_TRUE(f->first == 2 && f->count == 3 && f->by_reference && f->wide);
    EXPECT_TRUE(c->first == 3 && c->count == 3 && !c->by_reference && !c->wide);
    EXPECT_EQ(routine("cblas_ddot", false)->first, 0);
    EXPECT_EQ(routine("cblas_ddot", false)->count, 1);
    EXPECT_EQ(routine("idamax_", false)->count, 1);
    EXPECT_EQ(routine("cblas_dgemv", false)->first, 2);
    EXPECT_EQ(routine("dger_", false)->first, 0);
    EXPECT_EQ(routine("zdotc_", false)->count, 0);
    EXPECT_EQ(routine("dgetrf_", false)->count, 0);
}

}  // namespace
