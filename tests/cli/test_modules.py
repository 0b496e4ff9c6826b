"""A module of somebody else's that breaks the contract (fixture_backend.c), next to two libraries that keep it."""

import os
import resource
import shutil

import harness

OPERATION = "aead/chacha20-poly1305/encrypt"
FLOOD_LIMIT_KIB = 64 * 1024  # half of what the fixture prints


class ModuleTest(harness.ProgramTest):
    def run_with(self, fault, *options, modules=("openssl", "libsodium", "reference")):
        paths = [os.path.join(harness.BACKENDS, name + ".so") for name in modules] + [harness.FIXTURE]
        env = {**self.modules(*paths), "CB_FIXTURE_FAULT": fault}
        return self.run_program(*harness.QUICK, "-f", "json", "-s", "64", *options, OPERATION, env=env)

    def check(self, fault, status, message, *options):
        """The fixture's row has this status; the other two are measured."""
        done = self.run_with(fault, *options)
        rows = {row["contestant"]: row for row in done.json()["results"]}
        self.assertEqual(set(rows), {"fixture", "openssl", "libsodium"}, done)
        self.assertEqual(done.code, 0 if status in ("ok", "unsupported") else 1, done)
        for name, row in rows.items():
            if name != "fixture" or status == "ok":
                self.assert_measured(row)
            else:
                self.assert_failed(row, status, message)


class Loading(ModuleTest):
    def test_module_without_a_backend(self):
        self.check("get:null", "unsupported", r"^no cb_backend_get\(\) in fixture\.so$")

    def test_module_for_another_contract(self):
        self.check("get:newer", "unsupported", r"^fixture\.so was built for version 2 of the contract, not 1$")

    def test_library_without_a_getter(self):
        env = self.modules(os.path.join(harness.BACKENDS, "openssl.so"), harness.SHIM)
        done = self.run_program("list", "-b", "shim", env=env)
        self.assertEqual(done.code, 0, done)
        self.assertIn("shim  absent: no cb_backend_get() in shim.so", done.out)

    def test_file_that_is_no_module(self):
        env = self.modules(os.path.join(harness.BACKENDS, "openssl.so"))
        for name, text in (("empty.so", ""), ("text.so", "no module\n" * 100)):
            with open(os.path.join(env["CRYPTO_BENCH_BACKENDS"], name), "w", encoding="utf-8") as file:
                file.write(text)
        done = self.run_program(*harness.QUICK, "-f", "json", "-s", "64", OPERATION, env=env)
        self.assertEqual(done.code, 0, done)
        for row in done.json()["results"]:
            if row["contestant"] == "openssl":
                self.assert_measured(row)
            else:
                self.assert_failed(row, "unsupported", row["contestant"] + r"\.so: ")

    def test_other_files_are_no_modules(self):
        env = self.modules(os.path.join(harness.BACKENDS, "openssl.so"))
        for name in ("README", ".so", ".absent", "openssl.so.bak"):
            shutil.copy(__file__, os.path.join(env["CRYPTO_BENCH_BACKENDS"], name))
        done = self.run_program("doctor", "-f", "json", env=env)
        self.assertEqual([entry["contestant"] for entry in done.json()["libraries"]], ["openssl"])

    def test_exit(self):
        self.check("get:exit", "crashed", "^exited with status 0 during loading")
        self.check("open:exit", "crashed", "^exited with status 0 during loading")

    def test_failure(self):
        self.check("open:fail", "library_error", "^the fixture does not open$")

    def test_hang(self):
        self.check("open:hang", "timeout", r"^no answer for 1 s during loading \(--timeout\)$", "--timeout", "1")

    def test_closed_pipes(self):
        self.check("open:close", "crashed", "^exited with status 1 during loading")

    def test_garbage_for_a_greeting(self):
        self.check("open:garbage", "io", "malformed")

    def test_giant_for_a_greeting(self):
        self.check("open:giant", "io", "malformed")

    def test_print(self):
        self.check("open:print", "ok", None)


class Measuring(ModuleTest):
    def test_no_fault(self):
        self.check("", "ok", None)

    def test_print_never_reaches_the_output(self):
        self.check("bind:print", "ok", None)

    def test_last_words_are_quoted(self):
        self.check("run:die", "crashed", "^SIGABRT during preparation: assertion x > 0 failed in fixture$")

    def test_flood(self):
        self.check("bind:flood", "ok", None)
        if not harness.SANITIZED:
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, FLOOD_LIMIT_KIB)

    def test_exit(self):
        self.check("bind:exit", "crashed", "^exited with status 0 during preparation$")
        self.check("run:exit", "crashed", "^exited with status 0 during preparation$")

    def test_failure(self):
        self.check("bind:fail", "library_error", "^the fixture does not bind$")
        self.check("run:fail", "library_error", r"^call 1 \(the first\) failed: the fixture was told to fail$")

    def test_hang(self):
        self.check("run:hang", "timeout", "^no answer for 1 s during preparation", "--timeout", "1")

    def test_stopped_process(self):
        self.check("run:stop", "timeout", "^no answer for 1 s during preparation", "--timeout", "1")

    def test_closed_pipes(self):
        self.check("run:close", "crashed", "^exited with status 1 during preparation")

    def test_heir_that_holds_the_pipes(self):
        self.check("run:heir", "timeout", "^no answer for 1 s during preparation", "--timeout", "1")

    def test_garbage_for_an_answer(self):
        self.check("run:garbage", "io", "malformed")

    def test_half_an_answer(self):
        self.check("run:half", "timeout", "^no answer for 1 s during preparation", "--timeout", "1")

    def test_giant_answer(self):
        self.check("run:giant", "io", "malformed")

    def test_output_of_the_wrong_length(self):
        self.check("run:length", "wrong_output", "wrong length")

    def test_hang_at_the_end(self):
        self.check("close:hang", "ok", None)


class Naming(ModuleTest):
    def test_file_name_tells_builds_apart(self):
        env = self.modules(os.path.join(harness.BACKENDS, "openssl.so"))
        os.symlink(os.path.join(harness.BACKENDS, "openssl.so"),
                   os.path.join(env["CRYPTO_BENCH_BACKENDS"], "openssl-again.so"))
        done = self.run_program(*harness.QUICK, "-f", "json", "-s", "64", OPERATION, env=env)
        self.assertEqual(done.code, 0, done)
        rows = done.json()["results"]
        self.assertEqual([row["contestant"] for row in rows], ["openssl", "openssl-again"])
        self.assertEqual({row["backend"] for row in rows}, {"openssl"})

    def test_two_that_disagree_without_a_third(self):
        env = self.modules(harness.FIXTURE, os.path.join(harness.BACKENDS, "openssl.so"))
        env.update({"LD_PRELOAD": harness.SHIM, "CB_SHIM_CALL": "EVP_EncryptUpdate", "CB_SHIM_FAULT": "flip:50"})
        done = self.run_program(*harness.QUICK, "-f", "json", "-s", "64", OPERATION, env=env)
        self.assertEqual(done.code, 1, done)
        for row in done.json()["results"]:
            self.assert_failed(row, "wrong_output", "^the libraries disagree and no further one can say who is right$")


if __name__ == "__main__":
    harness.main()
