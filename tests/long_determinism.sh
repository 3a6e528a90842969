#!/usr/bin/env bash
# The law of test_determinism.sh with all compilers and levels: every scene to its end in float, its first frames in double.
export PLIANT_VARIANTS=1
[ "${PLIANT_REAL:-float}" = double ] || export PLIANT_FULL=1
exec bash "$(dirname "$0")/test_determinism.sh" "$@"
