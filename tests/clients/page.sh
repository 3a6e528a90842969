#!/usr/bin/env bash
# The page of docs/programs/three.md, in a browser: it draws the flag, which has moved at another time, and has nothing to complain of.
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
. "$(dirname "${BASH_SOURCE[0]}")/npm.bash"
cd "$scratch" || exit 1
browser=$(command -v chromium || command -v chromium-browser) || skip_all "no chromium"
"$PLIANT_BINARY" run "$PLIANT_SOURCE_DIR/scenes/flag.json" -q --frames 120 -o flag.glb || not_ok "a run"
# From the installed copy in place of the net's.
sed 's#https://cdn.jsdelivr.net/npm/three@[0-9.]*/#./node_modules/three/#' "$PLIANT_SOURCE_DIR/docs/programs/three.html" >three.html
expect "the page takes the version that is tested" grep -q "three@$(node -p "require('$clients/node_modules/three/package.json').version")/" "$PLIANT_SOURCE_DIR/docs/programs/three.html"
ln -s "$clients/node_modules" node_modules
python3 -u -c '
import functools, http.server
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
print(server.server_port)
server.serve_forever()' >port &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
wait_until test -s port
look() { # SECONDS ARGUMENT...
    timeout 120 "$browser" --headless=new --no-sandbox --user-data-dir="$scratch/profile" --use-angle=swiftshader --enable-unsafe-swiftshader \
        --enable-logging=stderr --virtual-time-budget=20000 --window-size=960,540 "${@:2}" "http://127.0.0.1:$(cat port)/three.html?at=$1" 2>>log
}
# How far a page comes within its time depends on the machine.
for _ in 1 2 3 4 5; do
    look 1.5 --dump-dom >dom
    grep -q "triangles" dom && break
done
expect "it draws the flag at its time" grep -q "flag.glb: 1.50 s, 1728 triangles" dom
look 0 --screenshot=first.png >/dev/null
look 1.5 --screenshot=later.png >/dev/null
expect "in two pictures" test "$(size_of first.png)" = 960x540 -a "$(size_of later.png)" = 960x540
expect "of which the later one has folds" test "$(stat -c %s later.png)" -gt $((2 * $(stat -c %s first.png)))
expect "and says nothing" eval '! grep -i "CONSOLE\|GL_" log'
[ -n "${PLIANT_PICTURE:-}" ] && look 1.5 --screenshot="$PLIANT_PICTURE" >/dev/null # for the docs
finish
