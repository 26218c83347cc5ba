# cmake -DTABLES="exports.txt;exports_kmp.txt" -DMAP=out.map -DSTUBS=out.cpp -DFORWARDS=forwards.cpp
# -DDOC=out.md -P generate_exports.cmake Turns the tables of exported names into the linker's
# version script, the stubs of missing names, the jumps of second names, and the conformance page. A
# script of CMake, so that building needs no other language.

cmake_minimum_required(VERSION 3.25)

set(nodes)
set(forwards
  "// Generated from the tables of exported names: those that are second names or versions of others.\n")
foreach(table IN LISTS TABLES)
  file(STRINGS ${table} lines REGEX "^[^#]")
  foreach(line IN LISTS lines)
    set(reason)
    if(line MATCHES "^(.*) -- (.*)$")
      set(line "${CMAKE_MATCH_1}")
      set(reason ": ${CMAKE_MATCH_2}")
    endif()
    string(REGEX MATCHALL "[^ ]+" columns "${line}")
    list(LENGTH columns count)
    if(count EQUAL 0)
      continue()
    elseif(count LESS 3)
      message(FATAL_ERROR "${table}: cannot read '${line}'")
    endif()
    list(GET columns 0 name)
    list(GET columns 1 node)
    list(GET columns 2 state)
    if(NOT state MATCHES "^(implemented|missing)$")
      message(FATAL_ERROR "${table}: state '${state}' of ${name}")
    endif()
    if(NOT node IN_LIST nodes)
      list(APPEND nodes ${node})
    endif()
    set(local ${name})
    if(line MATCHES " hidden( |$)")
      # Gets its node from a .symver directive, in the source or here.
      set(local artel_${node}_${name})
    else()
      list(APPEND names_${node} ${name})
      if(state STREQUAL "missing")
        list(APPEND missing ${name})
      endif()
    endif()
    if(line MATCHES " =([^ ]+)")
      set(target ${CMAKE_MATCH_1})
      set(version)
      if(NOT local STREQUAL name)
        set(version "\\n.symver ${local}, ${name}@${node}")
      endif()
      string(APPEND forwards
        "asm(\".text\\n.globl ${local}\\n.type ${local}, @function\\n.p2align 4\\n${local}: jmp ${target}@PLT\\n.size ${local}, . - ${local}${version}\");\n")
    endif()
    list(APPEND rows_${node} "| `${name}` | ${state}${reason} |")
    math(EXPR total_${node} "${total_${node}} + 1")
    if(state STREQUAL "implemented")
      math(EXPR done_${node} "${done_${node}} + 1")
    endif()
  endforeach()
endforeach()

# A node of our own comes first, with the names for references without a version: omp_in_parallel
# (in_parallel.cpp), and OpenBLAS's function that blas.cpp interposes.
set(map
  "/* Generated from the tables of exported names. */\nARTEL_GOMP_0 {\nglobal:\n    artel_gomp_*;\n    omp_in_parallel;\n    exec_blas;\nlocal:\n    *;\n};\n")
foreach(node IN LISTS nodes)
  string(REGEX REPLACE "_[0-9.]+$" "" family ${node})
  string(APPEND map "${node} {\n")
  if(names_${node})  # a node may have nothing but hidden names
    string(APPEND map "global:\n")
  endif()
  foreach(name IN LISTS names_${node})
    string(APPEND map "    ${name};\n")
  endforeach()
  string(APPEND map "} ${previous_${family}};\n")
  set(previous_${family} ${node})
endforeach()
# The names of libc that interposed*.cpp and src/foreign/interposed define, under glibc's versions
# on x86-64.
string(APPEND map
  "GLIBC_2.2.5 {\nglobal:\n    sched_yield;\n    setuid;\n    setgid;\n    seteuid;\n    setegid;\n    setreuid;\n    setregid;\n    setresuid;\n    setresgid;\n    setgroups;\n    sigprocmask;\n    raise;\n    sigpending;\n    sigtimedwait;\n    sigwaitinfo;\n    sigwait;\n    pthread_sigmask;\n    pthread_kill;\n    pthread_mutex_lock;\n    nanosleep;\n    usleep;\n};\n")
string(APPEND map
  "GLIBC_2.11 {\nglobal:\n    pthread_sigqueue;\n} GLIBC_2.2.5;\nGLIBC_2.17 {\nglobal:\n    clock_nanosleep;\n} GLIBC_2.11;\nGLIBC_2.32 {\nglobal:\n    pthread_sigmask;\n} GLIBC_2.17;\n")
string(APPEND map
  "GLIBC_2.34 {\nglobal:\n    pthread_kill;\n    pthread_sigqueue;\n} GLIBC_2.32;\n")
file(WRITE ${MAP} "${map}")

set(stubs
  "// Generated from the tables of exported names: those that exist so that no other runtime is bound in their place.\n")
string(APPEND stubs "#include \"abi/omp/missing.hpp\"\n\nextern \"C\" {\n")
foreach(name IN LISTS missing)
  string(APPEND stubs "void ${name}()\n{\n    artel::openmp::missing(\"${name}\");\n}\n")
endforeach()
file(WRITE ${STUBS} "${stubs}}\n")
file(WRITE ${FORWARDS} "${forwards}")

set(gcc_done 0)
set(gcc_total 0)
foreach(node IN LISTS nodes)
  if(NOT node STREQUAL "VERSION")
    math(EXPR gcc_done "${gcc_done} + 0${done_${node}}")
    math(EXPR gcc_total "${gcc_total} + ${total_${node}}")
  endif()
endforeach()
set(doc "# OpenMP conformance of libgomp-artel.so.1\n\n")
string(APPEND doc
  "Generated from facades/openmp/exports.txt and exports_kmp.txt. A name that is missing, when called, ends the program with a message that names it.\n\n")
string(APPEND doc
  "- Every name that gcc 12's libgomp exports is exported under the same version node, and what newer ones added, as far as known (OMP_5.1.1, OMP_5.2, GOMP_5.1.1, GOMP_6.0, GOMP_6.0.1); ${gcc_done} of ${gcc_total} work.\n")
string(APPEND doc
  "- Every name that LLVM's libomp 19 exports under its version node, VERSION, is; ${done_VERSION} of ${total_VERSION} work. Intel's libiomp5 has the same names.\n")
foreach(node IN LISTS nodes)
  string(APPEND doc "\n## ${node}\n\n| name | state |\n|---|---|\n")
  foreach(row IN LISTS rows_${node})
    string(APPEND doc "${row}\n")
  endforeach()
endforeach()
file(WRITE ${DOC} "${doc}")
