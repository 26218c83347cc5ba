# Compile settings shared by every target: warnings as errors, and the sanitizer chosen by a preset.
set(ARTEL_SANITIZE "" CACHE STRING "address, thread or empty")

function(artel_compile_settings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror -fno-math-errno)
  if(ARTEL_SANITIZE STREQUAL "thread")
    target_compile_options(${target} PRIVATE -fsanitize=thread -fno-omit-frame-pointer -g)
    target_link_options(${target} PRIVATE -fsanitize=thread)
  elseif(ARTEL_SANITIZE STREQUAL "address")
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-omit-frame-pointer -g)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()

# One GoogleTest executable per folder from its *_test.cpp files, registered with ctest case by case.
function(artel_unit_tests name)
  if(ARTEL_TESTS AND ARGN)
    add_executable(${name} ${ARGN})
    artel_compile_settings(${name})
    target_link_libraries(${name} PRIVATE artel_core GTest::gtest GTest::gtest_main)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
  endif()
endfunction()
