# What the shared libraries have in common that take the place of another runtime's: how they are compiled and linked.

# artel_drop_in(TARGET OUTPUT_NAME SONAME MAP): build/lib/libOUTPUT_NAME.so.1 with the soname of the stock library, so that the dynamic linker takes it
# for that when it is preloaded, and does not load that. What is exported is decided by the version script MAP alone, as in src.
function(artel_drop_in target name soname map)
  artel_compile_settings(${target})
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR})
  # The soname given last wins over CMake's.
  target_link_libraries(${target} PRIVATE artel Threads::Threads artel_fmt Boost::context -Wl,-soname,${soname})
  # nodelete: members of teams and light threads are parked inside our code when the program closes the plug-in that brought us.
  target_link_options(${target} PRIVATE -Wl,-z,nodelete -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,--version-script=${map})
  if(ARTEL_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,undefs)
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} VERSION 1.0.0 SOVERSION 1 LINKER_LANGUAGE CXX LINK_DEPENDS ${map}
    # Where libartel is: beside us, installed one folder up. CMake's own ends with a colon in the build tree, which means the current directory.
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN:$ORIGIN/..")
endfunction()

# A folder for LD_LIBRARY_PATH in which it has the stock name, for programs that are to be tried without preloading.
function(artel_stock_name_folder target folder soname)
  get_target_property(name ${target} OUTPUT_NAME)
  get_target_property(version ${target} SOVERSION)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../lib${name}.so.${version} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${folder}/${soname}
    VERBATIM)
endfunction()
