"""Prints the performance table: one row a lesson, then the floor that the disk sets."""

import json
import sqlite3
import sys
import tempfile
import time

COMMITS = 500
COLUMNS = ["granted_actions", "cards_after_grant", "wall_ms", "act_ms_p50", "act_ms_p99"]


def bare_commits():
    """Milliseconds of one-row commits, sorted, in a folder on the disk of the working directory."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        log = sqlite3.connect(f"{folder}/floor.db", isolation_level=None)
        log.execute("PRAGMA journal_mode=WAL")
        log.execute("PRAGMA synchronous=FULL")
        log.execute("CREATE TABLE event (position INTEGER PRIMARY KEY, payload BLOB NOT NULL)")
        times = []
        for _ in range(COMMITS):
            start = time.perf_counter()
            log.execute("INSERT INTO event (payload) VALUES (?)", (b"x" * 400,))
            times.append((time.perf_counter() - start) * 1000)
        log.close()
    return sorted(times)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lessons = [json.loads(line) for line in file]
    print("lesson  " + "  ".join(f"{name:>17}" for name in COLUMNS))
    for number, lesson in enumerate(lessons, start=1):
        print(f"{number:>6}  " + "  ".join(f"{lesson[name]:>17}" for name in COLUMNS))
    floor = bare_commits()
    print(f"bare commit, {COMMITS} times: p50 {floor[COMMITS // 2]:.2f} ms, p99 {floor[COMMITS * 99 // 100]:.2f} ms")


main()
