# pliant_late(<library file> <variable>): the name by which the dynamic linker knows a shared library ("libcholmod.so.3"), so that a program can load it
# when it needs it (src/base/late.h). Empty where there is none to tell: then the library is linked.
option(PLIANT_LATE "Load HDF5, CHOLMOD and GLFW when they are needed, and not when the program starts" ON)
function(pliant_late library variable)
    set(name "")
    if(PLIANT_LATE AND UNIX AND NOT APPLE AND NOT EMSCRIPTEN AND CMAKE_READELF)
        execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic ERROR_QUIET)
        if(dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
            set(name ${CMAKE_MATCH_1})
        else()
            message(NOTICE "${library} is linked as usual: it has no name by which it can be loaded later")
        endif()
    endif()
    set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# Whether a program can have the C++ runtime in itself. The core alone is built without a C++ compiler.
if(NOT PLIANT_CORE_ONLY)
    include(CheckLinkerFlag)
    check_linker_flag(CXX -static-libstdc++ HAS_STATIC_CXX)
endif()
