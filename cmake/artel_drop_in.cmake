# What the shared libraries have in common that take the place of another runtime's: how they are
# compiled and linked.

# The number at the end of a soname: the version of the stock library's binary interface.
function(artel_soname_version soname variable)
  if(NOT soname MATCHES "\\.so\\.([0-9]+)$")
    message(FATAL_ERROR "soname '${soname}': a name such as libgomp.so.1 is wanted")
  endif()
  set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# artel_drop_in(TARGET OUTPUT_NAME SONAME MAP): build/lib/libOUTPUT_NAME.so.N with the soname of the
# stock library, which ends with the same N, so that the dynamic linker takes it for that when it is
# preloaded, and does not load that. What is exported is decided by the version script MAP alone, as
# in src.
function(artel_drop_in target name soname map)
  artel_soname_version(${soname} version)
  artel_compile_settings(${target})
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
  # The soname given last wins over CMake's.
  target_link_libraries(${target} PRIVATE artel Threads::Threads artel_fmt Boost::context
    -Wl,-soname,${soname})
  artel_export_only(${target} ${map})
  if(NOT ARTEL_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} VERSION ${version}.0.0
    SOVERSION ${version} LINKER_LANGUAGE CXX
    # Where libartel is: beside us, installed one folder up. CMake's own ends with a colon in the
    # build tree, which means the current directory.
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN:$ORIGIN/..")
endfunction()

# artel_install_link(LINK TARGET): a symbolic link below the installed folder of libraries, whether
# that is named relative to the prefix or by its full path.
function(artel_install_link link target)
  install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE link)
    cmake_path(APPEND link \"${CMAKE_INSTALL_LIBDIR}\" \"${link}\")
    string(PREPEND link \"\$ENV{DESTDIR}\")
    cmake_path(GET link PARENT_PATH folder)
    file(MAKE_DIRECTORY \"\${folder}\")
    file(CREATE_LINK \"${target}\" \"\${link}\" SYMBOLIC)")
endfunction()

# Functions of the C library that a drop-in whose programs run on personas must define itself, for
# the dynamic linker to find them before the C library's: the names are to be in its version script.
# With VERSIONS under the names' versions in glibc, where the script has such nodes.
function(artel_interposed target)
  cmake_parse_arguments(PARSE_ARGV 1 of "VERSIONS" "" "")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/foreign/interposed/*.cpp)
  target_sources(${target} PRIVATE ${sources})
  if(of_VERSIONS)
    target_compile_definitions(${target} PRIVATE ARTEL_SYMBOL_VERSIONS)
  endif()
endfunction()

# A folder for LD_LIBRARY_PATH in which it has the stock name, for programs that are to be tried
# without preloading.
function(artel_stock_name_folder target folder soname)
  get_target_property(name ${target} OUTPUT_NAME)
  get_target_property(version ${target} SOVERSION)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../lib${name}.so.${version}
      ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}/${soname}
    VERBATIM)
endfunction()

# The drop-in of an interface whose names have no versions, from the sources in its folder and the
# table of its names there, exports.txt: build/lib/libOUTPUT_NAME.so.N and a folder of build/lib in
# which it has its stock name. The build also writes the page of its conformance, which docs/ keeps
# a copy of (tests/facade_exports_test.py compares them).
#   artel_interface(TARGET OUTPUT_NAME SONAME
#     FOLDER name            of the interface in build/lib and in the page's name,
#                            FOLDER-conformance.md
#     NAMES text             what the table lists
#     NOTE text              what the page says of those that do not work; ~ stands for the end of a
#                            line
#     [INCLUDE folder])      the headers that its programs are compiled with, where they are ours
set(artel_interface_exports ${CMAKE_CURRENT_LIST_DIR}/generate_interface_exports.cmake)
function(artel_interface target name soname)
  cmake_parse_arguments(PARSE_ARGV 3 of "" "FOLDER;NAMES;NOTE;INCLUDE" "")
  artel_soname_version(${soname} version)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
  set(map ${generated}/lib${name}.map)
  set(page ${generated}/${of_FOLDER}-conformance.md)
  file(RELATIVE_PATH table ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/exports.txt)
  add_custom_command(
    OUTPUT ${map} ${page}
    COMMAND ${CMAKE_COMMAND} -DTABLE=${CMAKE_CURRENT_SOURCE_DIR}/exports.txt -DTABLE_NAME=${table}
      -DMAP=${map} -DDOC=${page}
      -DLIBRARY=lib${name}.so.${version} "-DWHAT=${of_NAMES}" "-DNOTE=${of_NOTE}" -P
      ${artel_interface_exports}
    DEPENDS exports.txt ${artel_interface_exports}
    VERBATIM)

  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|model)\\.cpp$")
  add_library(${target} SHARED ${sources} ${map})
  artel_drop_in(${target} ${name} ${soname} ${map})
  artel_precompiled_headers(${target})
  if(of_INCLUDE)
    target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${of_INCLUDE})
  endif()
  artel_stock_name_folder(${target} ${of_FOLDER} ${soname})
endfunction()
