"""The transcript runner can fail."""

import os
import tempfile
import unittest

import run_transcript


class Parsing(unittest.TestCase):
    def test_blocks(self):
        first, second = run_transcript.parse("# about\n\n$ one\n> more\na\n\nb\n[exit 0]\n$ two\n[exit 3]\n")
        self.assertEqual((first.command, first.expected, first.code), ("one\nmore", ["a", "", "b"], 0))
        self.assertEqual((second.command, second.expected, second.code, second.line), ("two", [], 3, 9))

    def test_malformed(self):
        for text in ("", "# only words\n", "$ no end\n", "stray\n$ a\n[exit 0]\n"):
            with self.subTest(text), self.assertRaises(run_transcript.Malformed):
                run_transcript.parse(text)


class Matching(unittest.TestCase):
    def test_plain(self):
        self.assertTrue(run_transcript.matches(["a.b*", "c"], "a.b*\nc\n"))
        self.assertFalse(run_transcript.matches(["a.b*"], "axbb\n"))
        self.assertFalse(run_transcript.matches(["a"], "a\nb\n"))
        self.assertFalse(run_transcript.matches(["a", "b"], "a\n"))

    def test_nothing(self):
        self.assertTrue(run_transcript.matches([], ""))
        self.assertFalse(run_transcript.matches([], "a\n"))
        self.assertFalse(run_transcript.matches(["a"], ""))

    def test_within_a_line(self):
        self.assertTrue(run_transcript.matches(["took {...} s of {...}"], "took 3 s of 4\n"))
        self.assertTrue(run_transcript.matches(["a{...}b"], "ab\n"))
        self.assertFalse(run_transcript.matches(["a{...}b"], "a\nb\n"))

    def test_any_lines(self):
        self.assertTrue(run_transcript.matches(["a", "...", "z"], "a\nz\n"))
        self.assertTrue(run_transcript.matches(["a", "...", "z"], "a\nb\nc\nz\n"))
        self.assertFalse(run_transcript.matches(["a", "...", "z"], "a\nb\nc\n"))


class Playing(unittest.TestCase):
    def failures(self, text):
        with tempfile.TemporaryDirectory() as folder:
            return run_transcript.play_all(run_transcript.parse(text), folder, {"PATH": os.environ["PATH"]})

    def test_streams_and_code(self):
        self.assertEqual(self.failures("$ echo a; echo b >&2; exit 5\na\nb\n[exit 5]\n"), [])

    def test_folder_is_shared(self):
        self.assertEqual(self.failures("$ ls\n[exit 0]\n$ echo a > f\n[exit 0]\n$ cat f\na\n[exit 0]\n"), [])

    def test_each_difference_is_told(self):
        [code, output] = self.failures("$ true\n[exit 1]\n$ echo a\nb\n[exit 0]\n$ echo c\nc\n[exit 0]\n")
        self.assertIn("[exit 1]\n--- but it said\n[exit 0]", code)
        self.assertIn("b\n[exit 0]\n--- but it said\na\n", output)


if __name__ == "__main__":
    unittest.main()
