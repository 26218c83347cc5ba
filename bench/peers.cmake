# Finds the peers, each of which may be missing, and Artel. Included once, for all folders.
find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX)
find_package(TBB CONFIG QUIET)
find_package(Eigen3 CONFIG QUIET)
find_package(Boost 1.74 QUIET COMPONENTS context fiber)

# The PyPI oneTBB: headers of tbb-devel, library of tbb. The headers come first so that Debian's are
# not seen.
if(EXISTS ${BENCH_VENV}/include/oneapi/tbb.h)
  file(GLOB tbb_library ${BENCH_VENV}/lib/libtbb.so.12)
  add_library(tbb_pypi INTERFACE)
  target_include_directories(tbb_pypi SYSTEM BEFORE INTERFACE ${BENCH_VENV}/include)
  target_link_libraries(tbb_pypi INTERFACE ${tbb_library})
  # RPATH, not RUNPATH: the library's own dependencies lie beside it.
  target_link_options(tbb_pypi INTERFACE -Wl,--disable-new-dtags,-rpath,${BENCH_VENV}/lib)
endif()

# Artel itself, if it exists: the target when this is part of the main build, else the library of a
# build tree with the headers beside this folder, else the installed package.
if(NOT TARGET artel::artel)
  if(EXISTS ${ARTEL_ROOT}/include/artel/artel.hpp)
    if(EXISTS ${ARTEL_LIBRARIES}/libartel.so)
      add_library(artel::artel SHARED IMPORTED)
      set_target_properties(artel::artel PROPERTIES IMPORTED_LOCATION ${ARTEL_LIBRARIES}/libartel.so
                            INTERFACE_INCLUDE_DIRECTORIES ${ARTEL_ROOT}/include)
    endif()
  else()
    find_package(artel CONFIG QUIET PATHS ${ARTEL_LIBRARIES}/.. ${ARTEL_LIBRARIES}/../..)
  endif()
endif()

find_program(BENCH_CARGO cargo PATHS $ENV{HOME}/.cargo/bin)
