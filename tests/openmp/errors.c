/* errors.c HOW — error directives at execution: warnings, then what HOW names (error_test.py). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void at_end(void)
{
    fputs("at end\n", stderr);
}

int main(int count, char** words)
{
    const char* const how = count > 1 ? words[1] : "";
    atexit(at_end);
    printf("begun\n");
#pragma omp error at(execution) severity(warning) message("careful: {} %d")
#pragma omp error at(execution) severity(warning)
    if (strcmp(how, "fatal") == 0) {
#pragma omp error at(execution) severity(fatal) message("deadly")
    } else if (strcmp(how, "silent") == 0) {
#pragma omp error at(execution)
    } else if (strcmp(how, "member") == 0) {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2) {
#pragma omp error at(execution) message("of a member")
        }
    }
    printf("ended\n");
    return 0;
}
