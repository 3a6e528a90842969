#!/usr/bin/env bash
# Records the hashes that test_determinism.sh and long_determinism.sh compare with: make golden.
cd "$(dirname "$0")/.." || exit 1
mkdir -p tests/golden
status=0
for real in float double; do
    build=$PWD/build
    [ "$real" = float ] || build=$PWD/build-double
    for full in '' 1; do
        PLIANT_REAL=$real PLIANT_BUILD_DIR=$build PLIANT_BINARY=$build/pliant PLIANT_VARIANTS=0 PLIANT_FULL=$full \
            bash tests/test_determinism.sh --update || status=1
    done
done
exit $status
