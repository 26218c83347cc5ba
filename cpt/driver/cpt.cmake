# A toolchain file: C is compiled by cpt. Give CPT_DRIVER, or have cpt in the path.
find_program(CPT_DRIVER cpt REQUIRED)
set(CMAKE_C_COMPILER ${CPT_DRIVER} c)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CPT_DRIVER)
