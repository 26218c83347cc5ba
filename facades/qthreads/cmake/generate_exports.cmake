# Makes, from the table of exported names (TABLE), the linker's version script (MAP), stubs that end the program for names that are missing
# (STUBS), and the conformance page (DOC). A script of CMake, so that building needs no other language.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${TABLE} lines REGEX "^[^#]")
set(map "/* Generated from the table of exported names. */\n{\nglobal:\n")
set(stubs "// Generated from the table of exported names.\n#include \"missing.hpp\"\n\nextern \"C\" {\n")
set(rows)
set(done 0)
set(total 0)
foreach(line IN LISTS lines)
  string(REGEX MATCHALL "[^ ]+" columns "${line}")
  list(LENGTH columns count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "${TABLE}: cannot read '${line}'")
  endif()
  list(GET columns 0 name)
  list(GET columns 1 state)
  if(NOT state MATCHES "^(implemented|missing)$")
    message(FATAL_ERROR "${TABLE}: state '${state}' of ${name}")
  endif()
  string(APPEND map "    ${name};\n")
  string(APPEND rows "| `${name}` | ${state} |\n")
  math(EXPR total "${total} + 1")
  if(state STREQUAL "implemented")
    math(EXPR done "${done} + 1")
  else()
    string(APPEND stubs "void ${name}()\n{\n    artel::qthreads::missing(\"${name}\");\n}\n")
  endif()
endforeach()
file(WRITE ${MAP} "${map}local:\n    *;\n};\n")
file(WRITE ${STUBS} "${stubs}}\n")
file(WRITE ${DOC} "# Conformance of libqthread-artel.so.1

Generated from facades/qthreads/exports.txt: the public names that Qthreads 1.23 exports, and those that it declares and we have too. A name that is missing, when called, ends
the program with a message that names it. ${done} of ${total} work.

| name | state |
|---|---|
${rows}")
