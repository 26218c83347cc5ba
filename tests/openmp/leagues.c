/* Leagues on the host: teams, what they ask, regions and worksharing in them, reductions, many
 * teams, threads of their own, several leagues at a time. */
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>

static int under_artel;
static int own;
#pragma omp threadprivate(own)

/* gcc refuses such calls where they stand in a teams region themselves. */
static void alone(void)
{
    CHECK(omp_get_thread_num() == 0 && omp_get_num_threads() == 1);
}

static void outside_of_regions(void)
{
    alone();
    CHECK(omp_get_level() == 0 && !omp_in_parallel());
    CHECK(omp_get_ancestor_thread_num(0) == 0 && omp_get_ancestor_thread_num(1) == -1 &&
          omp_get_team_size(0) == 1);
}

static void numbers(void)
{
    int seen[5] = {0};
#pragma omp teams num_teams(5)
    {
        /* A runtime may make fewer. */
        const int team = omp_get_team_num(), teams = omp_get_num_teams();
        CHECK(teams >= 1 && teams <= 5 && team >= 0 && team < teams);
        if (under_artel)
            CHECK(teams == 5);
        outside_of_regions();
        __atomic_add_fetch(&seen[team], 1, __ATOMIC_RELAXED);
    }
    int all = 0;
    for (int i = 0; i < 5; i++) {
        CHECK(seen[i] <= 1 && (!under_artel || seen[i] == 1));
        all += seen[i];
    }
    CHECK(all >= 1 && omp_get_num_teams() == 1 && omp_get_team_num() == 0);
}

static void regions(void)
{
    int members = 0, again = 0, large = 0;
#pragma omp teams num_teams(3) thread_limit(4) reduction(+ : members, again, large)
    {
        const int team = omp_get_team_num();
#pragma omp parallel num_threads(3) reduction(+ : members)
        {
            CHECK(omp_get_level() == 1 && omp_get_num_threads() == 3 && omp_get_team_num() == team);
            CHECK(omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1);
            own = team * 10 + omp_get_thread_num();
#pragma omp barrier
#pragma omp critical
            members++;
#pragma omp barrier
        }
        /* Threads of a team keep what is theirs from one region to the next. */
#pragma omp parallel num_threads(3) reduction(+ : again)
        again += own == team * 10 + omp_get_thread_num();
#pragma omp parallel num_threads(9)
        {
            CHECK(omp_get_num_threads() <= 4 && omp_get_thread_limit() == 4);
            if (omp_get_thread_num() == 0)
                large += omp_get_num_threads() > 1;
        }
    }
    CHECK(!under_artel || (members == 9 && again == 9 && large == 3));
    CHECK(members % 3 == 0 && again == members);
}

static void set_size(int size)
{
    CHECK(!under_artel || omp_get_max_threads() != size);
    omp_set_num_threads(size);
    CHECK(omp_get_max_threads() == size);
}

/* What a team sets counts in that team. */
static void settings(void)
{
    const int before = omp_get_max_threads();
#pragma omp teams num_teams(8)
    set_size(1000 + omp_get_team_num());
    CHECK(!under_artel || omp_get_max_threads() == before);
    /* libgomp keeps what the last team has set: the regions after this one would have a thousand
     * threads each. */
    omp_set_num_threads(before);
}

static void sums(void)
{
    enum { iterations = 10000 };
    static int hits[iterations];
    long sum = 0, nested = 0;
    int last = -1;
#pragma omp teams distribute parallel for num_teams(7) reduction(+ : sum) \
    dist_schedule(static, 11) schedule(dynamic, 3)
    for (int i = 0; i < iterations; i++) {
        sum += i;
        __atomic_add_fetch(&hits[i], 1, __ATOMIC_RELAXED);
    }
#pragma omp teams distribute num_teams(6) lastprivate(last)
    for (int i = 0; i < iterations; i++) {
        last = i;
        __atomic_add_fetch(&hits[i], 1, __ATOMIC_RELAXED);
    }
#pragma omp teams num_teams(4) reduction(+ : nested)
#pragma omp distribute
    for (int i = 0; i < 100; i++) {
        long part = 0;
#pragma omp parallel for num_threads(2) reduction(+ : part)
        for (int j = 0; j < 10; j++)
            part += i * 10 + j;
        nested += part;
    }
    int wrong = 0;
    for (int i = 0; i < iterations; i++)
        wrong += hits[i] != 2;
    CHECK(wrong == 0 && last == iterations - 1);
    printf("sum %ld nested %ld\n", sum, nested);
}

/* Reductions of the league itself meet where teams end at the same time. */
static void many(void)
{
    for (int round = 0; round < 50; round++) {
        long sum = 0, teams = 0;
        double product = 1;
#pragma omp teams num_teams(200) reduction(+ : sum, teams) reduction(* : product)
        {
            sum += omp_get_team_num();
            teams += 1;
            product *= 1 + omp_get_team_num() % 2;
        }
        CHECK(sum == teams * (teams - 1) / 2 && teams >= 1 && product >= 1);
        CHECK(!under_artel || teams == 200);
    }
}

/* Teams that wait for each other are no OpenMP; but that they can shows that they run at the same
 * time. */
static void at_the_same_time(void)
{
    int here = 0;
    void* places[2] = {&here, &here};
#pragma omp teams num_teams(2)
    {
        places[omp_get_team_num()] = &own;
        __atomic_add_fetch(&here, 1, __ATOMIC_ACQ_REL);
        for (int i = 0; i < 20000 && __atomic_load_n(&here, __ATOMIC_ACQUIRE) < 2; i++)
            usleep(1000);
        CHECK(__atomic_load_n(&here, __ATOMIC_ACQUIRE) == 2);
    }
    CHECK(places[0] != places[1] && places[0] == &own);
}

static void* leagues_of_a_thread(void* argument)
{
    long* const sum = argument;
    for (int round = 0; round < 100; round++) {
#pragma omp teams num_teams(3)
        {
            const int team = omp_get_team_num();
#pragma omp parallel num_threads(2)
            __atomic_add_fetch(sum, team + 1, __ATOMIC_RELAXED);
        }
    }
    return NULL;
}

static void several(void)
{
    pthread_t threads[4];
    long sums[4] = {0};
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, leagues_of_a_thread, &sums[i]) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(!under_artel || sums[i] == 100 * 2 * (1 + 2 + 3));
    }
}

/* In members of a region, as target regions allow it. */
static void in_a_region(void)
{
    int teams = 0;
#pragma omp parallel num_threads(4)
    {
        int mine = 0;
#pragma omp target teams num_teams(3) map(tofrom : mine) reduction(+ : mine)
        {
            alone();
            mine++;
        }
#pragma omp barrier
#pragma omp atomic
        teams += mine;
    }
    CHECK(!under_artel || teams == 12);
}

static void forks(void)
{
    int status = -1;
    pid_t child = -1;
#pragma omp teams num_teams(2)
    {
        if (omp_get_team_num() == 0) {
            child = fork();
            int members = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
            members++;
            CHECK(members == 2);
        }
    }
    int sum = 0;
#pragma omp teams num_teams(3) reduction(+ : sum)
    {
        int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
        members++;
        sum += members;
    }
    CHECK(sum == 6);
    if (child == 0)
        _exit(failures != 0);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(void)
{
    under_artel = getenv("UNDER_ARTEL") != NULL;
    numbers();
    regions();
    settings();
    sums();
    many();
    several();
    in_a_region();
    if (under_artel) {
        at_the_same_time();
        forks();
    }
    return finish("leagues");
}
