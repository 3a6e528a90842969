#!/usr/bin/env python3
"""Runs CTest's long tests of one or more build folders until a given time, the costliest first, and writes a log as CTest writes it.

    tools/run_until.py TIME JOBS LOG BUILD...        TIME: in seconds since 1970, as `date +%s` prints them

A machine may be several times slower than another one. What has not begun when the time is up, or has not ended, is left out, and named: it is neither
passed nor failed, but for the checks that a stopped test printed before. Exit 1 if a test failed.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

end, jobs, log = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
tests = []
for build in sys.argv[4:]:
    listed = subprocess.run(["ctest", "--show-only=json-v1", "-L", "^long$"], cwd=build, capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        tests.append((float(properties.get("COST", 0)), build, test["name"], test["command"], properties))
tests.sort(key=lambda t: -t[0])
lock, left_out, failed, done = threading.Lock(), [], [], 0


def run(build, name, command, properties):
    """The exit status, or None if the time was up; and what was printed."""
    environment = dict(os.environ, **dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])))
    most = min(end - time.time(), float(properties.get("TIMEOUT", 1500)))
    with tempfile.TemporaryFile() as out:
        test = subprocess.Popen(command, cwd=properties.get("WORKING_DIRECTORY", build), env=environment, stdout=out, stderr=subprocess.STDOUT,
                                stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = test.wait(max(most, 0))
        except subprocess.TimeoutExpired:
            os.killpg(test.pid, signal.SIGKILL)
            test.wait()
            status = None if time.time() >= end else -signal.SIGALRM
        out.seek(0)
        return status, out.read().decode(errors="replace")


def work():
    global done
    while True:
        with lock:
            if not tests:
                return
            cost, build, name, command, properties = tests.pop(0)
            if time.time() >= end:
                left_out.append(f"{build}: {name}")
                continue
        began = time.time()
        status, text = run(build, name, command, properties)
        if status is None:
            bad = any(line.startswith("not ok ") or line.startswith("[  FAILED  ]") for line in text.splitlines())
            word = "failed, then stopped" if bad else "stopped"
            text += "\nskipped: the rest, for want of time\n"
        else:
            bad = status not in (0, properties.get("SKIP_RETURN_CODE"))
            word = f"FAILED with {status}" if bad else "passed" if status == 0 else "skipped"
        with lock:
            done += 1
            if status is None and not bad:
                left_out.append(f"{build}: {name}, after {time.time() - began:.0f} s")
            if bad:
                failed.append(f"{build}: {name}")
                print(text)
            print(f"{build}: {name} {word}, {time.time() - began:.1f} s", flush=True)
            with open(log, "a", encoding="utf-8") as file:
                file.write(f"{done}/{done} Testing: {name}\n{text}\nTest {'Failed' if bad else 'Passed'}.\n")


workers = [threading.Thread(target=work) for _ in range(jobs)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
for name in left_out:
    print(f"left out for want of time: {name}")
for name in failed:
    print(f"failed: {name}")
sys.exit(1 if failed else 0)
