"""The result file as its readers see it: strict JSON, whole, and without a word about who ran it."""

import csv
import io
import os
import platform
import pwd
import re
import shutil

import harness

ONE = (*harness.QUICK, "-s", "64", "aead/chacha20-poly1305/encrypt")
LIBRARIES = ["libsodium", "openssl"]


class ResultFile(harness.ProgramTest):
    def measure(self, *options, env=None):
        done = self.run_program(*ONE, "-q", "-o", "r.json", *options, env=env)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(done.out + done.err, "")
        return self.read_json("r.json")

    def test_top(self):
        result = self.measure("--seed", "18446744073709551615")
        self.assertEqual(
            set(result), {"schema", "complete", "tool", "seed", "command", "environment", "libraries", "results",
                          "comparisons"})
        self.assertEqual(result["schema"], "crypto_bench/1")
        self.assertIs(result["complete"], True)
        self.assertEqual(result["seed"], "18446744073709551615")
        self.assertEqual(set(result["tool"]), {"version", "commit", "compiler", "flags"})
        self.assertEqual([library["contestant"] for library in result["libraries"]], LIBRARIES)

    def test_rows(self):
        rows = self.measure()["results"]
        self.assertEqual([row["contestant"] for row in rows], LIBRARIES)
        for row in rows:
            self.assert_measured(row)
            self.assertEqual(row["id"], "aead/chacha20-poly1305/encrypt/64")
            ns = row["ns"]
            self.assertLessEqual(ns["min"], ns["p10"])
            self.assertLessEqual(ns["p10"], ns["p90"])
            self.assertLessEqual(ns["p90"], ns["batch_p99"])
            self.assertLessEqual(ns["ci_low"], ns["median"])
            self.assertLessEqual(ns["median"], ns["ci_high"])
            self.assertAlmostEqual(row["ops_per_s"] * ns["median"], 1e9, delta=1e5)
            self.assertAlmostEqual(row["bytes_per_s"], 64 * row["ops_per_s"], delta=1e3)

    def test_replicates(self):
        for row in self.measure()["results"]:
            replicates = row["replicates"]
            self.assertEqual(len(replicates), 4)
            for name in ("seed", "round_ns", "control_ns"):
                self.assertGreater(len({str(replicate[name]) for replicate in replicates}), 1, name)
            done = sum(replicate["batch"] * len(replicate["round_ns"]) for replicate in replicates)
            self.assertEqual(done, row["iterations"])
            # The figures can be computed again from what is in the file.
            calls_ns = [ns / replicate["batch"] for replicate in replicates for ns in replicate["round_ns"]]
            self.assertTrue(min(calls_ns) * 0.9 <= row["ns"]["median"] <= max(calls_ns))

    def test_comparison(self):
        result = self.measure()
        [comparison] = result["comparisons"]
        self.assertEqual((comparison["contestant"], comparison["reference"]), ("openssl", "libsodium"))
        self.assertIn(comparison["verdict"], ("faster", "slower", "equivalent", "inconclusive"))
        self.assertLessEqual(comparison["ci_low"], comparison["ratio"])
        self.assertLessEqual(comparison["ratio"], comparison["ci_high"])

    def test_reference_is_the_library_named_first(self):
        [comparison] = self.measure("-b", "openssl,libsodium")["comparisons"]
        self.assertEqual((comparison["contestant"], comparison["reference"]), ("libsodium", "openssl"))

    def test_seed_repeats_the_inputs(self):
        def seeds(options):
            return [r["seed"] for row in self.measure(*options)["results"] for r in row["replicates"]]

        first = seeds(("--seed", "7"))
        self.assertEqual(seeds(("--seed", "7")), first)
        self.assertNotEqual(seeds(("--seed", "8")), first)
        self.assertNotEqual(seeds(()), seeds(()))

    def test_empty_message_has_no_throughput(self):
        for row in self.measure("-s", "0", "-s", "64")["results"]:
            if row["size"] == 0:
                self.assertIsNone(row["bytes_per_s"])
                self.assertIsNone(row["tsc_per_byte"])
                self.assertGreater(row["ops_per_s"], 0)
            else:
                self.assert_measured(row)

    def test_few_replicates_have_no_interval(self):
        done = self.run_program("--quick", "--replicates", "1", "-s", "64", "poly1305/encrypt", "-f", "json")
        self.assertEqual(done.code, 0, done)
        for row in done.json()["results"]:
            self.assertEqual(row["status"], "ok")
            self.assertEqual(len(row["replicates"]), 1)
            self.assertIsNone(row["ns"]["ci_low"])
            self.assertIsNone(row["ns"]["ci_high"])

    def test_csv_tells_the_same(self):
        result = self.measure("-o", "r.csv")
        rows = list(csv.DictReader(io.StringIO(self.read("r.csv")), strict=True))
        self.assertEqual(len(rows), len(result["results"]))
        for line, row in zip(rows, result["results"]):
            for name in ("id", "contestant", "status"):
                self.assertEqual(line[name], row[name])
            self.assertAlmostEqual(float(line["median_ns"]) / row["ns"]["median"], 1, delta=1e-6)
            self.assertNotIn(None, line, "a line has more fields than the header")

    def test_file_replaces_what_was_there(self):
        self.put("r.json", "old" * 100000)
        self.measure()
        os.symlink("r.json", self.path("link.json"))
        done = self.run_program(*ONE, "-q", "-o", "link.json")
        self.assertEqual(done.code, 0, done)
        self.assertTrue(os.path.islink(self.path("link.json")))
        self.assertTrue(self.read_json("r.json")["complete"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["link.json", "r.json"])

    def test_nothing_private(self):
        """A home, a user and modules below the home, all of whose names must not be in the file."""
        home = os.path.join(self.folder, "annamaria")
        os.makedirs(os.path.join(home, "modules"))
        for name in ("openssl.so", "reference.so"):
            shutil.copy(os.path.join(harness.BACKENDS, name), os.path.join(home, "modules"))
        env = {"HOME": home, "USER": "annamaria", "LOGNAME": "annamaria", "SECRET_TOKEN": "xyzzy-4711",
               "CRYPTO_BENCH_BACKENDS": os.path.join(home, "modules")}
        target = os.path.join(home, "results", "r.json")
        os.mkdir(os.path.dirname(target))
        done = self.run_program(*ONE, "-b", "reference,openssl", "-o", target, env=env)
        self.assertEqual(done.code, 0, done)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        for private in ("annamaria", "xyzzy", self.folder):
            self.assertNotIn(private, text)
        for word in (platform.node(), pwd.getpwuid(os.getuid()).pw_dir):
            if len(word) > 3:
                self.assertIsNone(re.search(r"(?<![\w.-])" + re.escape(word) + r"(?![\w.-])", text), word)
        result = harness.strict_json(text)
        self.assertIn("/modules/reference.so", result["libraries"][0]["path"])
        self.assertIn("/results/r.json", result["command"])

    def test_failed_row_tells_no_private_path_either(self):
        home = os.path.join(self.folder, "annamaria")
        os.mkdir(home)
        os.symlink(os.path.join(harness.BACKENDS, "openssl.so"), os.path.join(home, "openssl.so"))
        with open(os.path.join(home, "libsodium.so"), "w", encoding="utf-8") as file:
            file.write("no module")
        self.measure(env={"HOME": home, "CRYPTO_BENCH_BACKENDS": home})
        self.assertIn("libsodium.so", self.read("r.json"))
        self.assertNotIn("annamaria", self.read("r.json"))

    def test_strange_words_come_back_from_the_command(self):
        """A file name with everything that shells and JSON treat specially."""
        name = "a b'c\"d\\e$f`g\th\u2028\u00e4*.json"
        done = self.run_program(*ONE, "-q", "-o", name)
        self.assertEqual(done.code, 0, done)
        command = self.read_json(name)["command"]
        os.unlink(self.path(name))
        self.put("again.sh", command.replace("crypto_bench", f"'{harness.PROGRAM}'", 1))
        self.assertEqual(os.system(f"cd '{self.folder}' && sh again.sh"), 0)
        self.assertTrue(self.read_json(name)["complete"])

    def test_name_that_is_no_text(self):
        name = b"\xff\xfe.json"
        done = self.run_program(*ONE, "-q", "-o", os.fsdecode(name))
        self.assertEqual(done.code, 0, done)
        with open(os.path.join(os.fsencode(self.folder), name), encoding="utf-8") as file:
            self.assertIn("json", harness.strict_json(file.read())["command"])


class OtherReports(harness.ProgramTest):
    def test_list(self):
        done = self.run_program("list", "-f", "json")
        self.assertEqual(done.code, 0, done)
        listing = done.json()
        self.assertEqual(listing["schema"], "crypto_bench/list/1")
        ids = [operation["id"] for operation in listing["operations"]]
        self.assertIn("aead/chacha20-poly1305/decrypt", ids)
        for operation in listing["operations"]:
            for contestant in operation["contestants"]:
                self.assertEqual(contestant["available"], contestant["reason"] is None)

    def test_doctor(self):
        done = self.run_program("doctor", "-f", "json")
        self.assertEqual(done.code, 0, done)
        report = done.json()
        self.assertEqual(report["schema"], "crypto_bench/doctor/1")
        self.assertEqual([entry["contestant"] for entry in report["libraries"]], LIBRARIES + ["reference"])
        for warning in report["environment"]["warnings"]:
            self.assertTrue(warning["what"] and warning["remedy"])


if __name__ == "__main__":
    harness.main()
