#!/usr/bin/env bash
# The law of test_determinism.sh: every scene to its end, and the first frames by all compilers and levels; more of them in float.
here=$(dirname "$0")
[ "${PLIANT_REAL:-float}" = double ] || export PLIANT_LONG=1
PLIANT_VARIANTS=1 PLIANT_FULL=1 exec bash "$here/test_determinism.sh" "$@"
