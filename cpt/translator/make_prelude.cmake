# Makes a C++ header with the declarations of cp.h as a string: without comments and preprocessing,
# after a line marker that makes compilers treat them as a system header's.
file(READ ${INPUT} text)
# The functions that programs may call are left out: these programs include the header.
string(FIND "${text}" "#endif /* __CPT__ */" end)
string(SUBSTRING "${text}" 0 ${end} text)
string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" text "${text}")
string(REGEX REPLACE "\n#[^\n]*" "\n" text "\n${text}")
string(REGEX REPLACE "\n\n+" "\n" text "${text}")
file(WRITE ${OUTPUT}
  "#pragma once\n\nnamespace cpt {\n\ninline constexpr const char* prelude = R\"cpt(# 1 \"cp.h\" 3${text})cpt\";\n\n}  // namespace cpt\n")
