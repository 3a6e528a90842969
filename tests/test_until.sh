#!/usr/bin/env bash
# Law of `tools/run_tests.sh long` with PLIANT_UNTIL: what ends in time is counted, a failure fails, and what found no time is named, and neither passed nor
# failed but for what it had printed.
. "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
cd "$scratch" || exit 1
unset PLIANT_TURN
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.16)
project(tests NONE)
enable_testing()
add_test(NAME endless COMMAND bash -c [[echo ok one; sleep 1000]])
add_test(NAME good COMMAND bash -c [[echo ok one; echo ok two]])
add_test(NAME skips COMMAND bash -c [[echo "skipped: no tool"; exit 77]])
add_test(NAME silent COMMAND bash -c [[true]])
add_test(NAME short COMMAND bash -c [[exit 1]])
set_tests_properties(good skips silent PROPERTIES LABELS long SKIP_RETURN_CODE 77)
if(NOT BAD)
    set_tests_properties(endless PROPERTIES LABELS long PROCESSORS 2)
else()
    add_test(NAME bad COMMAND bash -c [[echo ok one; echo not ok two; exit 1]])
    add_test(NAME crash COMMAND bash -c [[kill -SEGV $$]])
    set_tests_properties(bad crash PROPERTIES LABELS long)
endif()
if(EACH)
    add_test(NAME zealous COMMAND bash -c [[echo ok one]])
    set_tests_properties(zealous PROPERTIES LABELS "long;each")
endif()
C
long_tests() { PLIANT_UNTIL=$(($(date +%s) + $1)) "$PLIANT_SOURCE_DIR/tools/run_tests.sh" long "$2" >out 2>err; }
expect "tests are listed" cmake -S . -B build
expect "tests are listed, with bad ones" cmake -S . -B build-bad -DBAD=ON

if long_tests 8 build; then ok "what is good is good"; else not_ok "what is good is good: $(cat out err)"; fi
expect "lines are counted, those of a stopped test too" test "$(tail -n 1 out)" = "4 passed, 0 failed"
expect "what is stopped is named" grep -q '^left out for want of time: build: endless, after [0-9]* s$' out
expect "and it alone" test "$(grep -c '^left out' out)" -eq 1
if long_tests 15 build-bad; then not_ok "a failure fails"; else ok "a failure fails"; fi
expect "with its number" test "$(tail -n 1 out)" = "4 passed, 2 failed"
expect "and its name" grep -q '^failed: build-bad: crash$' out
if long_tests 0 build; then not_ok "nothing that ran is no success"; else ok "nothing that ran is no success"; fi
expect "all is left out" test "$(grep -c '^left out' out)" -eq 4

# By turns: a part of the tests is first, dealt by cost and name, and in as many numbers as there are parts each test is; all others come after it.
firsts=''
for turn in 6 7 8 9 10; do
    PLIANT_TURN=$turn python3 "$PLIANT_SOURCE_DIR/tools/run_until.py" $(($(date +%s) + 15)) 1 log build-bad >out 2>err
    firsts+="$(sed -n 's/^build-bad: \([a-z]*\) .*/\1/p' out | head -n 1) "
    [ "$(grep -c '^build-bad: ' out)" -eq 5 ] || not_ok "all others come after it: $(cat out)"
done
expect "each test has its turn: $firsts" test "$firsts" = "bad crash good silent skips "
# What has the label `each` comes before whatever has its turn.
expect "tests are listed, with one for each time" cmake -S . -B build-each -DEACH=ON -DBAD=ON
for turn in 6 7; do
    PLIANT_TURN=$turn python3 "$PLIANT_SOURCE_DIR/tools/run_until.py" $(($(date +%s) + 15)) 1 log build-each >out 2>err
    expect "it is first in turn $turn" test "$(sed -n 's/^build-each: \([a-z]*\) .*/\1/p' out | head -n 1) $(grep -c '^build-each: ' out)" = "zealous 6"
done
finish
