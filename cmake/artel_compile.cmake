# Compile settings shared by every target: warnings as errors, the sanitizer chosen by a preset, and
# the two helpers that turn x_test.cpp and x_model.cpp files into tests. Labels that ./check selects
# by: unit, process, stress, conformance, model.
set(ARTEL_SANITIZE "" CACHE STRING "address, thread or empty")
set_property(CACHE ARTEL_SANITIZE PROPERTY STRINGS "" address thread)

# Points in the code at which tests/torment stops threads; they cost a look at a flag while it does
# not.
option(ARTEL_TORMENT
  "atomic operations are points at which threads can be stopped (tests/torment/points.hpp)" OFF)

function(artel_compile_settings target)
  if(ARTEL_TORMENT)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/tests/torment/points.hpp>")
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror
    -fno-math-errno)
  # libstdc++ 12's stable_sort uses what it deprecates itself; only clang reports that.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  endif()
  # gcc 12 still holds a failure order stronger than the success order of a compare-exchange to be
  # an error; C++17 allows it. Its instrumented code reads to it as if standard containers were not
  # initialised.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-invalid-memory-model)
    if(ARTEL_SANITIZE)
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
  endif()
  if(ARTEL_SANITIZE STREQUAL "thread")
    set(sanitize -fsanitize=thread)
    # GCC warns about every atomic_thread_fence under TSan; where we use one, TSan builds take
    # another path.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-tsan)
    endif()
  elseif(ARTEL_SANITIZE STREQUAL "address")
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  elseif(ARTEL_SANITIZE)
    message(FATAL_ERROR "ARTEL_SANITIZE is '${ARTEL_SANITIZE}'; it may be address, thread or empty")
  else()
    return()
  endif()
  # -g1: what a report's backtrace needs; whole debug information takes a third more time to
  # compile.
  target_compile_options(${target} PRIVATE ${sanitize} -fno-omit-frame-pointer -g1)
  target_link_options(${target} PRIVATE ${sanitize})
endfunction()

# A shared library exports what its version script MAP names and nothing else, and calls its own
# functions directly. It stays loaded when the program closes the plug-in that brought it
# (nodelete): workers, members of teams and light threads are parked inside its code.
function(artel_export_only target map)
  target_link_options(${target} PRIVATE -Wl,-z,nodelete -Wl,-Bsymbolic-functions
    -Wl,--version-script=${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()

# Half a CPU-second less for each file. Not with a compiler launcher: ccache takes files with
# precompiled headers for new each time unless it is told to be lax (its sloppiness), and a cache
# saves more. Nor where the compiler is given another file to include first.
set(precompiled ON)
if(CMAKE_CXX_COMPILER_LAUNCHER OR ARTEL_TORMENT)
  set(precompiled OFF)
endif()
option(ARTEL_PRECOMPILED_HEADERS "precompile what most files include" ${precompiled})
function(artel_precompiled_headers target) # more headers...
  if(ARTEL_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp ${ARGN})
  endif()
endfunction()

# Options of what has not to be fast: seconds of -O3 and of debug information less for a file that
# is full of templates.
set(artel_quickly_compiled "$<$<CONFIG:Release>:-O1>" "$<$<CONFIG:Release>:-g1>")
# Tests are compiled as what they test is; of debug information they have what a backtrace needs, a
# third less to compile.
set(artel_debug_tests "$<$<CONFIG:Release>:-g1>")

# One GoogleTest executable per folder from its *_test.cpp files, registered with ctest case by
# case.
function(artel_unit_tests name)
  if(ARTEL_TESTS AND ARGN)
    add_executable(${name} ${ARGN})
    artel_compile_settings(${name})
    target_compile_options(${name} PRIVATE ${artel_debug_tests})
    target_link_libraries(${name} PRIVATE artel_core GTest::gtest GTest::gtest_main)
    list(LENGTH ARGN files)
    if(files GREATER 4)
      artel_precompiled_headers(${name} <gtest/gtest.h>)
    endif()
    gtest_discover_tests(${name} TEST_PREFIX ${name}: DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120
      LABELS unit)
  endif()
endfunction()

# One executable per *_model.cpp: a main() that runs a relacy simulation and returns 0 when no
# interleaving fails. Only the model preset builds them. Relacy's headers are old C++: they are
# system headers here, and its macros need no pedantry.
add_custom_target(artel_models)
function(artel_models layer)
  if(ARTEL_MODELS)
    foreach(source IN LISTS ARGN)
      get_filename_component(name ${source} NAME_WE)
      set(target artel_${layer}_${name})
      add_executable(${target} EXCLUDE_FROM_ALL ${source})
      target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
      target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
        ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
      target_link_libraries(${target} PRIVATE Threads::Threads)
      add_dependencies(artel_models ${target})
      add_test(NAME model:${layer}/${name} COMMAND ${target})
      set_tests_properties(model:${layer}/${name} PROPERTIES LABELS model TIMEOUT 600)
    endforeach()
  endif()
endfunction()
