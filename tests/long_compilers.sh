#!/usr/bin/env bash
# The law of test_determinism.sh for another compiler: the first frames of every scene and method by clang, as by the build that is tested.
[ "${PLIANT_REAL:-float}" = float ] || { echo "skipped: long_determinism.sh has float64"; exit 77; }
PLIANT_VARIANTS=some exec bash "$(dirname "$0")/test_determinism.sh" "$@"
