#!/usr/bin/env bash
# Law: what `make install` puts into a prefix is enough for a program outside the tree: examples/embed.c builds against it and runs, as C
# and as C++, against the shared and the static library, through pkg-config and through CMake.
. "$(dirname "$0")/shell.sh"
prefix=$scratch/prefix
embed=$PLIANT_SOURCE_DIR/examples/embed.c
[ -f "$embed" ] || { not_ok "examples/embed.c is there"; finish; }
if [ "$PLIANT_REAL" = double ]; then pc=-double cm=_double; else pc='' cm=''; fi

# A machine for which there is a C compiler and nothing else gets the core alone.
expect "the core alone is configured without a C++ compiler" env -u CXX cmake -S "$PLIANT_SOURCE_DIR" -B "$scratch/core" -DPLIANT_CORE_ONLY=ON \
    -DCMAKE_CXX_COMPILER="$scratch/none"

unset DESTDIR
expect "installs" cmake --install "$PLIANT_BUILD_DIR" --prefix "$prefix" || finish
pcdir=$(dirname "$(find "$prefix" -name "pliant$pc.pc")")
libdir=$(dirname "$pcdir")
export PKG_CONFIG_PATH=$pcdir
c=(gcc -std=c17 -Wall -Wextra -Werror)
cxx=(g++ -std=c++17 -Wall -Wextra -Werror -x c++)

# Library of its own to link statically: a folder without the shared ones.
mkdir -p "$scratch/static"
cp "$libdir"/*.a "$scratch/static/"

build() { # OUT LINK COMPILER... : embed.c with libpliant, and with libpliant_io too
    local out=$1 link=$2
    shift 2
    local libs
    if [ "$link" = static ]; then
        libs="-L$scratch/static $(pkg-config --static --libs "pliant$pc" | sed -E 's/-L[^ ]+//g')"
    else
        libs="$(pkg-config --libs "pliant$pc")"
    fi
    # shellcheck disable=SC2046,SC2086
    "$@" $(pkg-config --cflags "pliant$pc") "$embed" -x none $libs -o "$scratch/$out"
}
for link in shared static; do
    expect "embed.c builds as C, $link" build "embed_c_$link" "$link" "${c[@]}" && expect "and runs" "$scratch/embed_c_$link"
    expect "embed.c builds as C++, $link" build "embed_cxx_$link" "$link" "${cxx[@]}" && expect "and runs" "$scratch/embed_cxx_$link"
done

# The second library; its static form needs libyaml and the C++ runtime besides.
cat >"$scratch/reads.c" <<'C'
#include <pliant/io.h>
int main(void)
{
    size_t            length;
    const char       *text = pliant_demo_scene(&length);
    pliant_error      error;
    pliant_scene_file file;
    if (pliant_build().real_bytes != sizeof(pliant_real)) return 2;
    if (pliant_scene_read_text(text, length, "demo", NULL, NULL, &file, &error)) return 1;
    pliant_scene_destroy(file.scene);
    return 0;
}
C
# shellcheck disable=SC2046
reads_shared() { "${c[@]}" $(pkg-config --cflags "pliant-io$pc") "$scratch/reads.c" $(pkg-config --libs "pliant-io$pc") -o "$scratch/reads_shared"; }
# shellcheck disable=SC2046
reads_static() { "${c[@]}" $(pkg-config --cflags "pliant-io$pc") "$scratch/reads.c" -L"$scratch/static" $(pkg-config --static --libs "pliant-io$pc" | sed -E 's/-L[^ ]+//g') -o "$scratch/reads_static"; }
for link in shared static; do
    expect "a program with libpliant_io builds, $link" "reads_$link" && expect "and runs" "$scratch/reads_$link"
done

# Where pliant-import was built: the installed command and a program with the installed library find it, where they lie.
if [ -x "$prefix/libexec/pliant/pliant-import" ]; then
    printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n' >"$scratch/one.stl"
    printf '{"pliant": 1, "bodies": [{"type": "cloth", "mesh": "one.stl"}]}\n' >"$scratch/one.json"
    cat >"$scratch/loads.c" <<'C'
#include <pliant/io.h>
int main(int argc, char **argv)
{
    pliant_mesh mesh;
    return argc == 2 && pliant_mesh_load(argv[1], &mesh, NULL) == PLIANT_OK && mesh.vertex_count == 3 ? 0 : 1;
}
C
    # shellcheck disable=SC2046
    loads() { "${c[@]}" $(pkg-config --cflags "pliant-io$pc") "$scratch/loads.c" $(pkg-config --libs "pliant-io$pc") -o "$scratch/loads" && "$scratch/loads" "$scratch/one.stl"; }
    expect "the installed command reads an STL" "$prefix/bin/pliant$pc" check "$scratch/one.json"
    expect "a program with the installed library reads an STL" loads
    moved() { mv "$prefix" "$prefix.moved" && "$prefix.moved/bin/pliant$pc" check "$scratch/one.json" && mv "$prefix.moved" "$prefix"; }
    expect "and the command does where the whole was moved to" moved
else
    echo "skipped: pliant-import (not built here)"
fi

# The optional one, where it was built: a solver gets its factors from it.
if [ -e "$libdir/libpliant_cholmod$cm.a" ]; then
    cat >"$scratch/factors.c" <<'C'
#include <pliant/cholmod.h>
#include <pliant/pliant.h>
int main(void)
{
    const uint32_t first[3] = {0, 2, 3}, row[3] = {0, 1, 1};
    const double   value[3] = {4, 2, -1};
    double         x[2] = {10, 3}; /* 4 x + 2 y = 10, 2 x - y = 3 */
    uint32_t       negative = 0;
    void          *system = pliant_cholmod()->analyse(2, first, row, 0);
    if (!system || pliant_cholmod()->factor(system, value, &negative) || pliant_cholmod()->solve(system, x)) return 1;
    pliant_cholmod()->release(system);
    return negative == 1 && x[0] == 2 && x[1] == 1 ? 0 : 2;
}
C
    # shellcheck disable=SC2046
    factors_shared() { "${c[@]}" $(pkg-config --cflags "pliant-cholmod$pc") "$scratch/factors.c" $(pkg-config --libs "pliant-cholmod$pc") -o "$scratch/factors_shared"; }
    # shellcheck disable=SC2046
    factors_static() { "${c[@]}" $(pkg-config --cflags "pliant-cholmod$pc") "$scratch/factors.c" -L"$scratch/static" $(pkg-config --static --libs "pliant-cholmod$pc" | sed -E 's/-L[^ ]+//g') -o "$scratch/factors_static"; }
    for link in shared static; do
        expect "a program with libpliant_cholmod builds, $link" "factors_$link" && expect "and runs" "$scratch/factors_$link"
    done
    optional='add_executable(factors factors.c)
target_link_libraries(factors pliant::cholmod'$cm')
add_executable(factors_static factors.c)
target_link_libraries(factors_static pliant::cholmod'$cm'_static)'
else
    echo "skipped: libpliant_cholmod (not built here)"
    optional=
fi

# Every header by itself, as C and as C++.
for header in "$prefix"/include/pliant/*.h; do
    name=pliant/$(basename "$header")
    [ "$name" = pliant/double_names.h ] && continue # a part of base.h
    # shellcheck disable=SC2046
    expect "$name stands alone in C and C++" sh -c '
        echo "#include <'"$name"'>" | gcc -std=c17 -Wall -Wextra -Wpedantic -Werror '"$(pkg-config --cflags "pliant$pc")"' -fsyntax-only -x c - &&
        echo "#include <'"$name"'>" | g++ -std=c++17 -Wall -Wextra -Werror '"$(pkg-config --cflags "pliant$pc")"' -fsyntax-only -x c++ -'
done

# The CMake package.
mkdir -p "$scratch/project"
cp "$embed" "$scratch"/*.c "$scratch/project/"
cat >"$scratch/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.22)
project(uses_pliant C CXX)
find_package(pliant$cm REQUIRED)
add_executable(shared_c embed.c)
target_link_libraries(shared_c pliant::pliant$cm)
add_executable(static_c embed.c)
target_link_libraries(static_c pliant::pliant${cm}_static)
add_executable(reads reads.c)
target_link_libraries(reads pliant::io$cm)
add_executable(reads_static reads.c)
target_link_libraries(reads_static pliant::io${cm}_static)
$optional
CMAKE
cmake_project() {
    cmake -S "$scratch/project" -B "$scratch/project/build" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$scratch/project/build"
}
if expect "a CMake project finds and links it" cmake_project; then
    for program in shared_c static_c reads reads_static ${optional:+factors factors_static}; do expect "its $program runs" "$scratch/project/build/$program"; done
fi

# The shared libraries show the public functions and nothing else.
public_only() { ! nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | grep -v -E '^pliantd?_[a-z]|^_init$|^_fini$' | grep .; }
expect "libpliant exports only pliant_ names" public_only "$libdir/libpliant$cm.so"
[ -z "$optional" ] || expect "libpliant_cholmod exports only pliant_ names" public_only "$libdir/libpliant_cholmod$cm.so"
expect "libpliant_io exports only pliant_ names" public_only "$libdir/libpliant_io$cm.so"
finish
