"""What the command-line tests share: runs of crypto_bench that are known to leave no process behind, and readers
of what it writes."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import uuid

PROGRAM = os.environ["CRYPTO_BENCH"]
BACKENDS = os.environ["CB_TEST_BACKENDS"]
SHIM = os.environ["CB_TEST_SHIM"]
FIXTURE = os.environ["CB_TEST_FIXTURE"]
SANITIZED = bool(os.environ.get("CB_TEST_SANITIZERS"))

SKIPPED = 77
# A run of seconds that has intervals on a loaded machine too, where --quick alone may stop after fewer replicates.
QUICK = ("--quick", "--replicates", "4")
PATIENCE_S = 60  # no single run of the tests takes nearly as long
GRACE_S = 2  # for what was killed to be gone
MARK = "CB_TEST_RUN"  # a variable whose value marks a run and all its descendants

# A sanitizer's own handlers would turn the signals that are tested into reports, and its runtime wants to be the
# first library, which a preloaded shim is.
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "handle_segv=0:handle_abort=0:verify_asan_link_order=0",
    "TSAN_OPTIONS": "handle_segv=0:handle_abort=0",
    "UBSAN_OPTIONS": "handle_segv=0:handle_abort=0",
}


def environment(home, extra):
    """A small environment that no setting of the caller's leaks into."""
    return {"PATH": os.environ["PATH"], "HOME": home, **SANITIZER_OPTIONS, **(extra or {})}


def marked_processes(mark):
    """The processes of a run that still exist; a zombie has no environment and does not count."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if wanted in file.read().split(b"\0"):
                        found.append(int(entry))
            except OSError:
                pass  # it has ended, or belongs to somebody else
    return found


def await_end_of(mark, within_s):
    """Waits until no process of the run is left; what is left after that long."""
    deadline = time.monotonic() + within_s
    while True:
        left = marked_processes(mark)
        if not left or time.monotonic() > deadline:
            return left
        waiting = os.pidfd_open(left[0])
        select.select([waiting], [], [], max(0.0, deadline - time.monotonic()))
        os.close(waiting)


def strict_json(text):
    """Parses as the standard says: no NaN, no Infinity, no key twice."""

    def refuse(token):
        raise ValueError(f"{token} is not JSON")

    def unique(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError(f"a key is given twice: {keys}")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


class Finished:
    """A run that is over."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        return strict_json(self.out)

    def __str__(self):
        """For messages: the thousands of numbers of a result file help nobody."""
        out = re.sub(r"\[(\d+,){8}[\d,]*\]", "[...]", self.out)
        return f"exit {self.code}\n--- stdout\n{out}\n--- stderr\n{self.err}"


class Running:
    """crypto_bench with a terminal on stderr, where it shows its progress. Standard output goes to a file."""

    def __init__(self, arguments, env, folder):
        self.mark = uuid.uuid4().hex
        self.seen = ""
        self.out_path = os.path.join(folder, "stdout")
        env = {**env, MARK: self.mark, "TERM": "xterm"}
        self.terminal, slave = pty.openpty()
        with open(self.out_path, "wb") as out:
            self.process = subprocess.Popen(
                [PROGRAM, *arguments], stdin=slave, stdout=out, stderr=slave, env=env, cwd=folder,
                start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    @property
    def pid(self):
        return self.process.pid

    def _read(self, deadline):
        """False at the end of the terminal."""
        ready, _, _ = select.select([self.terminal], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing came within {PATIENCE_S} s; so far:\n{self.seen}")
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # Linux says EIO when the last process has closed its side
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def await_text(self, pattern):
        deadline = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.seen):
            if not self._read(deadline):
                raise AssertionError(f"the run ended without showing {pattern}:\n{self.seen}")

    def type(self, keys):
        os.write(self.terminal, keys)

    def workers(self):
        return [pid for pid in marked_processes(self.mark) if pid != self.pid]

    def finish(self):
        deadline = time.monotonic() + PATIENCE_S
        while self._read(deadline):
            pass
        code = self.process.wait(PATIENCE_S)
        with open(self.out_path, encoding="utf-8") as out:
            return Finished(code, out.read(), self.seen)

    def clear(self):
        """Whatever became of the test, nothing stays behind."""
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
        for pid in marked_processes(self.mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class ProgramTest(unittest.TestCase):
    """Gives each test a folder of its own, and refuses processes that outlive their run."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="crypto_bench-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def read_json(self, name):
        return strict_json(self.read(name))

    def modules(self, *paths):
        """The environment that makes a folder with links to these modules the program's."""
        folder = tempfile.mkdtemp(dir=self.folder)
        for path in paths:
            os.symlink(path, os.path.join(folder, os.path.basename(path)))
        return {"CRYPTO_BENCH_BACKENDS": folder}

    def run_program(self, *arguments, env=None):
        mark = uuid.uuid4().hex
        done = subprocess.run(
            [PROGRAM, *arguments], env={**environment(self.folder, env), MARK: mark}, cwd=self.folder,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(await_end_of(mark, GRACE_S), [], "processes outlive the run")
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start_program(self, *arguments, env=None):
        running = Running(arguments, environment(self.folder, env), self.folder)
        self.addCleanup(running.clear)
        return running

    def assert_measured(self, row):
        self.assertEqual(row["status"], "ok", row)
        self.assertIsNone(row["message"])
        for name, value in row["ns"].items():
            if name != "call_p99":
                self.assertGreater(value, 0, name)
        for name in ("ops_per_s", "bytes_per_s", "iterations"):
            self.assertGreater(row[name], 0, name)
        for replicate in row["replicates"]:
            self.assertGreater(len(replicate["round_ns"]), 0)
            self.assertEqual(len(replicate["round_ns"]), len(replicate["control_ns"]))
            self.assertEqual(len(replicate["round_ns"]), len(replicate["flags"]))

    def assert_failed(self, row, status, message):
        self.assertEqual(row["status"], status, row["message"])
        self.assertRegex(row["message"], message)
        for name in ("ns", "ops_per_s", "bytes_per_s", "tsc_per_byte", "iterations"):
            self.assertIsNone(row[name], name)
        self.assertEqual(row["replicates"], [])


def main():
    """unittest.main, except that a file whose every test is skipped ends with the code for that."""
    outcome = unittest.main(module="__main__", verbosity=2, exit=False).result
    if not outcome.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if outcome.testsRun > 0 and len(outcome.skipped) == outcome.testsRun else 0)
