# cmake --install: headers, libartel, the OpenMP drop-in, the tool, man pages, and the two ways a consumer finds them
# (find_package(artel) and pkg-config artel). Included last, when all targets are known.
include(CMakePackageConfigHelpers)

install(TARGETS artel EXPORT artelTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The drop-in's soname is libgomp.so.1. In a folder that ldconfig scans it would get a link of that name, and be given to the whole system; so it
# has a folder of its own, and only `artel run` or LD_PRELOAD lead to it.
if(TARGET artel_gomp)
  install(TARGETS artel_gomp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/artel)
  # The full name of libartel's folder, known only now (cmake --install --prefix), takes the place of the build tree's.
  string(REPLACE "$" "\\$" run_path "${gomp_run_path}")
  install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE prefix)
    cmake_path(APPEND prefix \"${CMAKE_INSTALL_LIBDIR}\" OUTPUT_VARIABLE libartel_folder)
    file(RPATH_CHANGE FILE \"\$ENV{DESTDIR}\${libartel_folder}/artel/libgomp-artel.so.1.0.0\"
      OLD_RPATH \"${run_path}\" NEW_RPATH \"\\$ORIGIN/..:\${libartel_folder}\")")
endif()
# Likewise those of the Qthreads and the Argobots interface. The latter's header lies in a folder of its own, so that nobody gets it in the place of
# the stock one by chance.
if(TARGET artel_qthread)
  install(TARGETS artel_qthread LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/artel)
endif()
if(TARGET artel_abt)
  install(TARGETS artel_abt LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/artel)
  install(DIRECTORY facades/argobots/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/artel/argobots FILES_MATCHING PATTERN "*.h")
endif()
if(TARGET artel_tool)
  install(TARGETS artel_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
install(EXPORT artelTargets NAMESPACE artel:: DESTINATION ${config_dir})
configure_package_config_file(packaging/artelConfig.cmake.in ${PROJECT_BINARY_DIR}/artelConfig.cmake
  INSTALL_DESTINATION ${config_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
# 0.x: a new minor version may change the C++ API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/artelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/artelConfig.cmake ${PROJECT_BINARY_DIR}/artelConfigVersion.cmake
  DESTINATION ${config_dir})

file(RELATIVE_PATH ARTEL_PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(packaging/artel.pc.in ${PROJECT_BINARY_DIR}/artel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/artel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB man_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/gdb/artel.py DESTINATION ${CMAKE_INSTALL_DATADIR}/artel/gdb)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
