! MPI_Bcast as Fortran programs call it. Compiled once per interface: -DMPIF (mpif.h), -DMODULE (use mpi), -DF08 (use mpi_f08). Prints "ok ROUNDS".
program fortran_broadcast
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
        if (ierror /= MPI_SUCCESS .or. any(numbers /= [(i * round, i = 1, 2000)])) call fail('numbers')
        ierror = -1
        call MPI_Bcast(matrix(7, 1), 1, row, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(matrix(7, :) /= [(i + 0.5d0 * round, i = 1, 50)])) call fail('a row of a matrix')
        if (rank /= root .and. any(matrix(8, :) /= -1)) call fail('the gaps of a row')
        ierror = -1
        call MPI_Bcast(text, len(text), MPI_CHARACTER, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. text /= 'round of the root') call fail('a text')
        numbers = rank
        call MPI_Bcast(MPI_BOTTOM, 1, absolute, root, copy, ierror)
        if (ierror /= MPI_SUCCESS .or. any(numbers(1:100) /= root) .or. any(numbers(101:) /= rank)) call fail('MPI_BOTTOM')
    end do
    call MPI_Type_free(row, ierror)
    call MPI_Type_free(absolute, ierror)
    call MPI_Comm_free(copy, ierror)
    call MPI_Finalize(ierror)
    if (rank == 0) print '(a)', 'ok 10'

contains

    subroutine fail(what)
        character(len=*), intent(in) :: what
        integer :: ignored
        print '(a, i0, a, i0)', 'fortran: wrong: '//what//' on rank ', rank, ', root ', root
        call MPI_Abort(MPI_COMM_WORLD, 1, ignored)
    end subroutine
end program
