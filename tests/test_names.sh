#!/usr/bin/env bash
# Law: the float and the double library share no symbol, so one program can have both. And the checks of tools/ catch what they are for.
. "$(dirname "$0")/shell.sh"
tools=$PLIANT_SOURCE_DIR/tools

if [ "$PLIANT_REAL" = double ]; then
    libraries=("$PLIANT_BUILD_DIR/libpliant_double.a" "$PLIANT_BUILD_DIR/libpliant_io_double.a")
    foreign() { ! nm -g --defined-only "${libraries[@]}" 2>/dev/null | awk 'NF == 3 {print $3}' | grep '^pliant_'; }
    expect "the double libraries define no name of the float ones" foreign
    float=$PLIANT_SOURCE_DIR/build
    if [ -f "$float/libpliant_io.a" ]; then
        cat >"$scratch/half.c" <<'C'
#include <pliant/io.h>
unsigned HALF(void);
unsigned HALF(void)
{
    size_t            length;
    const char       *text = pliant_demo_scene(&length);
    pliant_scene_file file;
    if (pliant_scene_read_text(text, length, "demo", NULL, NULL, &file, NULL)) return 0;
    pliant_model *model = pliant_scene_compile(file.scene, NULL);
    pliant_model_destroy(model);
    pliant_scene_destroy(file.scene);
    return model && pliant_build().real_bytes == sizeof(pliant_real) ? (unsigned)sizeof(pliant_real) : 0;
}
C
        cat >"$scratch/main.c" <<'C'
unsigned in_float(void);
unsigned in_double(void);
int main(void) { return in_float() == 4 && in_double() == 8 ? 0 : 1; }
C
        both() {
            gcc -std=c17 -I"$PLIANT_SOURCE_DIR/include" -DHALF=in_float -c "$scratch/half.c" -o "$scratch/float.o" &&
                gcc -std=c17 -I"$PLIANT_SOURCE_DIR/include" -DHALF=in_double -DPLIANT_DOUBLE -c "$scratch/half.c" -o "$scratch/double.o" &&
                g++ "$scratch/main.c" -x none "$scratch/float.o" "$scratch/double.o" "$float/libpliant_io.a" "$float/libpliant.a" \
                    "$PLIANT_BUILD_DIR/libpliant_io_double.a" "$PLIANT_BUILD_DIR/libpliant_double.a" -lyaml -lm -pthread -o "$scratch/both"
        }
        sed -i '1i extern "C" {' "$scratch/main.c"
        sed -i '/in_double(void);/a }' "$scratch/main.c"
        expect "both link into one program" both && expect "and both work in it" "$scratch/both"
    else
        echo "build/ is not built: the program with both libraries is left out"
    fi
fi

# check_rooms: a tree with one bad include of each sort.
tree=$scratch/tree
plant() { # FILE LINE
    rm -rf "$tree"
    mkdir -p "$tree/$(dirname "$1")"
    printf '/* a file */\n%s\n' "$2" >"$tree/$1"
}
refuses() { # FILE LINE
    plant "$@"
    local said
    said=$(python3 "$tools/check_rooms.py" --root "$tree") && return 1
    [[ $said == "$1:2: "* ]]
}
accepts() {
    plant "$@"
    python3 "$tools/check_rooms.py" --root "$tree"
}
expect "rooms: base must not see scene" refuses src/base/a.c '#include "scene/draft.h"'
expect "rooms: scene must not see constraints" refuses src/scene/a.c '#include "constraints/kernel.h"'
expect "rooms: compile must not see step" refuses src/compile/a.c '#include "step/step.h"'
expect "rooms: step may see compile" accepts src/step/a.c '#include "compile/model.h"'
expect "rooms: state must not see solver" refuses src/state/a.c '#include "solver/solver.h"'
expect "rooms: contact must not see step" refuses src/contact/a.c '#include "step/step.h"'
expect "rooms: methods see contact" accepts src/methods/a.c '#include "contact/contacts.h"'
expect "rooms: io sees base" accepts src/io/files/a.c '#include "base/error.h"'
expect "rooms: io sees mesh" accepts src/io/mesh/a.c '#include "mesh/tree.h"'
expect "rooms: files of io must not see mesh" refuses src/io/files/a.c '#include "mesh/tree.h"'
expect "rooms: io's scenes see caches" accepts src/io/scene/a.c '#include "io/cache/cache.h"'
expect "rooms: io's caches must not see scenes" refuses src/io/cache/a.c '#include "io/scene/keys.h"'
expect "rooms: io's caches must not see kept files" refuses src/io/cache/a.c '#include "io/kept/cooked.h"'
expect "rooms: io's files must not see caches" refuses src/io/files/a.c '#include "io/cache/cache.h"'
expect "rooms: only io's scenes see drafts" refuses src/io/mesh/a.c '#include "scene/draft.h"'
expect "rooms: mesh must not see scene" refuses src/mesh/a.c '#include "scene/draft.h"'
expect "rooms: surface must not see scene" refuses src/surface/a.c '#include "scene/draft.h"'
expect "rooms: mesh opens no files" refuses src/mesh/a.c 'static void f(void) { fopen("a", "r"); }'
expect "rooms: io must not see step" refuses src/io/scene/a.c '#include "step/step.h"'
expect "rooms: cholmod sees the public headers" accepts src/cholmod/a.c '#include "pliant/cholmod.h"'
expect "rooms: cholmod must not see base" refuses src/cholmod/a.c '#include "base/error.h"'
expect "rooms: import sees how its answer is laid out" accepts src/import/a.c '#include "io/mesh/import.h"'
expect "rooms: import must not see the rest of io" refuses src/import/a.c '#include "io/files/file.h"'
expect "rooms: the core must not see io.h" refuses src/step/a.c '#include "pliant/io.h"'
expect "rooms: the core must not print" refuses src/step/a.c 'static void f(void) { printf("hello"); }'
expect "rooms: the command must not see src/" refuses apps/cli/a.c '#include "base/error.h"'
expect "rooms: the command may see include/" accepts apps/cli/a.c '#include "pliant/io.h"'

expect "rooms: the command may see drawing" accepts apps/cli/a.c '#include "draw/film.h"'
expect "rooms: drawing must not see src/" refuses apps/draw/a.c '#include "io/files/file.h"'
expect "rooms: the library must not see drawing" refuses src/io/files/a.c '#include "draw/film.h"'

expect "rooms: methods must not name a kind of constraint" refuses src/methods/a.c 'static bool f(int kind) { return kind == PLIANT_CONSTRAINT_DISTANCE; }'
expect "rooms: methods may ask for a flag, of all kinds" accepts src/methods/a.c 'static int f(void) { return PLIANT_ROW_EDGE * PLIANT_CONSTRAINT_COUNT; }'
expect "rooms: scenes may name the kinds that they make" accepts src/scene/a.c 'static int f(void) { return PLIANT_CONSTRAINT_DISTANCE; }'
expect "rooms: solver must not see the text of a kind" refuses src/solver/a.c '#include "constraints/kinds/distance.h"'

# check_rooms again: a function that is declared on the spot, so that no include tells of it.
uses() { # ROOM ROOM: the first uses what the second defines
    rm -rf "$tree"
    mkdir -p "$tree/src/$1" "$tree/src/$2" "$tree/build/CMakeFiles/core.dir/src/$1" "$tree/build/CMakeFiles/core.dir/src/$2"
    printf 'void pliant__b(void);\nvoid pliant__a(void);\nvoid pliant__a(void) { pliant__b(); }\n' >"$tree/src/$1/a.c"
    printf 'void pliant__b(void);\nvoid pliant__b(void) {}\n' >"$tree/src/$2/b.c"
    local file
    for file in "$1/a" "$2/b"; do "${CC:-cc}" -c "$tree/src/$file.c" -o "$tree/build/CMakeFiles/core.dir/src/$file.c.o" || return 2; done
    python3 "$tools/check_rooms.py" --root "$tree"
}
expect "rooms: step may use what contact defines" uses step contact
expect "rooms: contact must not use what step defines" eval '! uses contact step'
expect "rooms: io's scenes may use what its files define" uses io/scene io/files
expect "rooms: io's files must not use what its scenes define" eval '! uses io/files io/scene'

# Files of one room: a uses b, and b uses c; c uses what $1 defines.
ring() { # a, b or nothing
    rm -rf "$tree"
    mkdir -p "$tree/src/base" "$tree/build/CMakeFiles/core.dir/src/base"
    printf 'void pliant__%s(void);\nvoid pliant__%s(void);\nvoid pliant__%s(void) { pliant__%s(); }\n' a b a b >"$tree/src/base/a.c"
    printf 'void pliant__%s(void);\nvoid pliant__%s(void);\nvoid pliant__%s(void) { pliant__%s(); }\n' b c b c >"$tree/src/base/b.c"
    printf 'void pliant__c(void);\nvoid pliant__%s(void);\nvoid pliant__c(void) { %s }\n' "${1:-c}" "${1:+pliant__$1();}" >"$tree/src/base/c.c"
    local file
    for file in a b c; do "${CC:-cc}" -c "$tree/src/base/$file.c" -o "$tree/build/CMakeFiles/core.dir/src/base/$file.c.o" || return 2; done
    python3 "$tools/check_rooms.py" --root "$tree"
}
expect "rooms: files of a room may go one way" ring
expect "rooms: two must not use each other" eval '! ring b'
expect "rooms: nor three, around" eval '! ring a'

# check_words: comments and strings of the library, but not its code.
hides() { # FILE LINE
    plant "$@"
    local said
    said=$(python3 "$tools/check_words.py" --root "$tree") && return 1
    [[ $said == "$1:2: "* ]]
}
shows() {
    plant "$@"
    python3 "$tools/check_words.py" --root "$tree"
}
expect "words: a comment names no persons" hides src/base/a.c 'int a; /* of who is awake */'
expect "words: a comment of a header likewise" hides include/pliant/a.h '/** Triangles whose boxes meet. */'
expect "words: a message names no persons" hides src/io/a.c 'const char *a = "Nobody says so";'
expect "words: two words are found across lines" hides src/io/a.c '/* all
 * that is left */'
expect "words: a name in code is no sentence" shows src/base/a.c "int who = '\"'; /* seeker */ int whose;"
expect "words: a comment with a thing is fine" shows src/base/a.c '/* Particles that are awake, wholly. */'

# check_gl: a call of a function that is not listed.
calls() { # LINE
    plant apps/draw/a.c "$1"
    printf '#define DRAW_GL_FUNCTIONS(X) X(glClear)\n' >"$tree/apps/draw/gl.h"
    python3 "$tools/check_gl.py" --root "$tree"
}
expect "gl: a listed function may be called" calls 'static void f(void) { glClear(0); /* glFinish() */ }'
expect "gl: another is found" eval '! calls "static void f(void) { glFinish(); }"'

# check_docs and double_names, likewise.
header() { # TEXT
    rm -rf "$tree"
    mkdir -p "$tree/include/pliant"
    printf '%s\n' "$1" >"$tree/include/pliant/a.h"
}
docs() { python3 "$tools/check_docs.py" --root "$tree"; }
names() { python3 "$tools/double_names.py" --check --root "$tree"; }
header 'PLIANT_API int pliant_f(int a);'
expect "docs: a function without a comment is found" eval '! docs'
expect "names: a header that is out of date is found" eval '! names'
header '/** Does f. */ PLIANT_API int pliant_f(int a);'
expect "docs: a function with one is fine" docs
header '/** A def. */ typedef struct pliant_a_def {
    pliant_real radius;
} pliant_a_def;'
expect "docs: a number without a unit is found" eval '! docs'

# check_returns: the public headers themselves, and headers that break the rule in one way each.
returns() { python3 "$tools/check_returns.py" --root "$tree"; }
expect "returns: the public headers keep the rule" python3 "$tools/check_returns.py"
error='pliant_error *error'
keeps() { # TEXT
    header "$1"
    returns
}
breaks() { # TEXT
    header "$1"
    ! returns
}
expect "returns: a code is fine" keeps "/** Does f. */ PLIANT_API pliant_code pliant_f(int a, $error);"
expect "returns: a pointer is fine" keeps "/** Makes an a. */ PLIANT_API pliant_a *pliant_f(int a, $error);"
expect "returns: an id is fine" keeps "/** An a. */ typedef struct pliant_a { uint32_t id; } pliant_a;
/** Makes an a. */ PLIANT_API pliant_a pliant_f(int a, $error);"
expect "returns: the answer to a question is fine" keeps "/** Whether f. */ PLIANT_API bool pliant_f(int a, $error);"
expect "returns: true for success is found" breaks "/** Does f. */ PLIANT_API bool pliant_f(int a, $error);"
expect "returns: and without an error, too" breaks "/** Does f. */ PLIANT_API bool pliant_f(int a);"
expect "returns: a question that is answered by a code is found" breaks "/** Whether f. */ PLIANT_API pliant_code pliant_f(int a);"
expect "returns: a number is found" breaks "/** Makes f. */ PLIANT_API int pliant_f(int a, $error);"
expect "returns: nothing is found" breaks "/** Does f. */ PLIANT_API void pliant_f(int a, $error);"
expect "returns: a struct that is no id is found" breaks "/** Makes f. */ PLIANT_API pliant_a pliant_f(int a, $error);"
expect "returns: an error that is not last is found" breaks "/** Does f. */ PLIANT_API pliant_code pliant_f($error, int a);"
expect "returns: a callback that returns true for success is found" breaks "/** Does f. */ typedef bool pliant_f(int a, $error);"

uncalled() {
    header "/** Does f. */ PLIANT_API pliant_code pliant_f(int a, $error);"
    mkdir -p "$tree/tests"
    printf '%s\n' "$1" >"$tree/tests/test_returns.c"
    ! returns
}
expect "returns: a function that no test lets fail is found" uncalled 'pliant_g(1, &error);'
expect "returns: one that is called is not" eval "! uncalled 'pliant_f(1, &error);'"

page() { # TEXT
    rm -rf "$tree"
    mkdir -p "$tree/docs" "$tree/src/base"
    printf 'void pliant__there(void);\n' >"$tree/src/base/there.h"
    printf '%s\n' "$1" >"$tree/docs/page.md"
}
page 'See `src/base/there.h`, and `pliant__there` in it.'
expect "docs: a page that names what is there is fine" docs
page 'See `src/base/gone.h`.'
expect "docs: a page that names a file that is not there is found" eval '! docs'
page 'See `pliant__gone`.'
expect "docs: a page that names a function that is not there is found" eval '! docs'
finish
