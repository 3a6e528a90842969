# 64-bit ARM under Linux, by Debian's cross compiler: cmake --toolchain cmake/machines/aarch64-linux.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static) # runs where there is no loader for it
set(MATH_LIBRARY m CACHE STRING "by name: a search would find the one of the machine that builds")
