# What every file of Pliant is compiled with. Results must be the same to the bit for every compiler and every optimisation level, so
# contraction is off and the flags that let a compiler reorder arithmetic (-ffast-math and its parts) or pick instructions by the machine
# that builds (-march=native) are never used.

set(pliant_gnu $<C_COMPILER_ID:GNU,Clang,AppleClang>)
set(pliant_always -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow -Wconversion)

# For measuring what that costs (make bench-contract); its results are not for use.
if(PLIANT_CONTRACT)
    list(REMOVE_ITEM pliant_always -ffp-contract=off)
    list(APPEND pliant_always -ffp-contract=fast)
    message(NOTICE "Built with contraction: results depend on compiler and width, and are those of no other build")
endif()

# GCC 12 makes one vector of neighbouring doubles and loses, of some of them, that they were rounded to float in between (its "superword"
# vectoriser). What is to be a vector here is written as one.
list(APPEND pliant_always $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86)$" AND CMAKE_SIZEOF_VOID_P EQUAL 4)
    list(APPEND pliant_always -msse2 -mfpmath=sse) # the x87 rounds differently
endif()

if(MINGW)
    list(APPEND pliant_always -D__USE_MINGW_ANSI_STDIO=1) # printf as C17 has it
endif()

set(pliant_sanitizer "")
if(PLIANT_SANITIZE)
    set(pliant_sanitizer -fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -g -O1)
    if(PLIANT_SANITIZE MATCHES "undefined")
        list(APPEND pliant_sanitizer -fsanitize=float-cast-overflow)
        if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
            list(APPEND pliant_sanitizer -fsanitize=integer -fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/cmake/wraps.txt)
        endif()
        list(APPEND pliant_sanitizer -fno-sanitize-recover=all)
    elseif(PLIANT_SANITIZE STREQUAL "memory")
        list(APPEND pliant_sanitizer -fsanitize-memory-track-origins)
    endif()
    if(PLIANT_FUZZ)
        list(APPEND pliant_sanitizer -fsanitize=fuzzer-no-link) # says where a run has been
    endif()
endif()

# What lines and branches are reached: tools/coverage.sh.
if(PLIANT_COVERAGE)
    list(APPEND pliant_sanitizer -fprofile-instr-generate -fcoverage-mapping)
endif()

# What no step waits for is optimised less: it takes a fifth less time to compile.
set(pliant_seldom_runs $<$<AND:$<C_COMPILER_ID:GNU>,$<CONFIG:Release>>:-O2>)

# Flags for any target: library, command, example, test.
function(pliant_flags target)
    target_compile_options(${target} PRIVATE
        "$<${pliant_gnu}:${pliant_always}>"
        $<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-Wmissing-prototypes>
        $<$<AND:${pliant_gnu},$<BOOL:${PLIANT_WERROR}>>:-Werror>
        ${pliant_sanitizer})
    if(PLIANT_SANITIZE)
        target_link_options(${target} PRIVATE -fsanitize=${PLIANT_SANITIZE})
    endif()
    if(PLIANT_COVERAGE)
        target_link_options(${target} PRIVATE -fprofile-instr-generate)
    endif()
endfunction()

# Flags for the insides of the libraries: the public headers, src/ and what was generated.
function(pliant_internal target)
    pliant_flags(${target})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src ${PLIANT_GENERATED})
    target_compile_definitions(${target} PRIVATE PLIANT_BUILD)
    add_dependencies(${target} pliant_generated)
    if(PLIANT_DOUBLE)
        target_compile_definitions(${target} PRIVATE PLIANT_DOUBLE)
        target_compile_options(${target} PRIVATE -include ${PLIANT_GENERATED}/double_internal_names.h)
    endif()
endfunction()
