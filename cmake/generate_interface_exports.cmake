# For the facades of C interfaces without symbol versions. Makes, from the table of exported names
# (TABLE; its place in the repository is TABLE_NAME), the linker's version script (MAP) and the
# conformance page (DOC) of LIBRARY, which exports WHAT. NOTE follows in the page, ~ in it for the
# end of a line. A script of CMake, so that building needs no other language.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${TABLE} lines REGEX "^[^#]")
set(map "/* Generated from the table of exported names. */\n{\nglobal:\n")
set(rows)
set(done 0)
set(total 0)
foreach(line IN LISTS lines)
  string(REGEX MATCHALL "[^ ]+" columns "${line}")
  list(LENGTH columns count)
  if(count LESS 2)
    message(FATAL_ERROR "${TABLE}: cannot read '${line}'")
  endif()
  list(GET columns 0 name)
  list(GET columns 1 state)
  # What follows is how it is written in the program's language.
  set(shown ${name})
  if(count GREATER 2)
    list(SUBLIST columns 2 -1 shown)
    list(JOIN shown " " shown)
  endif()
  if(NOT state MATCHES "^(implemented|accepted|unavailable)$")
    message(FATAL_ERROR "${TABLE}: state '${state}' of ${name}")
  endif()
  string(APPEND map "    ${name};\n")
  string(APPEND rows "| `${shown}` | ${state} |\n")
  math(EXPR total "${total} + 1")
  if(NOT state STREQUAL "unavailable")
    math(EXPR done "${done} + 1")
  endif()
endforeach()
file(WRITE ${MAP} "${map}local:\n    *;\n};\n")
string(REPLACE "~" "\n" NOTE "${NOTE}")
file(WRITE ${DOC} "# Conformance of ${LIBRARY}

Generated from ${TABLE_NAME}: ${WHAT}. ${NOTE} ${done} of ${total} work.

| name | state |
|---|---|
${rows}")
