# Programs that load libraries, and one that is its own tool. A part of CMakeLists.txt: reads
# ARTEL_STOCK_GCC and ARTEL_STOCK_CLANG, adds to binaries.

# Libraries that were linked without a runtime ask omp_in_parallel.
set(parts)
foreach(kind strong weak)
  set(part ${CMAKE_CURRENT_BINARY_DIR}/in_parallel_${kind}.so)
  set(reference "$<$<STREQUAL:${kind},weak>:__attribute__((weak))>")
  add_custom_command(OUTPUT ${part}
    COMMAND ${ARTEL_STOCK_GCC} -O2 -Wall -fPIC -shared "-DREFERENCE=${reference}"
      ${CMAKE_CURRENT_SOURCE_DIR}/in_parallel_part.c -o ${part}
    DEPENDS in_parallel_part.c VERBATIM)
  list(APPEND parts ${part})
endforeach()
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/in_parallel
  COMMAND ${ARTEL_STOCK_GCC} -std=gnu17 -O2 -Wall -fopenmp ${CMAKE_CURRENT_SOURCE_DIR}/in_parallel.c
    -o ${CMAKE_CURRENT_BINARY_DIR}/in_parallel -ldl
  DEPENDS in_parallel.c check.h VERBATIM)
list(APPEND binaries ${CMAKE_CURRENT_BINARY_DIR}/in_parallel ${parts})
add_test(NAME openmp:in_parallel COMMAND ${CMAKE_CURRENT_BINARY_DIR}/in_parallel ${parts})
set_tests_properties(openmp:in_parallel PROPERTIES LABELS process TIMEOUT 300
  ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:artel_gomp>)

# Regions in constructors of libraries that are opened, also with a tool attached. clang's second
# library leaves its threadprivate variable to the runtime.
set(opened ${CMAKE_CURRENT_BINARY_DIR}/opening_gcc.so)
add_custom_command(OUTPUT ${opened}
  COMMAND ${ARTEL_STOCK_GCC} -O2 -Wall -fopenmp -fPIC -shared
    ${CMAKE_CURRENT_SOURCE_DIR}/opening_part.c -o ${opened} DEPENDS opening_part.c VERBATIM)
if(ARTEL_STOCK_CLANG AND EXISTS /usr/lib/llvm-19/lib/libomp.so)
  foreach(kind IN ITEMS openmp noopenmp)
    set(part ${CMAKE_CURRENT_BINARY_DIR}/opening_clang_${kind}.so)
    add_custom_command(OUTPUT ${part}
      COMMAND ${ARTEL_STOCK_CLANG} -O2 -Wall -fopenmp -f${kind}-use-tls -fPIC -shared
        ${CMAKE_CURRENT_SOURCE_DIR}/opening_part.c -o ${part}
      DEPENDS opening_part.c VERBATIM)
    list(APPEND opened ${part})
  endforeach()
endif()
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/opening
  COMMAND ${ARTEL_STOCK_GCC} -std=gnu17 -O2 -Wall ${CMAKE_CURRENT_SOURCE_DIR}/opening.c -o
    ${CMAKE_CURRENT_BINARY_DIR}/opening -ldl -lpthread
  DEPENDS opening.c check.h VERBATIM)
list(APPEND binaries ${CMAKE_CURRENT_BINARY_DIR}/opening ${opened})
foreach(part IN LISTS opened)
  get_filename_component(name ${part} NAME_WE)
  add_test(NAME openmp:${name} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/opening ${part})
  add_test(NAME openmp:${name}_told COMMAND ${CMAKE_CURRENT_BINARY_DIR}/opening ${part})
  set_tests_properties(openmp:${name} openmp:${name}_told PROPERTIES LABELS process TIMEOUT 300)
  set_tests_properties(openmp:${name} PROPERTIES ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:artel_gomp>)
  set_tests_properties(openmp:${name}_told PROPERTIES ENVIRONMENT
    "LD_PRELOAD=$<TARGET_FILE:artel_gomp>;OMP_TOOL_LIBRARIES=${CMAKE_CURRENT_BINARY_DIR}/libompt_tool.so")
endforeach()
# A program that is its own tool, and is found by the libraries.
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/tool_at_fork
  COMMAND ${ARTEL_STOCK_GCC} -std=gnu17 -O2 -Wall -fopenmp -rdynamic
    ${CMAKE_CURRENT_SOURCE_DIR}/tool_at_fork.c -o ${CMAKE_CURRENT_BINARY_DIR}/tool_at_fork -ldl
  DEPENDS tool_at_fork.c check.h VERBATIM)
list(APPEND binaries ${CMAKE_CURRENT_BINARY_DIR}/tool_at_fork)
add_test(NAME openmp:tool_at_fork COMMAND ${CMAKE_CURRENT_BINARY_DIR}/tool_at_fork)
set_tests_properties(openmp:tool_at_fork PROPERTIES LABELS process TIMEOUT 60
  ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:artel_gomp>)
