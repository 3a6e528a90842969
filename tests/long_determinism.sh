#!/usr/bin/env bash
# The law of test_determinism.sh, every scene to its end, with all compilers, in float and in double.
export PLIANT_FULL=1 PLIANT_VARIANTS=1
exec bash "$(dirname "$0")/test_determinism.sh" "$@"
