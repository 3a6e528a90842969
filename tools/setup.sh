#!/usr/bin/env bash
# Installs what building and testing need, on Debian; says what and why first. Usage: tools/setup.sh GROUP...
# Groups: build, test, clients, machines, bench. When nothing is missing it prints nothing, asks nothing and takes no time.
set -u

# group | package | how to see that it is there | what it is for
# A probe is a command, a header that the compiler finds, an absolute path, a shared library by its file name, or a driver of Mesa's.
needs='
build|gcc|cmd:gcc|compiles the library
build|g++|cmd:g++|compiles the OBJ reader, which is C++
build|libc6-dev|header:stdio.h|headers of the C library
build|cmake|cmd:cmake|configures the build
test|ninja-build|cmd:ninja|runs compilers, with half the work of its own that make has
build|pkg-config|cmd:pkg-config|how programs find an installed copy of the library
build|libyaml-dev|header:yaml.h|reads scene files, JSON and YAML
build|libtinyobjloader-dev|header:tiny_obj_loader.h|reads OBJ meshes
build|libsuitesparse-dev|header:suitesparse/cholmod.h|newton on nets, cloth and solids: sparse factors
build|libepoxy-dev|header:epoxy/gl.h|pictures: declares OpenGL
build|libegl-dev|header:EGL/egl.h|pictures: declares EGL, which gives OpenGL without a window
build|libegl1|lib:libEGL.so.1|pictures: EGL, when the command runs
build|libgl1-mesa-dri|dri:swrast_dri.so|pictures: draws on the processor where there is no graphics card
build|libpng-dev|header:png.h|pictures: writes PNG
build|libstb-dev|header:stb/stb_easy_font.h|pictures: letters of legends
build|libglfw3-dev|header:GLFW/glfw3.h|the viewer: windows
build|libimgui-dev|header:imgui/imgui.h|the viewer: its panel
build|ffmpeg|cmd:ffmpeg|films: makes MP4 and GIF of pictures
build|libhdf5-dev|header:hdf5/serial/hdf5.h|writes .vtkhdf, for ParaView
test|libosmesa6|lib:libOSMesa.so.8|another way to OpenGL, without EGL
test|xvfb|cmd:Xvfb|a display to test windows on
test|xdotool|cmd:xdotool|moves the mouse and presses the keys of that display
test|libcmocka-dev|header:cmocka.h|runs the unit tests
test|clang|cmd:clang|a second compiler: results must agree to the bit
test|libclang-rt-14-dev|file:/usr/lib/llvm-14/lib/clang/14.0.6/share/asan_ignorelist.txt|libFuzzer and what counts lines, for clang
test|llvm|cmd:llvm-cov|says which lines the tests reach
test|clang-format|cmd:clang-format|checks the layout of the sources
test|python3|cmd:python3|runs the scripts in tools/
test|python3-jsonschema|file:/usr/lib/python3/dist-packages/jsonschema|validates scene files against their schema
test|glmark2-data|file:/usr/share/glmark2/models/bunny.obj|meshes to test with: a bunny and an asteroid
test|assimp-utils|cmd:assimp|turns the asteroid into OBJ
test|tetgen|cmd:tetgen|fills the asteroid with tetrahedra
test|locales|file:/usr/share/i18n/locales/tr_TR|what locales are made of: results must not depend on them
test|valgrind|cmd:valgrind|counts instructions: a guard against slower code
test|util-linux|cmd:prlimit|files that may not grow, and disks that are full
build|libassimp-dev|header:assimp/cimport.h|reads STL, glTF, FBX and other meshes
test|gmsh|cmd:gmsh|writes meshes of tetrahedra in its formats, to read back
test|hdf5-tools|cmd:h5dump|reads .vtkhdf, without ParaView
clients|paraview|cmd:pvbatch|reads .pvd and .xmf
clients|python3-paraview|file:/usr/lib/python3/dist-packages/paraview|the same, from a script
clients|blender|cmd:blender|plays what comes out: OBJ, PLY and point caches
clients|nodejs|cmd:node|runs three.js and other programs of npm
clients|npm|cmd:npm|installs them, in build/clients
clients|chromium|cmd:chromium|opens the page of docs/programs/three.md
machines|gcc-aarch64-linux-gnu|cmd:aarch64-linux-gnu-gcc|other machines: compiles for 64-bit ARM
machines|libc6-dev-arm64-cross|file:/usr/aarch64-linux-gnu/lib/libc.a|other machines: its C library
machines|qemu-user|cmd:qemu-aarch64|other machines: runs what is for ARM
machines|gcc-i686-linux-gnu|cmd:i686-linux-gnu-gcc|other machines: compiles for 32-bit x86
machines|libc6-dev-i386-cross|file:/usr/i686-linux-gnu/lib/libc.a|other machines: its C library
machines|gcc-mingw-w64-x86-64|cmd:x86_64-w64-mingw32-gcc|other machines: compiles for Windows
machines|wine64|file:/usr/lib/wine/wine64|other machines: runs what is for Windows
machines|wine|cmd:wine|other machines: the name that wine goes by
machines|emscripten|cmd:emcc|other machines: compiles for WebAssembly
machines|nodejs|cmd:node|other machines: runs WebAssembly
machines|node-acorn|file:/usr/share/nodejs/acorn|other machines: what emscripten reads JavaScript with
clients|wine|cmd:wine|runs a library for Windows: the one of Alembic
clients|wine64|file:/usr/lib/wine/wine64|the same
clients|gcc-mingw-w64-x86-64|cmd:x86_64-w64-mingw32-gcc|compiles for Windows what asks it
clients|python3|cmd:python3|compares
bench|libbullet-dev|header:bullet/btBulletCollisionCommon.h|another solver of cloth, to compare with
clients|gmsh|cmd:gmsh|fills surfaces with tetrahedra, and reads those of pliant mesh
'

found_in() { # SUBFOLDER FILE: in a folder of libraries
    compgen -G "/usr/lib/*$1/$2" >/dev/null || compgen -G "/usr/lib*$1/$2" >/dev/null || compgen -G "/usr/local/lib*$1/$2" >/dev/null
}

present() { # PROBE
    case "$1" in
    cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
    file:*) [ -e "${1#file:}" ] ;;
    lib:*) found_in "" "${1#lib:}" || { PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "^[[:space:]]*${1#lib:} "; } ;;
    dri:*) found_in /dri "${1#dri:}" ;;
    header:*)
        [ -e "/usr/include/${1#header:}" ] || [ -e "/usr/local/include/${1#header:}" ] ||
            printf '#include <%s>\n' "${1#header:}" | cc -E -x c++ - >/dev/null 2>&1
        ;;
    esac
}

[ $# -gt 0 ] || { echo "usage: $0 build|test|clients|machines|bench..." >&2; exit 2; }
missing=() reasons=()
while IFS='|' read -r group package probe why; do
    [ -n "$group" ] || continue
    case " $* " in *" $group "*) ;; *) continue ;; esac
    present "$probe" && continue
    missing+=("$package")
    reasons+=("$(printf '  %-22s %s' "$package" "$why")")
done <<<"$needs"
[ ${#missing[@]} -gt 0 ] || exit 0

echo "Pliant needs these packages, which are not here yet:"
printf '%s\n' "${reasons[@]}"
if ! grep -qsE '^ID(_LIKE)?=.*debian' /etc/os-release || ! command -v apt-get >/dev/null 2>&1; then
    echo "They are named as on Debian 12; this is another system. Please install them its own way, then try again." >&2
    exit 1
fi
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "Installing needs root, and there is no sudo. As root: apt-get install ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "Installing them with: ${root[*]:+${root[*]} }apt-get install ${missing[*]}"
apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" </dev/null; }
apt update >/dev/null || echo "apt-get update failed; trying with the package lists that are here" >&2
apt install -y --no-install-recommends "${missing[@]}" || { echo "apt-get could not install them; see above" >&2; exit 1; }
