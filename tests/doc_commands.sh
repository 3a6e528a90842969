# What test_readme.sh and long_docs.sh share: every line of a page that is a command works as it stands, one page after another, in a shell that knows
# nothing, in a tree as `make` leaves it. Only the work is less: `build/pliant` is a script here that draws 64 by 36 pixels and simulates two frames where
# a line says nothing of size or frames.
#
# Files that a page takes from its reader stand in the tree: a mesh by the page's name for it, a scene. `make` is left out, which other tests run, and so
# is a line that needs a program which is not here.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
[ "$PLIANT_REAL" = float ] || skip_all "the docs are those of float32"
[ -x "$PLIANT_BINARY" ] || { not_ok "$PLIANT_BINARY is there"; finish; }

tree=$scratch/tree
mkdir -p "$tree/build/gallery" "$scratch/home" "$tree/docs"
for name in scenes tools examples cmake docs/programs README.md CMakeLists.txt; do ln -s "$PLIANT_SOURCE_DIR/$name" "$tree/$name"; done
cat >"$tree/build/pliant" <<END
less=()
lacks() { case " \$args " in *" \$1 "*) return 1 ;; esac }
args=\$*
case \$1 in
    render)
        lacks --size && less+=(--size 64x36)
        if lacks --frames && lacks --scene; then case " \$args" in *%*|*.mp4*|*.gif*) less+=(--frames 0:2) ;; *) less+=(--frames 2) ;; esac; fi ;;
    run) lacks --frames && lacks --resume && lacks --start && less+=(--frames 2) ;;
esac
exec "$PLIANT_BINARY" "\$@" "\${less[@]}"
END
chmod +x "$tree/build/pliant"

# ---- what a page's reader has ----

# A closed surface, coarse: a ball of 6 by 4 patches.
awk 'BEGIN {
    print "v 0 1 0"; print "v 0 -1 0"
    for (j = 1; j < 4; j++) for (i = 0; i < 6; i++) { a = i * 1.0471976; b = j * 0.7853982; print "v", sin(b) * cos(a), cos(b), sin(b) * sin(a) }
    for (i = 0; i < 6; i++) {
        k = (i + 1) % 6
        print "f", 1, 3 + k, 3 + i
        for (j = 0; j < 2; j++) { p = 3 + 6 * j + i; q = 3 + 6 * j + k; print "f", p, q, q + 6, p + 6 }
        print "f", 2, 15 + i, 15 + k
    } }' >"$tree/bunny.obj"
cp "$tree/bunny.obj" "$tree/body.obj"
printf '{"pliant": 1, "frames": 4, "solver": {"substeps": 20}, "bodies": [{"type": "cloth", "cells": [4, 4], "pins": [{"side": "+z"}]}]}\n' >"$tree/scene.json"
cp "$tree/scene.json" "$tree/my.json"
cp "$tree/scene.json" "$tree/build/gallery/asteroid.json"
awk '/^```json$/ { on = 1; next } /^```$/ { if (on) exit } on' "$PLIANT_SOURCE_DIR/README.md" >"$tree/bunny.json" # README's own

# ---- lines ----

needs() { # LINE: a word that it begins a command with and that is not there
    local word
    for word in tetgen gmsh blender qemu-aarch64 aarch64-linux-gnu-gcc; do
        [[ $1 == *"$word"* ]] && ! command -v "$word" >/dev/null && { echo "$word"; return; }
    done
}
left_out() { # LINE
    case $1 in
        "make install "*) return 1 ;;
        make\ * | *"cmake -B"* | *"build-arm"*) return 0 ;;        # those tests, and test_machines
        *"pliant view"*) [ -z "${DISPLAY:-}" ] && return 0 ;;      # test_view
        *" --with tetgen"*) [ -n "$(needs tetgen)" ] && return 0 ;;
        *tools/catenary.py*) ! command -v python3 >/dev/null && return 0 ;;
    esac
    return 1
}
# The lines of one block, as one script. What is built is installed, and not built again.
run_block() { # SCRIPT
    (cd "$tree" && env -i HOME="$scratch/home" PATH="$tree/bin:/usr/local/bin:/usr/bin:/bin" bash -e "$1" >"$scratch/said" 2>&1 </dev/null)
}
page() { # FILE
    local file=$1 number=0 line out=
    while IFS= read -r line; do
        if [ "$line" = '```sh' ]; then
            number=$((number + 1))
            out=$scratch/block.sh
            : >"$out"
        elif [ "$line" = '```' ] && [ -n "$out" ]; then
            if [ -s "$out" ]; then
                if run_block "$out"; then ok "$file: block $number"; else not_ok "$file: block $number: $(cat "$out") says: $(tail -n 5 "$scratch/said")"; fi
            fi
            out=
        elif [ -n "$out" ] && ! left_out "$line"; then
            case $line in
                "make install PREFIX="*) echo "cmake --install '$PLIANT_BUILD_DIR' --prefix \"${line#*PREFIX=}\"" ;;
                pliant\ *) echo "build/$line" ;;
                *) printf '%s\n' "$line" ;;
            esac >>"$out"
        fi
    done <"$PLIANT_SOURCE_DIR/$file"
    blocks=$((blocks + number))
}

blocks=0 # that page() found
