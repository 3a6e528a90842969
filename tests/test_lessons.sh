#!/usr/bin/env bash
# Law: the lessons are what they claim. Each of docs/lessons.md has its table, and its picture of three, two or four panels; its commands run
# as they stand; what the page says of them holds in both libraries, and in float32 to the digits printed. Their scenes are read without
# a note and come out the same for all lanes and threads.
. "$(dirname "$0")/shell.sh"
cd "$PLIANT_SOURCE_DIR" || exit 1
page=docs/lessons.md

# What tools/lessons.py says is a test each.
while read -r line; do
    case $line in
    "ok "*) ok "${line#ok }" ;;
    *) not_ok "${line#not ok }" ;;
    esac
done < <(PLIANT_BINARY=$PLIANT_BINARY python3 tools/lessons.py --check 2>&1 || echo "not ok tools/lessons.py --check ends with $?")

named=$(grep -ohE '\(lessons/[^)]*\)' $page | tr -d '()' | sort -u)
expect "every picture that is named is there, and the other way round" diff <(echo "$named") <(cd docs && ls lessons/*.png | sort)
sections=$(grep '^## ' $page | cut -c4- | sort)
expect "sections are pictures" test "$sections" = "$(cd docs/lessons && ls -- *.png | sed 's/\.png$//' | sort)"
for name in $sections; do
    expect "$name: its picture is as wide as its panels" test "$(size_of "docs/lessons/$name.png" | cut -dx -f1)" = 960
    expect "$name: its table is filled" grep -q '^| --- ' <(sed -n "/<!-- numbers of $name:/,/<!-- end of numbers/p" $page)
done

hash() { # SCENE WIDTH THREADS
    PLIANT_WIDTH=$2 "$PLIANT_BINARY" run "$1" -q --json --frames 3 --threads "$3" | sed -nE 's/.*"hash": "([0-9a-f]+)".*/\1/p'
}
for scene in scenes/lessons/*.json; do
    name=$(basename "$scene" .json)
    expect "$name is good" "$PLIANT_BINARY" check "$scene"
    expect "$name: without a note" test -z "$("$PLIANT_BINARY" check "$scene" 2>&1 >/dev/null)"
    expect "$name: a scene of a lesson" grep -q "scenes/lessons/$name.json" $page
    reference=$(hash "$scene" 1 1)
    expect "$name: a hash" test -n "$reference"
    expect "$name: one hash on four lanes and two threads" test "$(hash "$scene" 4 2)" = "$reference"
done
finish
