# The target artel_fmt: fmt for our own code, compiled into whoever links it. Its functions are
# compiled once where the installed version lets them be (fmt_functions.cpp), else in every file
# that uses them (fmt's FMT_HEADER_ONLY).
find_package(fmt REQUIRED)
get_target_property(fmt_include_dirs fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
try_compile(ARTEL_FMT_COMPILED_ONCE ${PROJECT_BINARY_DIR}/fmt_check
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/fmt_functions.cpp ${CMAKE_CURRENT_LIST_DIR}/fmt_user.cpp
  CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${fmt_include_dirs}"
  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
if(ARTEL_FMT_COMPILED_ONCE)
  add_library(artel_fmt STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/fmt_functions.cpp)
  artel_compile_settings(artel_fmt)
  set_target_properties(artel_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(artel_fmt SYSTEM PUBLIC ${fmt_include_dirs})
else()
  message(STATUS "fmt: this version is compiled in every file that uses it")
  add_library(artel_fmt INTERFACE)
  target_link_libraries(artel_fmt INTERFACE fmt::fmt-header-only)
endif()
