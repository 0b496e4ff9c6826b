"""Signals to the coordinator and to its workers, sent when the program itself shows where it is: by its progress
line on a terminal, or by a fixture that announces itself."""

import os
import select
import signal
import time

import harness

TWO_SIZES = ("aead/chacha20-poly1305/*", "-s", "64,1K")
FIRST_REPLICATE_IS_OVER = r"replicate ([2-9]|[1-9]\d)/"
RUN_HAS_BEGUN = r"replicate 1/"
# The workers of a replicate start with its first group, and live until its last, a decrypt/1024.
WORKERS_ARE_AT_WORK = r"replicate \d+/\d+ +\S*(encrypt/1024|decrypt/64)"
END_WITHIN_S = 5 if harness.SANITIZED else 1


class SignalTest(harness.ProgramTest):
    def end_by(self, running, number):
        """Sends the signal and gives what the run left, which has to end at once and alone."""
        sent = time.monotonic()
        os.kill(running.pid, number)
        done = running.finish()
        self.assertLess(time.monotonic() - sent, END_WITHIN_S)
        self.assertEqual(harness.await_end_of(running.mark, harness.GRACE_S), [])
        return done


class CoordinatorEnds(SignalTest):
    def check_after_first_replicate(self, number, code):
        running = self.start_program(*TWO_SIZES, "-o", "r.json", "-o", "r.csv")
        running.await_text(FIRST_REPLICATE_IS_OVER)
        done = self.end_by(running, number)
        self.assertEqual(done.code, code, done)
        result = self.read_json("r.json")
        self.assertIs(result["complete"], False)
        self.assertEqual(len(result["results"]), 2 * 2 * 2)
        for row in result["results"]:
            self.assertEqual(row["status"], "ok")
            self.assertGreater(row["ns"]["median"], 0)
            self.assertGreaterEqual(len(row["replicates"]), 1)
        self.assertEqual(self.read("r.csv").count("\n"), 1 + 2 * 2 * 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.csv", "r.json", "stdout"])
        self.assertIn("chacha20-poly1305/decrypt", done.out)

    def test_interrupt(self):
        self.check_after_first_replicate(signal.SIGINT, 130)

    def test_termination(self):
        self.check_after_first_replicate(signal.SIGTERM, 143)

    def test_hangup(self):
        self.check_after_first_replicate(signal.SIGHUP, 129)

    def test_interrupt_key(self):
        """Ctrl-C reaches the terminal's foreground group, to which no worker belongs."""
        running = self.start_program(*TWO_SIZES, "-o", "r.json")
        running.await_text(FIRST_REPLICATE_IS_OVER)
        running.type(b"\x03")
        self.assertEqual(running.finish().code, 130)
        rows = self.read_json("r.json")["results"]
        self.assertEqual([row["status"] for row in rows], ["ok"] * 8)

    def test_interrupt_in_the_first_replicate(self):
        self.put("r.json", "old")
        running = self.start_program("-s", "64,1K,64K", "-o", "r.json")
        running.await_text(RUN_HAS_BEGUN)
        done = self.end_by(running, signal.SIGINT)
        self.assertEqual(done.code, 130, done)
        if self.read("r.json") == "old":
            return  # before the first case was finished: nothing to write
        result = self.read_json("r.json")
        self.assertIs(result["complete"], False)
        self.assertNotEqual(result["results"], [])
        for row in result["results"]:
            self.assertEqual(row["status"], "ok")
        for comparison in result["comparisons"]:
            self.assertIn(comparison["id"], [row["id"] for row in result["results"]])

    def test_kill_leaves_no_worker_and_the_old_file(self):
        self.put("r.json", "old")
        running = self.start_program(*TWO_SIZES, "-o", "r.json")
        running.await_text(WORKERS_ARE_AT_WORK)
        self.assertNotEqual(running.workers(), [])
        done = self.end_by(running, signal.SIGKILL)
        self.assertEqual(done.code, -signal.SIGKILL)
        self.assertEqual(self.read("r.json"), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["r.json", "stdout"])


class WorkerEnds(SignalTest):
    def test_killed_worker_costs_one_row(self):
        """Or none, when the kill falls between two replicates. FixtureHangs has a worker whose place is known."""
        running = self.start_program(*TWO_SIZES, "-o", "r.json", "--replicates", "6")
        running.await_text(WORKERS_ARE_AT_WORK)
        os.kill(running.workers()[0], signal.SIGKILL)
        done = running.finish()
        result = self.read_json("r.json")
        self.assertIs(result["complete"], True)
        failed = [row for row in result["results"] if row["status"] != "ok"]
        self.assertLessEqual(len(failed), 1)
        self.assertEqual(done.code, len(failed), done)
        for row in failed:
            self.assert_failed(row, "crashed", "^SIGKILL during ")
        for row in result["results"]:
            if row not in failed:
                self.assert_measured(row)
                self.assertEqual(len(row["replicates"]), 6)


class FixtureHangs(SignalTest):
    """The fixture's FIFO says that a worker is inside the library, which does not come back."""

    def start_hanging(self, place, *options):
        os.mkfifo(self.path("fifo"))
        fifo = os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, fifo)
        env = self.modules(harness.FIXTURE, *(os.path.join(harness.BACKENDS, name) for name in
                                              ("openssl.so", "reference.so")))
        env.update({"CB_FIXTURE_FAULT": place + ":hang", "CB_FIXTURE_FIFO": self.path("fifo")})
        running = self.start_program(*options, "aead/chacha20-poly1305/encrypt", env=env)
        ready, _, _ = select.select([fifo], [], [], harness.PATIENCE_S)
        self.assertEqual(ready, [fifo], "the fixture was never called")
        return running, int(os.read(fifo, 100).split()[0])

    def test_interrupt_while_a_library_hangs(self):
        self.put("r.json", "old")
        running, _ = self.start_hanging("run", "-o", "r.json")
        self.assertEqual(self.end_by(running, signal.SIGINT).code, 130)
        self.assertEqual(self.read("r.json"), "old")

    def test_interrupt_while_a_library_hangs_on_loading(self):
        self.put("r.json", "old")
        running, _ = self.start_hanging("open", "-o", "r.json")
        self.assertEqual(self.end_by(running, signal.SIGINT).code, 130)
        self.assertEqual(self.read("r.json"), "old")

    def test_interrupt_of_a_list(self):
        running, _ = self.start_hanging("open", "list")
        self.assertEqual(self.end_by(running, signal.SIGINT).code, -signal.SIGINT)

    def test_kill_while_a_library_hangs(self):
        running, worker = self.start_hanging("run")
        self.assertIn(worker, running.workers())
        self.assertEqual(self.end_by(running, signal.SIGKILL).code, -signal.SIGKILL)

    def test_hanging_worker_is_killed(self):
        running, worker = self.start_hanging("run", *harness.QUICK, "-o", "r.json", "-s", "64")
        os.kill(worker, signal.SIGKILL)
        self.assertEqual(running.finish().code, 1)
        rows = {row["contestant"]: row for row in self.read_json("r.json")["results"]}
        self.assert_failed(rows["fixture"], "crashed", "^SIGKILL during preparation$")
        self.assert_measured(rows["openssl"])


if __name__ == "__main__":
    harness.main()
