! The collectives as Fortran programs call them. Compiled once per interface: -DMPIF (mpif.h),
! -DMODULE (use mpi), -DF08 (use mpi_f08). Prints "ok ROUNDS".
program fortran_collectives
#if defined(F08)
    use mpi_f08
#define HANDLE(kind) type(kind)
#elif defined(MODULE)
    use mpi
#define HANDLE(kind) integer
#endif
    implicit none
#if defined(MPIF)
    include 'mpif.h'
#define HANDLE(kind) integer
#endif
    integer :: rank, ranks, ierror, round, root, i
    integer :: numbers(2000)
    double precision :: sums(700), parts(3, 64)
    complex :: z(3)
    logical :: some(2)
    HANDLE(MPI_Op) :: later
    double precision :: matrix(40, 50)
    character(len=20) :: text
    HANDLE(MPI_Datatype) :: row, absolute
    HANDLE(MPI_Comm) :: copy
    integer(kind=MPI_ADDRESS_KIND) :: places(1)
    integer :: one(1)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Type_vector(50, 1, 40, MPI_DOUBLE_PRECISION, row, ierror)
    call MPI_Type_commit(row, ierror)
    call MPI_Get_address(numbers, places(1), ierror)
    one(1) = 100
    call MPI_Type_create_hindexed(1, one, places, MPI_INTEGER, absolute, ierror)
    call MPI_Type_commit(absolute, ierror)
    call MPI_Op_create(take_later, .false., later, ierror)
    do round = 1, 10
        root = mod(round, ranks)
        numbers = -1
        matrix = -1
        text = ''
        if (rank == root) then
            numbers = [(i * round, i = 1, 2000)]
            matrix(7, :) = [(i + 0.5d0 * round, i = 1, 50)]
            text = 'round of the root'
        end if
        ierror = -1
        call MPI_Bcast(numbers, 2000, MPI_INTEGER, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(numbers /= [(i * round, i = 1, 2000)])) &
            call fail('numbers')
        ierror = -1
        call MPI_Bcast(matrix(7, 1), 1, row, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(matrix(7, :) /= [(i + 0.5d0 * round, i = 1, 50)])) &
            call fail('a row of a matrix')
        if (rank /= root .and. any(matrix(8, :) /= -1)) call fail('the gaps of a row')
        ierror = -1
        call MPI_Bcast(text, len(text), MPI_CHARACTER, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. text /= 'round of the root') call fail('a text')
        numbers = rank
        call MPI_Bcast(MPI_BOTTOM, 1, absolute, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(numbers(1:100) /= root) .or. &
            any(numbers(101:) /= rank)) call fail('MPI_BOTTOM')
        ! Reductions, in place and not, to all and to one; the types that only Fortran has.
        call MPI_Barrier(copy, ierror)
        sums = [(i * (rank + 1d0), i = 1, 700)]
        ierror = -1
        call MPI_Allreduce(MPI_IN_PLACE, sums, 700, MPI_DOUBLE_PRECISION, MPI_SUM, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. &
            any(sums /= [(i * (ranks * (ranks + 1) / 2d0), i = 1, 700)])) &
            call fail('a sum in place')
        numbers(1:5) = rank + round
        numbers(6:10) = -1
        ierror = -1
        call MPI_Reduce(numbers, numbers(6), 5, MPI_INTEGER, MPI_MAX, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. &
            (rank == root .and. any(numbers(6:10) /= ranks - 1 + round))) call fail('a maximum')
        z = cmplx(1, rank)
        call MPI_Allreduce(MPI_IN_PLACE, z, 3, MPI_COMPLEX, MPI_SUM, copy, ierror)
        if (any(z /= cmplx(ranks, ranks * (ranks - 1) / 2))) call fail('a complex sum')
        some = [rank == root, .false.]
        call MPI_Allreduce(MPI_IN_PLACE, some, 2, MPI_LOGICAL, MPI_LOR, copy, ierror)
        if (.not. some(1) .or. some(2)) call fail('a logical or')
        sums(1) = rank
        call MPI_Allreduce(sums(1), sums(2), 1, MPI_DOUBLE_PRECISION, later, copy, ierror)
        if (sums(2) /= ranks - 1) call fail('an operation of its own')
        parts = -1
        ierror = -1
        call MPI_Allgather([rank + 0.5d0, 2d0, 3d0], 3, MPI_DOUBLE_PRECISION, parts, 3, &
            MPI_DOUBLE_PRECISION, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(parts(1, 1:ranks) /= [(i - 0.5d0, i = 1, ranks)])) &
            call fail('an allgather')
        parts = -1
        parts(2, rank + 1) = round
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts, 3, &
            MPI_DOUBLE_PRECISION, copy, ierror)
        if (any(parts(2, 1:ranks) /= round)) call fail('an allgather in place')
    end do
    call MPI_Op_free(later, ierror)
    call MPI_Type_free(row, ierror)
    call MPI_Type_free(absolute, ierror)
    call MPI_Comm_free(copy, ierror)
    call MPI_Finalize(ierror)
    if (rank == 0) print '(a)', 'ok 10'

contains

    ! What the later ranks have: not commutative. Its arguments are whatever each interface wants of
    ! them.
    subroutine take_later(invec, inoutvec, n, type)
#if defined(F08)
        use, intrinsic :: iso_c_binding, only: c_ptr
        type(c_ptr), value :: invec, inoutvec
#else
        double precision :: invec(*), inoutvec(*)
#endif
        integer :: n
        HANDLE(MPI_Datatype) :: type
    end subroutine

    subroutine fail(what)
        character(len=*), intent(in) :: what
        integer :: ignored
        print '(a, i0, a, i0)', 'fortran: wrong: '//what//' on rank ', rank, ', root ', root
        call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
    end subroutine
end program
