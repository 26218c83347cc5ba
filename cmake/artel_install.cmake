# cmake --install: headers, libartel, the OpenMP drop-in, the tool, man pages, and the two ways a consumer finds them
# (find_package(artel) and pkg-config artel). Included last, when all targets are known.
include(CMakePackageConfigHelpers)

install(TARGETS artel EXPORT artelTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Exactly the run paths of the build tree: CMake pads a shorter one with colons, which mean the current directory.
if(TARGET artel_gomp)
  set_target_properties(artel_gomp PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()
if(TARGET artel_tool)
  set_target_properties(artel_tool PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
foreach(target artel_gomp artel_tool)
  if(TARGET ${target})
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

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
