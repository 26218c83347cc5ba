# Programs that ThreadSanitizer watches, with LLVM's tool that tells it what OpenMP means. A part of
# CMakeLists.txt: reads ARTEL_STOCK_GCC and ARTEL_STOCK_CLANG, adds to binaries.
set(archer /usr/lib/llvm-19/lib/libarcher.so)
if(ARTEL_STOCK_CLANG AND EXISTS ${archer})
  set(watched)
  execute_process(COMMAND ${ARTEL_STOCK_CLANG} -print-file-name=libclang_rt.tsan-x86_64.a
    OUTPUT_VARIABLE clang_tsan OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${ARTEL_STOCK_GCC} -print-file-name=libtsan.so OUTPUT_VARIABLE gcc_tsan
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(EXISTS "${clang_tsan}")
    list(APPEND watched clang_tsan_ ${ARTEL_STOCK_CLANG})
  endif()
  if(EXISTS "${gcc_tsan}")
    list(APPEND watched tsan_ ${ARTEL_STOCK_GCC})
  endif()
  set(prefixes)
  while(watched)
    list(POP_FRONT watched prefix compiler)
    list(APPEND prefixes ${prefix})
    foreach(program race_free races)
      set(binary ${CMAKE_CURRENT_BINARY_DIR}/${prefix}${program})
      add_custom_command(OUTPUT ${binary}
        COMMAND ${compiler} -std=gnu17 -O1 -g -Wall -fsanitize=thread -fopenmp
          ${CMAKE_CURRENT_SOURCE_DIR}/${program}.c -o ${binary} DEPENDS ${program}.c VERBATIM)
      list(APPEND binaries ${binary})
    endforeach()
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/../runtime/yielding_holders.c)
    set(binary ${CMAKE_CURRENT_BINARY_DIR}/${prefix}yielding_holders)
    add_custom_command(OUTPUT ${binary}
      COMMAND ${compiler} -std=gnu17 -O1 -g -Wall -fsanitize=thread -fopenmp ${source} -o ${binary}
        DEPENDS ${source} VERBATIM)
    list(APPEND binaries ${binary})
  endwhile()
  if(prefixes)
    add_test(NAME openmp:races COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/race_test.py
      $<TARGET_FILE:artel_gomp> ${archer} ${CMAKE_CURRENT_BINARY_DIR} ${prefixes})
    set_tests_properties(openmp:races PROPERTIES LABELS "process;parallel" TIMEOUT 300
      SKIP_RETURN_CODE 77)
  endif()
endif()
