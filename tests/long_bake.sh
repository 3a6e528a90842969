#!/usr/bin/env bash
# Two hundred kills of a bake to every format.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
. "$(dirname "${BASH_SOURCE[0]}")/bakes.sh"
[ "$PLIANT_REAL" = float ] || skip_all "killed in float32 already"
cd "$scratch" || exit 1
scene=$PLIANT_SOURCE_DIR/scenes/net.json frames=120
start=$(date +%s%N)
bake whole --checkpoint whole.check --every 4 || not_ok "a bake"
longest=$(awk -v ns=$(($(date +%s%N) - start)) 'BEGIN { print ns / 2e9 }')
kills=0
while [ $kills -lt 200 ]; do
    rm -rf killed killed.*
    killed_bake killed 25 >log || { not_ok "killed: $(cat log)"; break; }
    kills=$((kills + 25))
    same_bake whole killed >log && cmp whole.check killed.check || { not_ok "after $kills kills: $(cat log)"; break; }
done
expect "$kills kills, and the same bytes" test $kills -ge 200
expect "nothing lies about" test -z "$(find . -name '*.tmp' -o -name '*.part')"
finish
