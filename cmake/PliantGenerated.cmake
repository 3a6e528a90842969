# What is generated into build/generated/:
#   pliant_widths.h          #define PLIANT_WIDTHS(X) X(1) X(4) ...      the lane widths that are compiled in
#   constraint_kinds.h       includes every src/constraints/kinds/*.h, so that a new constraint needs no list to be edited; and says which have a text of
#                            the shape at rest
#   group_kinds.h            includes every src/constraints/groups/*.h
#   kinds/NAME.c             the kernels of one kind: its text, and backends/kind_kernels.h; compiled once per lane width
#   demo_scene.c             scenes/demo.json as a C string
#   draw_*.c                 apps/draw/shaders/* as C strings: surface.vert is draw_surface_vert, in draw_surface_vert.c
#   double_internal_names.h  with PLIANT_DOUBLE: gives what is internal but not static another name
set(PLIANT_GENERATED ${CMAKE_BINARY_DIR}/generated)

list(TRANSFORM PLIANT_WIDTHS REPLACE "(.+)" "X(\\1)" OUTPUT_VARIABLE widths_text)
list(JOIN widths_text " " widths_text)
file(CONFIGURE OUTPUT ${PLIANT_GENERATED}/pliant_widths.h CONTENT "/* Generated: the lane widths compiled in. */
#ifndef PLIANT_WIDTHS
#define PLIANT_WIDTHS(X) ${widths_text}
#endif
")

file(GLOB kinds RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/constraints/kinds/*.h)
list(SORT kinds)
set(kinds_text "")
set(PLIANT_KIND_SOURCES "")
foreach(kind ${kinds})
    get_filename_component(name ${kind} NAME_WE)
    file(CONFIGURE OUTPUT ${PLIANT_GENERATED}/kinds/${name}.c CONTENT "/* Generated: the kernels of one kind. */
#define KIND ${name}
#include \"constraints/project.h\"
#include \"${kind}\"
#include \"backends/kind_kernels.h\"
")
    list(APPEND PLIANT_KIND_SOURCES ${PLIANT_GENERATED}/kinds/${name}.c)
    string(APPEND kinds_text "
#undef KIND_REST
#undef KIND_LEAST
#include \"${kind}\"
#ifdef KIND_REST
#define REST_OF_${name} ${name}_rest
#else
#define REST_OF_${name} NULL
#endif
#ifdef KIND_LEAST
#define LEAST_OF_${name} ${name}_least
#else
#define LEAST_OF_${name} NULL
#endif
")
endforeach()
file(CONFIGURE OUTPUT ${PLIANT_GENERATED}/constraint_kinds.h CONTENT "/* Generated: every constraint's text. */${kinds_text}")

file(GLOB groups RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/constraints/groups/*.h)
list(SORT groups)
list(TRANSFORM groups REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE groups_text)
list(JOIN groups_text "\n" groups_text)
file(CONFIGURE OUTPUT ${PLIANT_GENERATED}/group_kinds.h CONTENT "/* Generated: every group's text. */
${groups_text}
")

set(demo ${CMAKE_SOURCE_DIR}/scenes/demo.json)
add_custom_command(OUTPUT ${PLIANT_GENERATED}/demo_scene.c
    COMMAND ${CMAKE_COMMAND} -DNAME=pliant__demo_scene -DINPUT=${demo} -DOUTPUT=${PLIANT_GENERATED}/demo_scene.c
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake ${demo}
    COMMENT "Embedding scenes/demo.json" VERBATIM)
set(generated ${PLIANT_GENERATED}/demo_scene.c)

if(PLIANT_DOUBLE)
    file(GLOB_RECURSE internal_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.h ${CMAKE_SOURCE_DIR}/src/*.c ${CMAKE_SOURCE_DIR}/src/*.cpp)
    list(JOIN PLIANT_WIDTHS "," widths_list)
    # The stamp tells when it was last looked at; the header changes only when a name does, so an edit does not recompile everything.
    add_custom_command(OUTPUT ${PLIANT_GENERATED}/double_internal_names.stamp
        BYPRODUCTS ${PLIANT_GENERATED}/double_internal_names.h
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR}/src -DWIDTHS=${widths_list}
                -DOUTPUT=${PLIANT_GENERATED}/double_internal_names.h -P ${CMAKE_SOURCE_DIR}/cmake/double_internal_names.cmake
        COMMAND ${CMAKE_COMMAND} -E touch ${PLIANT_GENERATED}/double_internal_names.stamp
        DEPENDS ${internal_sources} ${CMAKE_SOURCE_DIR}/cmake/double_internal_names.cmake
        COMMENT "Collecting internal names" VERBATIM)
    list(APPEND generated ${PLIANT_GENERATED}/double_internal_names.stamp)
endif()
add_custom_target(pliant_generated DEPENDS ${generated})

# Sets `out` to the sources that hold the shaders.
function(pliant_embed_shaders out)
    file(GLOB shaders CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/apps/draw/shaders/*)
    set(sources "")
    foreach(shader ${shaders})
        get_filename_component(name ${shader} NAME)
        string(REPLACE "." "_" name draw_${name})
        add_custom_command(OUTPUT ${PLIANT_GENERATED}/${name}.c
            COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DINPUT=${shader} -DOUTPUT=${PLIANT_GENERATED}/${name}.c
                    -P ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
            DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake ${shader} VERBATIM)
        list(APPEND sources ${PLIANT_GENERATED}/${name}.c)
    endforeach()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()
