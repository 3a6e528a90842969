# make install: headers, libraries, the command with its man page and completion, pkg-config files and a CMake package. The double build
# installs beside the float build: only the headers are the same files.
include(CMakePackageConfigHelpers)

set(package pliant${real_suffix})
string(REPLACE "_" "-" pc_suffix "${real_suffix}")
set(installed pliant_static pliant_io_static)
if(PLIANT_SHARED_LIBRARIES)
    list(APPEND installed pliant pliant_io)
endif()
set(pc_files pliant pliant-io)
set(not_installed "")
if(TARGET pliant_cholmod_static)
    list(APPEND installed pliant_cholmod_static)
    list(APPEND pc_files pliant-cholmod)
    if(PLIANT_SHARED_LIBRARIES)
        list(APPEND installed pliant_cholmod)
    endif()
else()
    set(not_installed PATTERN cholmod.h EXCLUDE)
endif()
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/scenes FILES_MATCHING PATTERN "*.json")
install(DIRECTORY include/pliant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" ${not_installed})
install(TARGETS ${installed} EXPORT ${package}-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

if(TARGET pliant_import)
    install(TARGETS pliant_import RUNTIME DESTINATION ${import_folder}) # where libpliant_io looks, from where it lies itself
endif()

# pkg-config. The second library says what a static link needs besides, the C++ runtime among it.
if(PLIANT_DOUBLE)
    set(pc_cflags " -DPLIANT_DOUBLE")
    set(pc_title "float64")
else()
    set(pc_title "float32")
endif()
set(pc_cxx "")
foreach(library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    if(library MATCHES "^(stdc\\+\\+|c\\+\\+)$")
        set(pc_cxx " -l${library}")
    endif()
endforeach()
set(pc_hdf5 "")
if(hdf5_link)
    set(pc_hdf5 " -l${hdf5_link}")
endif()
# The prefix is found from where the .pc file lies, so an installed tree can be moved (and staged with DESTDIR).
file(RELATIVE_PATH pc_up "/usr/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/usr")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
set(pc_prefix "\${pcfiledir}/${pc_up}")
set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
foreach(pc ${pc_files})
    configure_file(cmake/${pc}.pc.in ${PLIANT_GENERATED}/${pc}${pc_suffix}.pc @ONLY)
    # A program finds the shared library where it was linked, but for /usr, where the dynamic linker looks by itself. The prefix is known when it is installed.
    install(CODE "
        set(rpath \"\")
        if(NOT CMAKE_INSTALL_PREFIX MATCHES \"^/usr/?$\" AND NOT \"${WIN32}\")
            set(rpath \" -Wl,-rpath,\\\${libdir}\")
        endif()
        file(READ \"${PLIANT_GENERATED}/${pc}${pc_suffix}.pc\" text)
        string(REPLACE \" RPATH\" \"\${rpath}\" text \"\${text}\")
        set(to \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${pc}${pc_suffix}.pc\")
        message(STATUS \"Installing: \${to}\")
        file(WRITE \"\${to}\" \"\${text}\")")
endforeach()

# find_package(pliant): pliant::pliant, pliant::pliant_static, pliant::io, pliant::io_static, and, where it was built, pliant::cholmod,
# pliant::cholmod_static;
# find_package(pliant_double): the same with _double.
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
install(EXPORT ${package}-targets NAMESPACE pliant:: DESTINATION ${cmake_dir})
configure_package_config_file(cmake/pliant-config.cmake.in ${PLIANT_GENERATED}/${package}-config.cmake INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${PLIANT_GENERATED}/${package}-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PLIANT_GENERATED}/${package}-config.cmake ${PLIANT_GENERATED}/${package}-config-version.cmake DESTINATION ${cmake_dir})

# The command prints its own man page and completion, from its table of options; where it cannot run (a cross build) they are left out.
if(TARGET pliant_cli)
    set(command pliant${pc_suffix})
    install(PROGRAMS $<TARGET_FILE:pliant_cli> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${command})
    if(NOT PLIANT_DOUBLE)
        set(mandir ${CMAKE_INSTALL_MANDIR}/man1)
        set(completiondir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(CODE "
            execute_process(COMMAND \"$<TARGET_FILE:pliant_cli>\" help --man OUTPUT_FILE \"${PLIANT_GENERATED}/pliant.1\" RESULT_VARIABLE man ERROR_QUIET)
            execute_process(COMMAND \"$<TARGET_FILE:pliant_cli>\" help --bash OUTPUT_FILE \"${PLIANT_GENERATED}/pliant.bash\" RESULT_VARIABLE bash ERROR_QUIET)
            if(man EQUAL 0)
                file(INSTALL \"${PLIANT_GENERATED}/pliant.1\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${mandir}\")
            endif()
            if(bash EQUAL 0)
                file(INSTALL \"${PLIANT_GENERATED}/pliant.bash\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${completiondir}\" RENAME pliant)
            endif()")
    endif()
endif()
