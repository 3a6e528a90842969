#!/usr/bin/env python3
"""Runs CTest's long tests of one or more build folders until a given time, and writes a log as CTest writes it.

    tools/run_until.py TIME JOBS LOG BUILD...        TIME: in seconds since 1970, as `date +%s` prints them

A machine may be several times slower than another one. What has not begun when the time is up, or has not ended, is left out, and named: it is neither
passed nor failed, but for the checks that a stopped test printed before. One job takes the costliest tests first and the others the cheapest, so that many
are left out only where many are costly; a test that wants several processors (PROCESSORS) comes after them, by itself, and a test with a COST below 0
after all others. Exit 1 if a test failed, or was not accounted for.

With PLIANT_TURN, a number, in the environment tests are dealt into PARTS that cost about as much each, as much as there is time for on most machines, and
the part of that number comes before all else, tests that want several processors first: PARTS numbers that follow one another have every test in turn.
Tests with a COST below 0 have no turn, and still come after all others. Tests with the label `each` come before all of that, every time.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

PARTS = 6
jobs, log = int(sys.argv[2]), sys.argv[3]
end = time.monotonic() + float(sys.argv[1]) - time.time()  # of a clock that is never set
tests, wide, late, each = [], [], [], []
for build in sys.argv[4:]:
    listed = subprocess.run(["ctest", "--show-only=json-v1", "-L", "^(long|each)$"], cwd=build, capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        if "command" not in test:
            sys.exit(f"run_until: {test['name']} is not built in {build}: build the targets all and pliant_long_tests")
        row = (float(properties.get("COST", 0)), build, test["name"], test["command"], properties)
        (each if "each" in properties.get("LABELS", []) else late if row[0] < 0 else wide if int(properties.get("PROCESSORS", 1)) > 1 else tests).append(row)
tests.sort(key=lambda t: -t[0])
count = len(tests) + len(wide) + len(late) + len(each)


def take_turn(number):
    """Takes the tests of a part out of the lists, dealt in order of cost to the part that has cost least so far: those that want several processors, others."""
    whole = [0.0] * PARTS
    mine = [[], []]
    for row in sorted(wide + tests, key=lambda t: (-t[0], t[2], t[1])):
        part = whole.index(min(whole))
        whole[part] += row[0] + 1
        if part == number % PARTS:
            mine[row not in wide].append(row)
    for row in mine[0] + mine[1]:
        (wide if row in wide else tests).remove(row)
    return mine


first_wide, first = take_turn(int(os.environ["PLIANT_TURN"])) if os.environ.get("PLIANT_TURN") else ([], [])
lock, passed, skipped, left_out, failed, running = threading.Lock(), 0, 0, [], [], set()


def run(build, command, properties):
    """The exit status, or None if the time was up; and what was printed."""
    environment = dict(os.environ, **dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])))
    left, most = end - time.monotonic(), float(properties.get("TIMEOUT", 1500))
    with tempfile.TemporaryFile() as out:
        test = subprocess.Popen(command, cwd=properties.get("WORKING_DIRECTORY", build), env=environment, stdout=out, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, start_new_session=True)
        with lock:
            running.add(test.pid)
        try:
            status = test.wait(max(min(left, most), 0))
        except subprocess.TimeoutExpired:
            os.killpg(test.pid, signal.SIGKILL)
            test.wait()
            status = None if left <= most else -signal.SIGALRM
        with lock:
            running.discard(test.pid)
        out.seek(0)
        return status, out.read().decode(errors="replace")


def one(build, name, command, properties):
    global passed, skipped
    began = time.monotonic()
    if began >= end:
        with lock:
            left_out.append(f"{build}: {name}")
        return
    try:
        status, text = run(build, command, properties)
    except OSError as error:
        status, text = error.errno or 1, f"not ok {name} cannot be run: {error}\n"
    bad = status not in (None, 0, properties.get("SKIP_RETURN_CODE"))
    if status is None:
        bad = any(line.startswith(("not ok ", "[  FAILED  ]")) for line in text.splitlines())
        text += "\nskipped: the rest, for want of time\n"
    word = f"FAILED with {status}" if bad else {None: "stopped", 0: "passed"}.get(status, "skipped")
    with lock:
        if bad:
            failed.append(f"{build}: {name}")
            print(text)
        elif status is None:
            left_out.append(f"{build}: {name}, after {time.monotonic() - began:.0f} s")
        elif status:
            skipped += 1
        else:
            passed += 1
        print(f"{build}: {name} {word}, {time.monotonic() - began:.1f} s", flush=True)
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"1/1 Testing: {name} of {build}, {passed + skipped + len(left_out) + len(failed)}\n{text}\nTest {'Failed' if bad else 'Passed'}.\n")


def work(take):
    while True:
        with lock:
            rows = first or tests
            if not rows:
                return
            row = rows.pop(take)
        one(*row[1:])


def stop(number, frame):
    del number, frame
    for pid in list(running):
        os.killpg(pid, signal.SIGKILL)
    os._exit(1)


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
for row in each + first_wide:
    one(*row[1:])
workers = [threading.Thread(target=work, args=(0 if i == 0 else -1,), daemon=True) for i in range(jobs)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
for row in wide + late:
    one(*row[1:])
for name in left_out:
    print(f"left out for want of time: {name}")
for name in failed:
    print(f"failed: {name}")
lost = count - passed - skipped - len(left_out) - len(failed)
if lost:
    print(f"{lost} tests were begun and not accounted for")
sys.exit(1 if failed or lost else 0)
