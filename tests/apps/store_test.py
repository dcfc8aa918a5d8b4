#!/usr/bin/env python3
"""Tests the store of results: every loss or damage of a run is reported."""

import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import unittest

from store_folder import StoreFolder

HEDDLE = None
NOBODY = 65534

STUDY = """title = "Two schedulers"
machine = "storage"
size = "tiny"
workloads = ["bfs", "n-queens"]
[metric]
name = "ipc"
[[variant]]
name = "rr"
set = ["schedule.policy=round-robin"]
[[variant]]
name = "gto"
set = ["schedule.policy=greedy-oldest"]
"""


class StoreTest(StoreFolder):
    STUDY = STUDY

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)

    def change(self, sql, *values):
        """Changes the SQLite file behind Heddle's back."""
        database = sqlite3.connect(self.store)
        with database:
            database.execute(sql, values)
        database.close()

    def key_of_a_run(self, workload="n-queens"):
        database = sqlite3.connect(self.store)
        key, = database.execute("SELECT key FROM runs WHERE workload = ?", (workload,)).fetchone()
        database.close()
        return key

    def damage_a_run(self):
        """Changes a stored result without its checksum. Returns the run's key."""
        self.works(self.experiment())
        key = self.key_of_a_run()
        self.change("UPDATE runs SET result = replace(result, '1', '2') WHERE key = ?", key)
        return key

    def convert_to_old_format(self):
        """Converts the store to the format of Heddle's versions without checksums."""
        database = sqlite3.connect(self.store)
        columns = ("key, workload, size, seed, registers, machine, parameters, version, stored_at, "
                   "host_seconds, result")
        with database:
            rows = database.execute(f"SELECT {columns} FROM runs").fetchall()
            database.execute("DROP TABLE runs")
            database.execute(
                "CREATE TABLE runs (key TEXT PRIMARY KEY NOT NULL, workload TEXT NOT NULL, "
                "size TEXT NOT NULL, seed TEXT NOT NULL, registers TEXT NOT NULL, "
                "machine TEXT NOT NULL, parameters TEXT NOT NULL, version TEXT NOT NULL, "
                "stored_at INTEGER NOT NULL, host_seconds REAL NOT NULL, result TEXT NOT NULL)")
            database.execute("CREATE INDEX runs_by_workload ON runs (workload, size, stored_at)")
            database.executemany(f"INSERT INTO runs ({columns}) VALUES ({', '.join('?' * 11)})",
                                 rows)
            database.execute("PRAGMA user_version = 1")
        database.close()


class DamagedAndOldStores(StoreTest):
    def test_run_that_is_pruned_during_an_experiment_is_named(self):
        study = self.write("long.toml", STUDY + '[[workload]]\nname = "bfs"\nlabel = "long"\n'
                           f'size = "{self.size_that_takes_seconds()}"\n')
        process = subprocess.Popen(
            # Two jobs simulate the row 'long', which starts first.
            [HEDDLE, "experiment", study, "--store", self.store, "--jobs", "3"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment())
        while process.poll() is None:
            listed = self.results("list", "--size", "tiny")
            if listed.returncode == 0 and len(listed.stdout.splitlines()) == 5:
                break
        self.works(self.results("prune", "--workload", "n-queens"))
        table, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, table + errors)
        self.assertRegex(errors, r"long: n-queens on storage with schedule.policy=greedy-oldest \(tiny, "
                                 r"row 'n-queens', variant 'gto', run [0-9a-f]{12}\): the run is not in "
                                 r"the store")
        self.assertIn("2 MISSING", table)

    def test_damaged_run_is_left_out_and_its_key_is_reported(self):
        key = self.damage_a_run()
        listed = self.results("list")
        self.fails(listed, 1, f"run {key} is damaged", "1 damaged run is left out")
        self.assertEqual(len(listed.stdout.splitlines()), 1 + 3)
        self.assertNotIn(key[:12], listed.stdout)
        exported = self.results("export", "--csv", "-")
        self.fails(exported, 1, f"run {key} is damaged")
        self.assertEqual(len(exported.stdout.splitlines()), 1 + 3)
        self.fails(self.results("show", key), 1, f"run {key} is damaged")

    def test_damaged_run_is_reported_and_simulated_again(self):
        key = self.damage_a_run()
        again = self.experiment()
        self.assertIn("1 runs simulated, 3 were in", self.works(again))
        self.assertRegex(again.stderr, rf"run {key[:12]}\): the stored result was damaged")
        self.works(self.results("check"))

    def test_check_finds_runs_with_a_wrong_checksum(self):
        self.works(self.experiment())
        self.assertIn("the file is sound; 4 runs checked, 0 of them damaged",
                      self.works(self.results("check")))
        key = self.key_of_a_run()
        self.change("UPDATE runs SET machine = 'preexec' WHERE key = ?", key)
        checked = self.results("check")
        self.fails(checked, 1, f"run {key} is damaged")
        self.assertIn("the file is sound; 4 runs checked, 1 of them damaged", checked.stdout)
        self.assertIn("1 run would be removed",
                      self.works(self.results("prune", "--damaged", "--dry-run")))
        self.assertIn("1 run removed", self.works(self.results("prune", "--damaged")))
        self.assertIn("3 runs checked, 0 of them damaged", self.works(self.results("check")))

    def test_check_finds_a_damaged_file(self):
        self.works(self.experiment())
        first = min(line.split()[0] for line in self.works(self.results("list")).splitlines()[1:])
        content = bytearray(self.store.read_bytes())
        # Changes the least key in place so that it should come last.
        content[content.find(first.encode())] = ord("z")
        self.store.write_bytes(content)
        checked = self.results("check")
        self.fails(checked, 1, "not in PRIMARY KEY order")
        self.assertIn("the file is DAMAGED", checked.stdout)
        self.fails(self.experiment(), 2, "the store is damaged", "prune --damaged")
        self.assertIn("1 run removed", self.works(self.results("prune", "--damaged")))
        self.works(self.results("check"))
        self.assertIn("1 runs simulated, 3 were in", self.works(self.experiment()))

    def test_results_of_an_older_heddle_are_kept(self):
        first = self.works(self.experiment())
        listed = self.works(self.results("list"))
        self.convert_to_old_format()
        self.assertEqual(self.works(self.results("list")), listed)
        self.assertIn("0 runs checked, 0 of them damaged; 4 of an older Heddle",
                      self.works(self.results("check")))
        again = self.works(self.experiment())
        self.assertIn("0 runs simulated, 4 were in", again)
        self.assertEqual(first.splitlines()[:-1], again.splitlines()[:-1])
        self.assertIn("4 runs checked", self.works(self.results("check")))

    def test_rejects_unknown_names_in_filters(self):
        self.works(self.experiment())
        self.fails(self.results("list", "--workload", "bsf"), 2, "--workload", "did you mean 'bfs'?")
        self.fails(self.results("list", "--machine", "nosuch"), 2, "--machine", "'nosuch'")
        self.fails(self.results("export", "--size", "tinny", "--csv", "-"), 2, "'tiny'")
        self.fails(self.results("prune", "--workload", "nosuch"), 2, "'nosuch'")
        self.assertEqual(len(self.works(self.results("list", "--workload", "fft")).splitlines()), 1)
        self.change("UPDATE runs SET machine = 'of their own'")
        self.fails(self.results("list", "--machine", "of their own"), 1, "4 damaged runs")

    def test_special_names_of_sqlite_are_plain_files(self):
        for name in ("file:x?mode=memory", ":memory:", "file:y%41.sqlite"):
            self.works(self.heddle("experiment", self.study, "--store", name))
            self.assertTrue((self.folder / name).exists())
            again = self.heddle("experiment", self.study, "--store", name)
            self.assertIn("0 runs simulated, 4 were in", self.works(again))


class ReadOnlyStore(StoreTest):
    """A store that is read-only for the user who runs heddle."""

    def setUp(self):
        super().setUp()
        self.read_only = self.folder / "read only"
        self.read_only.mkdir()
        self.program = self.folder / "heddle"
        shutil.copy(HEDDLE, self.program)

    def make_read_only(self):
        for path in self.read_only.iterdir():
            path.chmod(0o444)
        self.read_only.chmod(0o555)
        self.addCleanup(self.read_only.chmod, 0o755)

    def as_nobody(self, *arguments):
        """Runs heddle as a user who cannot write to the read-only folder. (Root always can.)"""
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        return self.heddle(*arguments, "--store", self.read_only / "store.sqlite",
                           program=self.program, **other)

    def test_can_be_read(self):
        table = self.works(self.experiment())
        listed = self.works(self.results("list"))
        shutil.copy(self.store, self.read_only)
        self.make_read_only()
        self.assertEqual(self.works(self.as_nobody("results", "list")), listed)
        self.assertIn("4 runs checked, 0 of them damaged", self.works(self.as_nobody("results", "check")))
        again = self.works(self.as_nobody("experiment", self.study))
        self.assertEqual(again.splitlines()[:-1], table.splitlines()[:-1])
        self.assertEqual([path.name for path in self.read_only.iterdir()], ["store.sqlite"])

    def test_can_be_read_with_runs_that_are_only_in_its_log(self):
        self.works(self.heddle("experiment", self.write("one.toml", STUDY.replace(', "n-queens"', "")),
                               "--store", self.store))
        reader = sqlite3.connect(self.store)
        reader.execute("SELECT * FROM runs").fetchone()
        self.works(self.experiment())
        for name in ("store.sqlite", "store.sqlite-wal"):
            shutil.copy(self.folder / name, self.read_only)
        reader.close()
        self.assertNotIn(b"n-queens", (self.read_only / "store.sqlite").read_bytes())
        self.make_read_only()
        self.assertEqual(self.works(self.as_nobody("results", "list")),
                         self.works(self.results("list")))

    def test_can_be_read_while_it_is_written(self):
        self.works(self.experiment())
        shutil.copy(self.store, self.read_only)
        writer = sqlite3.connect(self.read_only / "store.sqlite")
        with writer:
            writer.execute("DELETE FROM runs WHERE workload = 'n-queens'")
        for path in self.read_only.iterdir():
            path.chmod(0o444)
        self.read_only.chmod(0o555)
        self.addCleanup(self.read_only.chmod, 0o755)
        self.assertEqual(len(self.works(self.as_nobody("results", "list")).splitlines()), 1 + 2)
        writer.close()

    def test_can_be_read_if_an_older_heddle_wrote_it(self):
        table = self.works(self.experiment())
        self.convert_to_old_format()
        shutil.copy(self.store, self.read_only)
        self.make_read_only()
        again = self.works(self.as_nobody("experiment", self.study))
        self.assertEqual(again.splitlines()[:-1], table.splitlines()[:-1])

    def test_lacking_runs_end_an_experiment_before_simulation(self):
        self.works(self.experiment())
        shutil.copy(self.store, self.read_only)
        self.make_read_only()
        missing = self.write("more.toml", STUDY.replace("tiny", "small"))
        self.fails(self.as_nobody("experiment", missing), 1, "the store cannot be written (",
                   "nothing was simulated")
        self.fails(self.as_nobody("results", "prune", "--workload", "bfs"), 2, "cannot be written")
        self.assertEqual(len(self.works(self.as_nobody("results", "list")).splitlines()), 1 + 4)

    def test_can_be_read_in_a_writable_folder(self):
        self.works(self.experiment())
        shutil.copy(self.store, self.read_only)
        (self.read_only / "store.sqlite").chmod(0o444)
        self.read_only.chmod(0o777)
        self.assertEqual(self.works(self.as_nobody("results", "list")),
                         self.works(self.results("list")))

    def test_stores_are_merged(self):
        self.works(self.heddle("experiment", self.study, "--store", "all.sqlite"))
        self.works(self.heddle("experiment", self.study, "--store", "one.sqlite", "--set", "schedule.policy=round-robin"))
        shutil.copy(self.folder / "all.sqlite", self.folder / "copy.sqlite")
        text = self.works(self.heddle("results", "merge", "all.sqlite", "copy.sqlite", "--store", "merged.sqlite"))
        self.assertRegex(text, r"all\.sqlite: 4 runs added to merged\.sqlite, 0 in it before\n"
                               r"copy\.sqlite: 0 runs added to merged\.sqlite, 4 in it before")
        # No run is simulated again.
        again = self.works(self.heddle("experiment", self.study, "--store", "merged.sqlite"))
        self.assertIn("\n0 runs simulated, 4 were in merged.sqlite", again)

    def test_only_other_stores_are_merged(self):
        self.works(self.heddle("experiment", self.study, "--store", "a.sqlite"))
        for file, why in (("a.sqlite", "is the store to which"), ("absent.sqlite", "absent.sqlite"),
                          ("study.toml", "study.toml")):
            self.fails(self.heddle("results", "merge", file, "--store", "a.sqlite"), 2, why)


if __name__ == "__main__":
    HEDDLE = StoreFolder.HEDDLE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
