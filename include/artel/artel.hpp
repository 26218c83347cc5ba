// All of Artel's C++ interface. Each part has a header of its own.
#pragma once

#include <artel/barrier.hpp>
#include <artel/blocked_box.hpp>
#include <artel/blocked_range.hpp>
#include <artel/condition_variable.hpp>
#include <artel/feb.hpp>
#include <artel/isolation.hpp>
#include <artel/latch.hpp>
#include <artel/light_thread.hpp>
#include <artel/limit.hpp>
#include <artel/mutex.hpp>
#include <artel/parallel_deterministic_reduce.hpp>
#include <artel/parallel_for.hpp>
#include <artel/parallel_for_box.hpp>
#include <artel/parallel_invoke.hpp>
#include <artel/parallel_reduce.hpp>
#include <artel/parallel_scan.hpp>
#include <artel/partitioner.hpp>
#include <artel/semaphore.hpp>
#include <artel/sinc.hpp>
#include <artel/sleep.hpp>
#include <artel/suspend.hpp>
#include <artel/task_group.hpp>
#include <artel/width_scope.hpp>
#include <artel/workers.hpp>
