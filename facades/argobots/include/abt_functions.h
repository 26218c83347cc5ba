/* The functions of abt.h; the types are there. */
#if !defined(ABT_H_INCLUDED)
#include "abt.h"
#elif !defined(ARTEL_ABT_FUNCTIONS_H)
#define ARTEL_ABT_FUNCTIONS_H

/* Start and end */
int ABT_init(int, char**);
int ABT_finalize(void);
int ABT_initialized(void);

/* Execution streams */
int ABT_xstream_create(ABT_sched, ABT_xstream*);
int ABT_xstream_create_basic(ABT_sched_predef, int, ABT_pool*, ABT_sched_config, ABT_xstream*);
int ABT_xstream_create_with_rank(ABT_sched, int, ABT_xstream*);
int ABT_xstream_free(ABT_xstream*);
int ABT_xstream_join(ABT_xstream);
int ABT_xstream_revive(ABT_xstream);
int ABT_xstream_exit(void);
int ABT_xstream_cancel(ABT_xstream);
int ABT_xstream_self(ABT_xstream*);
int ABT_xstream_self_rank(int*);
int ABT_xstream_set_rank(ABT_xstream, int);
int ABT_xstream_get_rank(ABT_xstream, int*);
int ABT_xstream_set_main_sched(ABT_xstream, ABT_sched);
int ABT_xstream_set_main_sched_basic(ABT_xstream, ABT_sched_predef, int, ABT_pool*);
int ABT_xstream_get_main_sched(ABT_xstream, ABT_sched*);
int ABT_xstream_get_main_pools(ABT_xstream, int, ABT_pool*);
int ABT_xstream_get_state(ABT_xstream, ABT_xstream_state*);
int ABT_xstream_equal(ABT_xstream, ABT_xstream, ABT_bool*);
int ABT_xstream_get_num(int*);
int ABT_xstream_is_primary(ABT_xstream, ABT_bool*);
int ABT_xstream_run_unit(ABT_unit, ABT_pool);
int ABT_xstream_check_events(ABT_sched);
int ABT_xstream_set_cpubind(ABT_xstream, int);
int ABT_xstream_get_cpubind(ABT_xstream, int*);
int ABT_xstream_set_affinity(ABT_xstream, int, int*);
int ABT_xstream_get_affinity(ABT_xstream, int, int*, int*);

/* Barriers between execution streams */
int ABT_xstream_barrier_create(uint32_t, ABT_xstream_barrier*);
int ABT_xstream_barrier_free(ABT_xstream_barrier*);
int ABT_xstream_barrier_wait(ABT_xstream_barrier);

/* Schedulers */
int ABT_sched_create(ABT_sched_def*, int, ABT_pool*, ABT_sched_config, ABT_sched*);
int ABT_sched_create_basic(ABT_sched_predef, int, ABT_pool*, ABT_sched_config, ABT_sched*);
int ABT_sched_free(ABT_sched*);
int ABT_sched_set_data(ABT_sched, void*);
int ABT_sched_get_data(ABT_sched, void**);
int ABT_sched_get_num_pools(ABT_sched, int*);
int ABT_sched_get_pools(ABT_sched, int, int, ABT_pool*);
int ABT_sched_get_size(ABT_sched, size_t*);
int ABT_sched_get_total_size(ABT_sched, size_t*);
int ABT_sched_finish(ABT_sched);
int ABT_sched_exit(ABT_sched);
int ABT_sched_has_to_stop(ABT_sched, ABT_bool*);

/* Configurations of schedulers */
int ABT_sched_config_create(ABT_sched_config*, ...);
int ABT_sched_config_read(ABT_sched_config, int, ...);
int ABT_sched_config_free(ABT_sched_config*);
int ABT_sched_config_set(ABT_sched_config, int, ABT_sched_config_type, const void*);
int ABT_sched_config_get(ABT_sched_config, int, ABT_sched_config_type*, void*);

/* Pools */
int ABT_pool_create(ABT_pool_user_def, ABT_pool_config, ABT_pool*);
int ABT_pool_create_basic(ABT_pool_kind, ABT_pool_access, ABT_bool, ABT_pool*);
int ABT_pool_free(ABT_pool*);
int ABT_pool_get_access(ABT_pool, ABT_pool_access*);
int ABT_pool_is_empty(ABT_pool, ABT_bool*);
int ABT_pool_get_size(ABT_pool, size_t*);
int ABT_pool_get_total_size(ABT_pool, size_t*);
int ABT_pool_pop_thread(ABT_pool, ABT_thread*);
int ABT_pool_pop_thread_ex(ABT_pool, ABT_thread*, ABT_pool_context);
int ABT_pool_pop_threads(ABT_pool, ABT_thread*, size_t, size_t*);
int ABT_pool_pop_threads_ex(ABT_pool, ABT_thread*, size_t, size_t*, ABT_pool_context);
int ABT_pool_push_thread(ABT_pool, ABT_thread);
int ABT_pool_push_thread_ex(ABT_pool, ABT_thread, ABT_pool_context);
int ABT_pool_push_threads(ABT_pool, const ABT_thread*, size_t);
int ABT_pool_push_threads_ex(ABT_pool, const ABT_thread*, size_t, ABT_pool_context);
int ABT_pool_pop_wait_thread(ABT_pool, ABT_thread*, double);
int ABT_pool_pop_wait_thread_ex(ABT_pool, ABT_thread*, double, ABT_pool_context);
int ABT_pool_print_all_threads(ABT_pool, void*, void (*)(void*, ABT_thread));
int ABT_pool_set_data(ABT_pool, void*);
int ABT_pool_get_data(ABT_pool, void**);
int ABT_pool_add_sched(ABT_pool, ABT_sched);
int ABT_pool_get_id(ABT_pool, int*);
int ABT_pool_pop(ABT_pool, ABT_unit*);
int ABT_pool_pop_wait(ABT_pool, ABT_unit*, double);
int ABT_pool_pop_timedwait(ABT_pool, ABT_unit*, double);
int ABT_pool_remove(ABT_pool, ABT_unit);
int ABT_pool_push(ABT_pool, ABT_unit);
int ABT_pool_print_all(ABT_pool, void*, void (*)(void*, ABT_unit));

/* Configurations of pools */
int ABT_pool_config_create(ABT_pool_config*);
int ABT_pool_config_free(ABT_pool_config*);
int ABT_pool_config_set(ABT_pool_config, int, ABT_pool_config_type, const void*);
int ABT_pool_config_get(ABT_pool_config, int, ABT_pool_config_type*, void*);

/* Definitions of pools */
int ABT_pool_user_def_create(ABT_pool_user_create_unit_fn, ABT_pool_user_free_unit_fn,
                             ABT_pool_user_is_empty_fn, ABT_pool_user_pop_fn, ABT_pool_user_push_fn,
                             ABT_pool_user_def*);
int ABT_pool_user_def_free(ABT_pool_user_def*);
int ABT_pool_user_def_set_init(ABT_pool_user_def, ABT_pool_user_init_fn);
int ABT_pool_user_def_set_free(ABT_pool_user_def, ABT_pool_user_free_fn);
int ABT_pool_user_def_set_get_size(ABT_pool_user_def, ABT_pool_user_get_size_fn);
int ABT_pool_user_def_set_pop_wait(ABT_pool_user_def, ABT_pool_user_pop_wait_fn);
int ABT_pool_user_def_set_pop_many(ABT_pool_user_def, ABT_pool_user_pop_many_fn);
int ABT_pool_user_def_set_push_many(ABT_pool_user_def, ABT_pool_user_push_many_fn);
int ABT_pool_user_def_set_print_all(ABT_pool_user_def, ABT_pool_user_print_all_fn);

/* Units, as pools hold them */
int ABT_unit_get_thread(ABT_unit, ABT_thread*);
int ABT_unit_set_associated_pool(ABT_unit, ABT_pool);

/* User-level threads; many of these functions take tasklets, too */
int ABT_thread_create(ABT_pool, void (*)(void*), void*, ABT_thread_attr, ABT_thread*);
int ABT_thread_create_to(ABT_pool, void (*)(void*), void*, ABT_thread_attr, ABT_thread*);
int ABT_thread_create_on_xstream(ABT_xstream, void (*)(void*), void*, ABT_thread_attr, ABT_thread*);
int ABT_thread_create_many(int, ABT_pool*, void (**)(void*), void**, ABT_thread_attr, ABT_thread*);
int ABT_thread_revive(ABT_pool, void (*)(void*), void*, ABT_thread*);
int ABT_thread_revive_to(ABT_pool, void (*)(void*), void*, ABT_thread*);
int ABT_thread_free(ABT_thread*);
int ABT_thread_free_many(int, ABT_thread*);
int ABT_thread_join(ABT_thread);
int ABT_thread_join_many(int, ABT_thread*);
int ABT_thread_exit(void);
int ABT_thread_cancel(ABT_thread);
int ABT_thread_self(ABT_thread*);
int ABT_thread_self_id(ABT_unit_id*);
int ABT_thread_get_last_xstream(ABT_thread, ABT_xstream*);
int ABT_thread_get_state(ABT_thread, ABT_thread_state*);
int ABT_thread_get_last_pool(ABT_thread, ABT_pool*);
int ABT_thread_get_last_pool_id(ABT_thread, int*);
int ABT_thread_get_unit(ABT_thread, ABT_unit*);
int ABT_thread_set_associated_pool(ABT_thread, ABT_pool);
int ABT_thread_yield_to(ABT_thread);
int ABT_thread_yield(void);
int ABT_thread_resume(ABT_thread);
int ABT_thread_migrate_to_xstream(ABT_thread, ABT_xstream);
int ABT_thread_migrate_to_sched(ABT_thread, ABT_sched);
int ABT_thread_migrate_to_pool(ABT_thread, ABT_pool);
int ABT_thread_migrate(ABT_thread);
int ABT_thread_set_callback(ABT_thread, void (*)(ABT_thread, void*), void*);
int ABT_thread_set_migratable(ABT_thread, ABT_bool);
int ABT_thread_is_migratable(ABT_thread, ABT_bool*);
int ABT_thread_is_primary(ABT_thread, ABT_bool*);
int ABT_thread_is_unnamed(ABT_thread, ABT_bool*);
int ABT_thread_equal(ABT_thread, ABT_thread, ABT_bool*);
int ABT_thread_get_stacksize(ABT_thread, size_t*);
int ABT_thread_get_stack(ABT_thread, void**, size_t*);
int ABT_thread_get_id(ABT_thread, ABT_unit_id*);
int ABT_thread_set_arg(ABT_thread, void*);
int ABT_thread_get_arg(ABT_thread, void**);
int ABT_thread_get_thread_func(ABT_thread, void (**)(void*));
int ABT_thread_set_specific(ABT_thread, ABT_key, void*);
int ABT_thread_get_specific(ABT_thread, ABT_key, void**);
int ABT_thread_get_attr(ABT_thread, ABT_thread_attr*);

/* Attributes of user-level threads */
int ABT_thread_attr_create(ABT_thread_attr*);
int ABT_thread_attr_free(ABT_thread_attr*);
int ABT_thread_attr_set_stack(ABT_thread_attr, void*, size_t);
int ABT_thread_attr_get_stack(ABT_thread_attr, void**, size_t*);
int ABT_thread_attr_set_stacksize(ABT_thread_attr, size_t);
int ABT_thread_attr_get_stacksize(ABT_thread_attr, size_t*);
int ABT_thread_attr_set_callback(ABT_thread_attr, void (*)(ABT_thread, void*), void*);
int ABT_thread_attr_set_migratable(ABT_thread_attr, ABT_bool);

/* Tasklets */
int ABT_task_create(ABT_pool, void (*)(void*), void*, ABT_task*);
int ABT_task_create_on_xstream(ABT_xstream, void (*)(void*), void*, ABT_task*);
int ABT_task_revive(ABT_pool, void (*)(void*), void*, ABT_task*);
int ABT_task_free(ABT_task*);
int ABT_task_join(ABT_task);
int ABT_task_cancel(ABT_task);
int ABT_task_self(ABT_task*);
int ABT_task_self_id(uint64_t*);
int ABT_task_get_xstream(ABT_task, ABT_xstream*);
int ABT_task_get_state(ABT_task, ABT_task_state*);
int ABT_task_get_last_pool(ABT_task, ABT_pool*);
int ABT_task_get_last_pool_id(ABT_task, int*);
int ABT_task_set_migratable(ABT_task, ABT_bool);
int ABT_task_is_migratable(ABT_task, ABT_bool*);
int ABT_task_equal(ABT_task, ABT_task, ABT_bool*);
int ABT_task_get_id(ABT_task, uint64_t*);
int ABT_task_get_arg(ABT_task, void**);

/* The caller itself */
int ABT_self_get_xstream(ABT_xstream*);
int ABT_self_get_xstream_rank(int*);
int ABT_self_get_thread(ABT_thread*);
int ABT_self_get_thread_id(ABT_unit_id*);
int ABT_self_set_specific(ABT_key, void*);
int ABT_self_get_specific(ABT_key, void**);
int ABT_self_get_type(ABT_unit_type*);
int ABT_self_is_primary(ABT_bool*);
int ABT_self_on_primary_xstream(ABT_bool*);
int ABT_self_is_unnamed(ABT_bool*);
int ABT_self_get_last_pool(ABT_pool*);
int ABT_self_get_last_pool_id(int*);
int ABT_self_set_associated_pool(ABT_pool);
int ABT_self_get_unit(ABT_unit*);
int ABT_self_yield(void);
int ABT_self_yield_to(ABT_thread);
int ABT_self_resume_yield_to(ABT_thread);
int ABT_self_suspend(void);
int ABT_self_suspend_to(ABT_thread);
int ABT_self_resume_suspend_to(ABT_thread);
int ABT_self_exit(void);
int ABT_self_exit_to(ABT_thread);
int ABT_self_resume_exit_to(ABT_thread);
int ABT_self_schedule(ABT_thread, ABT_pool);
int ABT_self_set_arg(void*);
int ABT_self_get_arg(void**);
int ABT_self_get_thread_func(void (**)(void*));

/* Values of a work unit, by key */
int ABT_key_create(void (*)(void*), ABT_key*);
int ABT_key_free(ABT_key*);
int ABT_key_set(ABT_key, void*);
int ABT_key_get(ABT_key, void**);

/* Mutexes */
int ABT_mutex_create(ABT_mutex*);
int ABT_mutex_create_with_attr(ABT_mutex_attr, ABT_mutex*);
int ABT_mutex_free(ABT_mutex*);
int ABT_mutex_lock(ABT_mutex);
int ABT_mutex_lock_high(ABT_mutex);
int ABT_mutex_lock_low(ABT_mutex);
int ABT_mutex_trylock(ABT_mutex);
int ABT_mutex_spinlock(ABT_mutex);
int ABT_mutex_unlock(ABT_mutex);
int ABT_mutex_unlock_se(ABT_mutex);
int ABT_mutex_unlock_de(ABT_mutex);
int ABT_mutex_equal(ABT_mutex, ABT_mutex, ABT_bool*);
int ABT_mutex_get_attr(ABT_mutex, ABT_mutex_attr*);

/* Attributes of mutexes */
int ABT_mutex_attr_create(ABT_mutex_attr*);
int ABT_mutex_attr_free(ABT_mutex_attr*);
int ABT_mutex_attr_set_recursive(ABT_mutex_attr, ABT_bool);
int ABT_mutex_attr_get_recursive(ABT_mutex_attr, ABT_bool*);

/* Condition variables */
int ABT_cond_create(ABT_cond*);
int ABT_cond_free(ABT_cond*);
int ABT_cond_wait(ABT_cond, ABT_mutex);
int ABT_cond_timedwait(ABT_cond, ABT_mutex, const struct timespec*);
int ABT_cond_signal(ABT_cond);
int ABT_cond_broadcast(ABT_cond);

/* Locks for many readers or one writer */
int ABT_rwlock_create(ABT_rwlock*);
int ABT_rwlock_free(ABT_rwlock*);
int ABT_rwlock_rdlock(ABT_rwlock);
int ABT_rwlock_wrlock(ABT_rwlock);
int ABT_rwlock_unlock(ABT_rwlock);

/* Eventuals */
int ABT_eventual_create(int, ABT_eventual*);
int ABT_eventual_free(ABT_eventual*);
int ABT_eventual_wait(ABT_eventual, void**);
int ABT_eventual_timedwait(ABT_eventual, void**, const struct timespec*);
int ABT_eventual_test(ABT_eventual, void**, ABT_bool*);
int ABT_eventual_set(ABT_eventual, void*, int);
int ABT_eventual_reset(ABT_eventual);

/* Futures */
int ABT_future_create(uint32_t, void (*)(void**), ABT_future*);
int ABT_future_free(ABT_future*);
int ABT_future_wait(ABT_future);
int ABT_future_test(ABT_future, ABT_bool*);
int ABT_future_set(ABT_future, void*);
int ABT_future_reset(ABT_future);

/* Barriers */
int ABT_barrier_create(uint32_t, ABT_barrier*);
int ABT_barrier_reinit(ABT_barrier, uint32_t);
int ABT_barrier_free(ABT_barrier*);
int ABT_barrier_wait(ABT_barrier);
int ABT_barrier_get_num_waiters(ABT_barrier, uint32_t*);

/* Error codes in words */
int ABT_error_get_str(int, char*, size_t*);

/* Time */
double ABT_get_wtime(void);
int ABT_timer_create(ABT_timer*);
int ABT_timer_dup(ABT_timer, ABT_timer*);
int ABT_timer_free(ABT_timer*);
int ABT_timer_start(ABT_timer);
int ABT_timer_stop(ABT_timer);
int ABT_timer_read(ABT_timer, double*);
int ABT_timer_stop_and_read(ABT_timer, double*);
int ABT_timer_stop_and_add(ABT_timer, double*);
int ABT_timer_get_overhead(double*);

/* Information, in numbers and in print */
int ABT_info_query_config(ABT_info_query_kind, void*);
int ABT_info_print_config(FILE*);
int ABT_info_print_all_xstreams(FILE*);
int ABT_info_print_xstream(FILE*, ABT_xstream);
int ABT_info_print_sched(FILE*, ABT_sched);
int ABT_info_print_pool(FILE*, ABT_pool);
int ABT_info_print_thread(FILE*, ABT_thread);
int ABT_info_print_thread_attr(FILE*, ABT_thread_attr);
int ABT_info_print_task(FILE*, ABT_task);
int ABT_info_print_thread_stack(FILE*, ABT_thread);
int ABT_info_print_thread_stacks_in_pool(FILE*, ABT_pool);
int ABT_info_trigger_print_all_thread_stacks(FILE*, double, void (*)(ABT_bool, void*), void*);

/* Tools */
int ABT_tool_register_thread_callback(ABT_tool_thread_callback_fn, uint64_t, void*);
int ABT_tool_query_thread(ABT_tool_context, uint64_t, ABT_tool_query_kind, void*);

/* Older names */
#define ABT_task_is_unnamed ABT_thread_is_unnamed
#define ABT_task_set_specific ABT_thread_set_specific
#define ABT_task_get_specific ABT_thread_get_specific
#define ABT_self_get_task ABT_self_get_thread
#define ABT_self_get_task_id ABT_self_get_thread_id

#endif
