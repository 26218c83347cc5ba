# Makes a C file that defines every function which the headers declare, with an empty body.
string(REPLACE "," ";" headers ${HEADERS})
set(text
  "/* Generated: the names of cp.h and omp.h. Programs are linked with this and started with a runtime. */\n")
foreach(header ${headers})
  file(READ ${header} all)
  string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" all "${all}")
  string(REGEX MATCHALL "(__cp_|omp_|cp_)[a-z_]+\\(" names "${all}")
  list(REMOVE_DUPLICATES names)
  foreach(name ${names})
    string(APPEND text "void ${name}void);\nvoid ${name}void) {}\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "${text}")
