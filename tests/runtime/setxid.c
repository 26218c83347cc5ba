/* setxid.c — members and others change the process's user while regions run: every kernel thread
 * has the new one when the call returns. setxid WHAT MEMBERS, WHAT one of member, nested, outside,
 * groups. Status 77 without the right to do so. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { nobody = 65534, rounds = 20 };

/* How many of the process's kernel threads have another effective user than `wanted`. */
static int others(int wanted)
{
    int count = 0;
    DIR* folder = opendir("/proc/self/task");
    struct dirent* e;
    while (folder != NULL && (e = readdir(folder)) != NULL) {
        char path[300];
        char line[256];
        int real, effective;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", e->d_name);
        FILE* file = e->d_name[0] != '.' ? fopen(path, "r") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            if (sscanf(line, "Uid: %d %d", &real, &effective) == 2)
                count += effective != wanted;
        if (file != NULL)
            fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void change(const char* where)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one);
    for (int to = nobody;; to = 0) {
        if (seteuid((uid_t)to) != 0) {
            perror("seteuid");
            _exit(1);
        }
        const int wrong = others(to);
        if (wrong != 0) {
            fprintf(stderr, "%s: %d kernel threads are not user %d\n", where, wrong, to);
            _exit(1);
        }
        if (to == 0)
            break;
    }
    /* What fails says why, to the member that asked. */
    errno = 0;
    if (setresuid((uid_t)-1, (uid_t)-1, (uid_t)-1) != 0 || errno != 0)
        _exit(1);
    pthread_mutex_unlock(&one);
}

static volatile int done;

static void* from_outside(void* unused)
{
    (void)unused;
    for (int i = 0; i < rounds; ++i)
        change("outside");
    done = 1;
    return NULL;
}

int main(int argc, char** argv)
{
    if (geteuid() != 0 || seteuid(nobody) != 0 || seteuid(0) != 0)
        return 77;
    const char* const what = argc > 1 ? argv[1] : "member";
    const int members = argc > 2 ? atoi(argv[2]) : 2;
    omp_set_max_active_levels(2);
    pthread_t thread;
    if (strcmp(what, "outside") == 0)
        pthread_create(&thread, NULL, from_outside, NULL);
    for (int round = 0; round < rounds || (strcmp(what, "outside") == 0 && !done); ++round) {
#pragma omp parallel num_threads(members)
        {
            if (strcmp(what, "member") == 0) {
                if (omp_get_thread_num() == round % members)
                    change("member");
            } else if (strcmp(what, "nested") == 0) {
#pragma omp parallel num_threads(3)
                if (omp_get_thread_num() == round % 3)
                    change("nested");
            } else if (strcmp(what, "groups") == 0) {
                const gid_t groups[] = {0, 7};
                if (omp_get_thread_num() == members - 1 && setgroups(2, groups) != 0)
                    _exit(1);
            } else {
                for (volatile int i = 0; i < 20000; ++i) {
                }
            }
#pragma omp barrier
        }
    }
    if (strcmp(what, "outside") == 0)
        pthread_join(thread, NULL);
    puts("good");
    return 0;
}
