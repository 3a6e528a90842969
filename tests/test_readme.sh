#!/usr/bin/env bash
# Law: the README's lines that are commands work as they stand, in a shell that knows nothing: its scene is checked and run, and what is installed is enough
# to build and run its program.
. "$(dirname "${BASH_SOURCE[0]}")/doc_commands.sh"
page README.md
if [ $blocks -eq 6 ]; then ok "its six blocks are looked at"; else not_ok "$blocks blocks are found"; fi
finish
