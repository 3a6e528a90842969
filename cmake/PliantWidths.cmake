# The lane widths of the kernels: src/backends/cpu_width*.c and a file for each kind of constraint (PliantGenerated.cmake) are compiled once for each,
# with the instructions that it needs; the solver picks one at run time by what the processor has. -mfma is never among the flags (but to measure,
# with PLIANT_CONTRACT): a fused multiply-add rounds once where the others round twice.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(PLIANT_WIDTHS 1)
set(width_1_flags "")
set(avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)
string(REPLACE ";" " " avx512_text "${avx512}")
if(PLIANT_FUZZ)
    # One is enough for readers, and much quicker to compile.
elseif(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
        check_c_compiler_flag("-mavx2" PLIANT_HAS_AVX2)
        check_c_compiler_flag("${avx512_text}" PLIANT_HAS_AVX512)
        if(NOT PLIANT_DOUBLE)
            list(APPEND PLIANT_WIDTHS 4)
            set(width_4_flags -msse2)
            set(width_avx2 8)
            set(width_avx512 16)
        else()
            set(width_avx2 4)
            set(width_avx512 8)
        endif()
        # GCC keeps no stack aligned to more than 16 bytes on Windows, and then moves vectors as if it did: unaligned moves only.
        if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
            check_c_compiler_flag("-Wa,-muse-unaligned-vector-move" PLIANT_HAS_UNALIGNED_MOVES)
            if(NOT PLIANT_HAS_UNALIGNED_MOVES)
                set(PLIANT_HAS_AVX2 OFF)
                set(PLIANT_HAS_AVX512 OFF)
            endif()
        endif()
        if(PLIANT_HAS_AVX2)
            list(APPEND PLIANT_WIDTHS ${width_avx2})
            set(width_${width_avx2}_flags -mavx2)
        endif()
        if(PLIANT_HAS_AVX512)
            list(APPEND PLIANT_WIDTHS ${width_avx512})
            set(width_${width_avx512}_flags ${avx512})
        endif()
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86)$" AND NOT PLIANT_DOUBLE)
        list(APPEND PLIANT_WIDTHS 4)
        set(width_4_flags -msse2)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
        list(APPEND PLIANT_WIDTHS 4) # NEON, which all of them have
        set(width_4_flags "")
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^wasm" AND PLIANT_WASM_SIMD)
        list(APPEND PLIANT_WIDTHS 4) # the module as a whole wants a host with SIMD then
        set(width_4_flags -msimd128)
    endif()
endif()
if(PLIANT_CONTRACT)
    foreach(width ${width_avx2} ${width_avx512})
        list(APPEND width_${width}_flags -mfma)
    endforeach()
endif()
# Most of what compiling takes is the wide kernels; a build that is for something else can do with some of them.
set(PLIANT_ONLY_WIDTHS "" CACHE STRING "Of the lane widths that there are, build 1 and these only; empty: all")
if(PLIANT_ONLY_WIDTHS)
    list(JOIN PLIANT_ONLY_WIDTHS "|" only_widths)
    list(FILTER PLIANT_WIDTHS INCLUDE REGEX "^(1|${only_widths})$")
endif()
message(STATUS "Lane widths: ${PLIANT_WIDTHS}")

# Whether the parts of <immintrin.h> that kernels use can be had by themselves (constraints/intrinsics.h): to read all of it takes gcc longer than to compile
# one of the smaller files.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND PLIANT_HAS_AVX512)
    set(CMAKE_REQUIRED_INCLUDES ${CMAKE_SOURCE_DIR}/src)
    set(CMAKE_REQUIRED_FLAGS "${avx512_text}")
    check_c_source_compiles("
        #define PLIANT_PARTS_OF_IMMINTRIN
        #include \"constraints/intrinsics.h\"
        __m512 f(__m512 a, __mmask16 m) { return _mm512_maskz_mov_ps(m, _mm512_sqrt_ps(a)); }
        __mmask16 g(__m512i a, __m256i *b) { *b = _mm256_maskz_compress_epi32(1, *b); return _mm512_movepi32_mask(_mm512_madd_epi16(a, a)); }
        int main(void) { return 0; }" PLIANT_HAS_PARTS_OF_IMMINTRIN)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_FLAGS)
endif()

# Makes the objects of every width; `out` becomes their list.
function(pliant_add_widths out)
    set(objects "")
    set(moves "")
    if(PLIANT_HAS_UNALIGNED_MOVES)
        set(moves -Wa,-muse-unaligned-vector-move)
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/backends/cpu_width*.c)
    # The kernels of constraints take longest to compile, and are written out lane by lane and slot by slot: gcc finds nothing there to move out of
    # loops or branches, and spends a third of the time in the search. Left out, instructions per constraint are the same or fewer
    # (bench/instructions.sh).
    set(rows ${PLIANT_KIND_SOURCES} ${CMAKE_SOURCE_DIR}/src/backends/cpu_width_clusters.c)
    set_property(SOURCE ${rows} APPEND PROPERTY COMPILE_OPTIONS $<$<AND:$<C_COMPILER_ID:GNU>,$<CONFIG:Release>>:-O2;-fno-gcse;-fno-tree-pre;-fno-code-hoisting>)
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/backends/cpu_width_clusters.c APPEND PROPERTY COMPILE_OPTIONS
        $<$<AND:$<C_COMPILER_ID:GNU>,$<CONFIG:Release>>:-fno-tree-vrp>) # tetrahedra take 0.5 % fewer instructions; rows that are gathered would take 17 % more
    list(PREPEND sources ${rows})
    list(REMOVE_DUPLICATES sources)
    if(sources)
        set(widest_first ${PLIANT_WIDTHS})
        list(REVERSE widest_first)
        foreach(width ${widest_first})
            add_library(pliant_width_${width} OBJECT ${sources})
            pliant_internal(pliant_width_${width})
            target_compile_definitions(pliant_width_${width} PRIVATE PLIANT_W=${width} $<$<BOOL:${PLIANT_HAS_PARTS_OF_IMMINTRIN}>:PLIANT_PARTS_OF_IMMINTRIN>)
            target_compile_options(pliant_width_${width} PRIVATE ${width_${width}_flags} ${moves})
            if(width EQUAL 1 AND NOT PLIANT_WIDTHS STREQUAL "1")
                target_compile_definitions(pliant_width_1 PRIVATE PLIANT_SPARE_WIDTH)
            endif()
            list(APPEND objects $<TARGET_OBJECTS:pliant_width_${width}>)
        endforeach()
    endif()
    set(${out} "${objects}" PARENT_SCOPE)
endfunction()
