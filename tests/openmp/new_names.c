// Names that newer libgomps than 12 have, found by their version nodes. The stock runtime of the
// system that lacks them is not asked.
#define _GNU_SOURCE  // dlvsym
#include "check.h"

#include <dlfcn.h>
#include <omp.h>

static void* find(const char* name, const char* node)
{
    void* const found = dlvsym(RTLD_DEFAULT, name, node);
    CHECK(found != NULL);
    return found;
}

int main(void)
{
    if (getenv("UNDER_ARTEL") != NULL) {
        int data[4] = {1, 2, 3, 4};
        int copy[4] = {0};
        int (*const accessible)(const void*, size_t, int) = find("omp_target_is_accessible",
                                                                 "OMP_5.1.1");
        void* (*const mapped)(const void*, int) = find("omp_get_mapped_ptr", "OMP_5.1.1");
        int (*const explicit_task)(void) = find("omp_in_explicit_task", "OMP_5.2");
        CHECK(dlvsym(RTLD_DEFAULT, "omp_in_explicit_task_", "OMP_5.2") != NULL);
        const int host = omp_get_initial_device();
        CHECK(accessible(data, sizeof data, host) != 0);
        CHECK(accessible(data, sizeof data, 1000) == 0);
        CHECK(mapped(data, host) == data);
        CHECK(mapped(data, 1000) == NULL);

        // Copies wait for the tasks that their objects name.
        int (*const copy_later)(void*, const void*, size_t, size_t, size_t, int, int, int,
                                void*) = find("omp_target_memcpy_async", "OMP_5.1.1");
        int (*const copy_box)(void*, const void*, size_t, int, const size_t*, const size_t*,
                              const size_t*, const size_t*, const size_t*, int, int, int,
                              void*) = find("omp_target_memcpy_rect_async", "OMP_5.1.1");
        void (*const wait_nowait)(void**) = find("GOMP_taskwait_depend_nowait", "GOMP_5.1.1");
        int inside = -1;
#pragma omp parallel
#pragma omp single
        {
            omp_depend_t object;
#pragma omp depobj(object) depend(in : data)
#pragma omp task depend(out : data)
            {
                usleep(2000);
                data[0] = 7;
                inside = explicit_task();
            }
            CHECK(copy_later(copy, data, sizeof data, 0, 0, host, host, 1, &object) == 0);
            CHECK(copy[0] == 7 && copy[3] == 4);
#pragma omp task depend(out : data)
            {
                usleep(2000);
                data[1] = 9;
            }
            const size_t two[] = {2}, none[] = {0}, all[] = {4};
            CHECK(copy_box(copy, data, sizeof *data, 1, two, none, none, all, all, host, host, 1,
                           &object) == 0);
            CHECK(copy[1] == 9);
#pragma omp task depend(out : data)
            data[2] = 11;
            // One item that is written.
            void* clause[] = {(void*)1, (void*)1, data};
            wait_nowait(clause);
#pragma omp task depend(in : data)
            CHECK(data[2] == 11);
            // The caller does not wait, as it may have to do something first.
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : data)
            data[2] = 12;
            wait_nowait(clause);
            omp_fulfill_event(event);
#pragma omp task depend(out : data)
            data[2] = 11;
#pragma omp taskwait
            void* (*const fill_later)(void*, int, size_t, int, int, void*) = find(
                "omp_target_memset_async", "GOMP_6.0.1");
#pragma omp task depend(out : data)
            {
                usleep(2000);
                data[3] = 13;
            }
            CHECK(fill_later(data + 3, 0, sizeof *data, host, 1, &object) == data + 3);
            CHECK(data[2] == 11 && data[3] == 0);
#pragma omp depobj(object) destroy
        }
        void* (*const fill)(void*, int, size_t, int) = find("omp_target_memset", "GOMP_6.0.1");
        CHECK(fill(copy, 0xff, 2 * sizeof *copy, host) == copy);
        CHECK(copy[0] == -1 && copy[1] == -1 && copy[3] == 4);
        CHECK(fill(copy, 0, sizeof copy, 1000) == NULL && copy[0] == -1);

        // The host is the device that has a name, and is found by it.
        const char* (*const name_of)(int) = find("omp_get_uid_from_device", "GOMP_6.0");
        int (*const device_of)(const char*) = find("omp_get_device_from_uid", "GOMP_6.0");
        int (*const fortrans_device_of)(const char*, size_t) = find("omp_get_device_from_uid_",
                                                                    "GOMP_6.0");
        CHECK(name_of(host) != NULL && device_of(name_of(host)) == host);
        CHECK(name_of(1000) == NULL && device_of("no such device") < -1 && device_of(NULL) < -1);
        char padded[80];
        memset(padded, ' ', sizeof padded);
        memcpy(padded, name_of(host), strlen(name_of(host)));
        CHECK(fortrans_device_of(padded, sizeof padded) == host &&
              fortrans_device_of(padded, 3) < -1);
        CHECK(inside == 1);
        CHECK(explicit_task() == 0);
        CHECK(copy_later(copy, data, sizeof data, 0, 0, 1000, host, 0, NULL) != 0);
    }
    return finish("new_names");
}
