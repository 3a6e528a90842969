#!/usr/bin/env bash
# Law: every line of docs that is a command works as it stands, page by page.
. "$(dirname "${BASH_SOURCE[0]}")/doc_commands.sh"
declare -A elsewhere=( # pages that other tests run
    [docs/lessons.md]=test_lessons
    [docs/programs/blender.md]="make test-clients"
    [docs/programs/cape.md]="make test-clients"
    [docs/programs/three.md]="make test-clients"
)
while read -r file; do
    if [ -n "${elsewhere[$file]:-}" ]; then echo "# $file: ${elsewhere[$file]}"; else page "$file"; fi
done < <(cd "$PLIANT_SOURCE_DIR" && find docs -name '*.md' -exec grep -l '^```sh$' {} + | sort)
if [ $blocks -ge 40 ]; then ok "$blocks blocks are looked at"; else not_ok "only $blocks blocks are found"; fi
finish
