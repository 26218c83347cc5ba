# cmake --install: headers, libartel, the OpenMP drop-in, the tool, man pages, and the two ways a
# consumer finds them (find_package(artel) and pkg-config artel). Included last, when all targets
# are known.
include(CMakePackageConfigHelpers)

install(TARGETS artel EXPORT artelTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# How installed drop-ins find libartel, one folder up: "named" by that and, OpenMP's, by the
# folder's full name, for who links to it from elsewhere; "relative" only by that, for archives that
# are unpacked anywhere; "none" for distributions whose linker knows the folder.
set(ARTEL_RUN_PATH named
  CACHE STRING "how installed drop-ins find libartel: named, relative or none")
set_property(CACHE ARTEL_RUN_PATH PROPERTY STRINGS named relative none)
# A drop-in has the soname of the library whose place it takes. In a folder that ldconfig scans it
# would get a link of that name, and be given to the whole system; so it has a folder of its own,
# and only `artel run` or LD_PRELOAD lead to it.
function(artel_install_drop_in target named)
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/artel)
  get_target_property(name ${target} OUTPUT_NAME)
  get_target_property(version ${target} VERSION)
  get_target_property(run_path ${target} INSTALL_RPATH)
  string(REPLACE ";" ":" run_path "${run_path}")
  string(REPLACE "$" "\\$" run_path "${run_path}")
  # The full name of libartel's folder is known only now (cmake --install --prefix). Who runs the
  # script by itself may choose another way (cmake -DARTEL_RUN_PATH=relative -P
  # cmake_install.cmake).
  install(CODE "
    if(NOT DEFINED ARTEL_RUN_PATH)
      set(ARTEL_RUN_PATH ${ARTEL_RUN_PATH})
    endif()
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE prefix)
    cmake_path(APPEND prefix \"${CMAKE_INSTALL_LIBDIR}\" OUTPUT_VARIABLE libartel_folder)
    set(drop_in \"\$ENV{DESTDIR}\${libartel_folder}/artel/lib${name}.so.${version}\")
    set(new \"\\$ORIGIN/..\")
    if(\"${named}\" STREQUAL \"linked\")  # by a link in a folder below
      string(APPEND new \":\\$ORIGIN/../..\")
    endif()
    if(ARTEL_RUN_PATH STREQUAL named AND \"${named}\" STREQUAL \"named\")
      string(APPEND new \":\${libartel_folder}\")
    endif()
    if(ARTEL_RUN_PATH STREQUAL none)
      file(RPATH_REMOVE FILE \"\${drop_in}\")
    else()
      file(RPATH_CHANGE FILE \"\${drop_in}\" OLD_RPATH \"${run_path}\" NEW_RPATH \"\${new}\")
    endif()")
endfunction()
if(TARGET artel_gomp)
  artel_install_drop_in(artel_gomp named)
endif()
if(TARGET artel_openblas)
  artel_install_drop_in(artel_openblas relative)
endif()
# Likewise those of the Qthreads and the Argobots interface. Their headers lie in folders of their
# own, so that nobody gets them in the place of the stock ones by chance.
if(TARGET artel_qthread)
  artel_install_drop_in(artel_qthread relative)
  install(DIRECTORY facades/qthreads/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/artel/qthreads
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endif()
if(TARGET artel_abt)
  artel_install_drop_in(artel_abt relative)
  install(DIRECTORY facades/argobots/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/artel/argobots
    FILES_MATCHING PATTERN "*.h")
endif()
# oneTBB's also under its stock name, alone in a folder that `artel run` gives to the dynamic
# linker: whoever needs the library gets it there.
if(TARGET artel_tbb)
  artel_install_drop_in(artel_tbb linked)
  artel_install_link(artel/tbb/libtbb.so.12 ../libtbb-artel.so.12)
endif()
if(TARGET artel_tool)
  install(TARGETS artel_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS artel_lab_tool artel_mpi_tool
    RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/artel)
endif()

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "*.h")

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
install(EXPORT artelTargets NAMESPACE artel:: DESTINATION ${config_dir})
configure_package_config_file(packaging/artelConfig.cmake.in ${PROJECT_BINARY_DIR}/artelConfig.cmake
  INSTALL_DESTINATION ${config_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
# 0.x: a new minor version may change the C++ API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/artelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/artelConfig.cmake ${PROJECT_BINARY_DIR}/artelConfigVersion.cmake
  DESTINATION ${config_dir})

file(RELATIVE_PATH ARTEL_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_PREFIX})
# Not CMAKE_INSTALL_LIBDIR itself, which may be a full path.
file(RELATIVE_PATH ARTEL_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH ARTEL_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(packaging/artel.pc.in ${PROJECT_BINARY_DIR}/artel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/artel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB man_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
if(NOT TARGET cpt)
  list(FILTER man_pages EXCLUDE REGEX "/cpt\\.1$")
endif()
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/gdb/artel.py DESTINATION ${CMAKE_INSTALL_DATADIR}/artel/gdb)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
