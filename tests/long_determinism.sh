#!/usr/bin/env bash
# The law of test_determinism.sh: every scene to its end, and with all compilers and levels as many frames as the release build in float, the
# first ones in double.
here=$(dirname "$0")
status=0
[ "${PLIANT_REAL:-float}" = double ] || export PLIANT_LONG=1
PLIANT_VARIANTS=1 bash "$here/test_determinism.sh" "$@" || status=1
PLIANT_VARIANTS=0 PLIANT_FULL=1 bash "$here/test_determinism.sh" "$@" || status=1
exit $status
