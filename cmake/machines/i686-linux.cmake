# 32-bit x86 under Linux, by Debian's cross compiler: cmake --toolchain cmake/machines/i686-linux.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(MATH_LIBRARY m CACHE STRING "by name: a search would find the one of the machine that builds")
