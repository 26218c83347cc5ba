// The names of BLAS and LAPACK without the letter for the type of their numbers (dgemm_: gemm):
// those of LAPACK 3.11, and OpenBLAS's additions to BLAS. Helpers that take no time, such as
// dlamch, are left out. Sorted.
#pragma once

#include <string_view>

namespace artel::openblas {

inline constexpr std::string_view routine_names =
    "amax amin asum axpby axpy axpyc bbcsd bdsdc bdsqr bdsvdx copy disna dot dotc dotc_sub dotu "
    "dotu_sub gbbrd gbcon gbequ gbequb gbmv gbrfs gbsv gbsvx gbtf2 gbtrf gbtrs geadd gebak gebal "
    "gebd2 gebrd gecon geequ geequb gees geesx geev geevx gegs gegv gehd2 gehrd gejsv gelq gelq2 "
    "gelqf gelqt gelqt3 gels gelsd gelss gelst gelsx gelsy gemlq gemlqt gemm gemm3m gemm_batch "
    "gemm_batch_strided gemmt gemmtr gemqr gemqrt gemv geql2 geqlf geqp3 geqpf geqr geqr2 geqr2p "
    "geqrf geqrfp geqrt geqrt2 geqrt3 ger gerc gerfs gerq2 gerqf geru gesc2 gesdd gesv gesvd "
    "gesvdq gesvdx gesvj gesvx getc2 getf2 getrf getrf2 getri getrs getsls getsqrhrt ggbak ggbal "
    "gges gges3 ggesx ggev ggev3 ggevx ggglm gghd3 gghrd gglse ggqrf ggrqf ggsvd ggsvd3 ggsvp "
    "ggsvp3 gsvj0 gsvj1 gtcon gtrfs gtsv gtsvx gttrf gttrs gtts2 hbev hbevd hbevx hbgst hbgv "
    "hbgvd hbgvx hbmv hbtrd hecon heequb heev heevd heevr heevx hegs2 hegst hegv hegvd hegvx hemm "
    "hemv her her2 her2k herfs herk hesv hesvx heswapr hetd2 hetf2 hetrd hetrf hetri hetri2 "
    "hetri2x hetrs hetrs2 hfrk hgeqz hpcon hpev hpevd hpevx hpgst hpgv hpgvd hpgvx hpmv hpr hpr2 "
    "hprfs hpsv hpsvx hptrd hptrf hptri hptrs hsein hseqr imatcopy labrd lacgv lacn2 lacon lacp2 "
    "lacpy lacrm lacrt ladiv1 ladiv2 lae2 laebz laed0 laed1 laed2 laed3 laed4 laed5 laed6 laed7 "
    "laed8 laed9 laeda laein laesy laev2 laexc lag2 lags2 lagtf lagtm lagts lagv2 lahef lahqr "
    "lahr2 lahrd laic1 laln2 lals0 lalsa lalsd lamrg lamswlq lamtsqr laneg langb lange langt "
    "lanhb lanhe lanhf lanhp lanhs lanht lansb lansf lansp lanst lansy lantb lantp lantr lanv2 "
    "lapll lapmr lapmt laqgb laqge laqhb laqhe laqhp laqp2 laqps laqr0 laqr1 laqr2 laqr3 laqr4 "
    "laqr5 laqsb laqsp laqsy laqtr laqz0 laqz1 laqz2 laqz3 laqz4 lar1v lar2v larcm larf larfb "
    "larfg larfgp larft larfx larfy largv larmm larnv larra larrb larrc larrd larre larrf larrj "
    "larrk larrr larrv lartg lartgp lartgs lartv laruv larz larzb larzt las2 lascl lasd0 lasd1 "
    "lasd2 lasd3 lasd4 lasd5 lasd6 lasd7 lasd8 lasda lasdq lasdt laset lasq1 lasq2 lasq3 lasq4 "
    "lasq5 lasq6 lasr lasrt lassq lasv2 laswlq laswp lasy2 lasyf latbs latdf latps latrd latrs "
    "latrs3 latrz latsqr latzm lauu2 lauum nrm2 omatcopy opgtr opmtr orbdb orbdb1 orbdb2 orbdb3 "
    "orbdb4 orbdb5 orbdb6 orcsd orcsd2by1 org2l org2r orgbr orghr orgl2 orglq orgql orgqr orgr2 "
    "orgrq orgtr orgtsqr orm22 orm2l orm2r ormbr ormhr orml2 ormlq ormql ormqr ormr2 ormr3 ormrq "
    "ormrz ormtr pbcon pbequ pbrfs pbstf pbsv pbsvx pbtf2 pbtrf pbtrs pftrf pftri pftrs pocon "
    "poequ poequb porfs posv posvx potf2 potrf potrf2 potri potrs ppcon ppequ pprfs ppsv ppsvx "
    "pptrf pptri pptrs pstf2 pstrf ptcon pteqr ptrfs ptsv ptsvx pttrf pttrs ptts2 rot rotm rscl "
    "sbev sbevd sbevx sbgst sbgv sbgvd sbgvx sbmv sbtrd scal sfrk spcon spev spevd spevx spgst "
    "spgv spgvd spgvx spmv spr spr2 sprfs spsv spsvx sptrd sptrf sptri sptrs stebz stedc stegr "
    "stein stemr steqr sterf stev stevd stevr stevx sum swap sycon syconv syconvf syequb syev "
    "syevd syevr syevx sygs2 sygst sygv sygvd sygvx symm symv syr syr2 syr2k syrfs syrk sysv "
    "sysvx syswapr sytd2 sytf2 sytrd sytrf sytri sytri2 sytri2x sytrs sytrs2 tbcon tbmv tbrfs "
    "tbsv tbtrs tfsm tftri tfttp tfttr tgevc tgex2 tgexc tgsen tgsja tgsna tgsy2 tgsyl tpcon "
    "tplqt tplqt2 tpmlqt tpmqrt tpmv tpqrt tpqrt2 tprfb tprfs tpsv tptri tptrs tpttf tpttr trcon "
    "trevc trevc3 trexc trmm trmv trrfs trsen trsm trsna trsv trsyl trsyl3 trti2 trtri trtrs "
    "trttf trttp tzrqf tzrzf unbdb unbdb1 unbdb2 unbdb3 unbdb4 unbdb5 unbdb6 uncsd uncsd2by1 "
    "ung2l ung2r ungbr unghr ungl2 unglq ungql ungqr ungr2 ungrq ungtr ungtsqr unm22 unm2l unm2r "
    "unmbr unmhr unml2 unmlq unmql unmqr unmr2 unmr3 unmrq unmrz unmtr upgtr upmtr ";

}  // namespace artel::openblas
