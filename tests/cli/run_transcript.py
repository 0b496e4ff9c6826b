"""Plays a transcript: runs its commands and compares what they print and how they end.

A transcript is a text file of such blocks, with comments (#) and empty lines between them:

    $ $CB -s 12abc
    crypto_bench: --size: "12abc" is not a size {...}
    [exit 2]

The command is a line for bash; lines that start with "> " continue it. Then comes what it writes to standard output
and standard error together. "{...}" stands for anything within a line, a line "..." for any number of lines.
All commands of a transcript run in one folder, new and empty at first, with $CB as the program and $BACKENDS as the
folder of the built modules.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

PATIENCE_S = 60


class Malformed(Exception):
    """The transcript itself is wrong."""


@dataclass
class Step:
    line: int
    command: str
    expected: list = field(default_factory=list)
    code: int = 0


def parse(text):
    """The steps of a transcript."""
    steps, step = [], None
    for number, line in enumerate(text.splitlines(), 1):
        end = re.fullmatch(r"\[exit (\d+)\]", line)
        if step is None:
            if line.startswith("$ "):
                step = Step(number, line[2:])
            elif line and not line.startswith("#"):
                raise Malformed(f"line {number}: neither a command nor a comment")
        elif end:
            step.code = int(end[1])
            steps.append(step)
            step = None
        elif line.startswith("> ") and not step.expected:
            step.command += "\n" + line[2:]
        else:
            step.expected.append(line)
    if step is not None:
        raise Malformed(f"line {step.line}: no [exit N] follows this command")
    if not steps:
        raise Malformed("no command")
    return steps


def matches(expected, output):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("{...}")) + r"\n"
    if output and not output.endswith("\n"):
        output += "\n"
    return re.fullmatch(pattern, output) is not None


def play(step, folder, env):
    """What went wrong, as text; None when nothing did."""
    done = subprocess.run(["bash", "-c", step.command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE_S, check=False)
    output = done.stdout.decode("utf-8", "backslashreplace")
    if done.returncode == step.code and matches(step.expected, output):
        return None
    return (f"line {step.line}: $ {step.command}\n--- expected\n" + "".join(f"{line}\n" for line in step.expected) +
            f"[exit {step.code}]\n--- but it said\n{output}[exit {done.returncode}]\n")


def play_all(steps, folder, env):
    return [failure for failure in (play(step, folder, env) for step in steps) if failure]


def environment(home):
    """A small environment that no setting of the caller's leaks into."""
    return {"PATH": os.environ["PATH"], "HOME": home, "CB": os.environ["CRYPTO_BENCH"],
            "BACKENDS": os.environ["CB_TEST_BACKENDS"]}


def main(path):
    with open(path, encoding="utf-8") as file:
        steps = parse(file.read())
    folder = tempfile.mkdtemp(prefix="crypto_bench-")
    try:
        failures = play_all(steps, folder, environment(folder))
    finally:
        shutil.rmtree(folder)
    for failure in failures:
        print(failure)
    print(f"{len(steps) - len(failures)} of {len(steps)} commands did what {os.path.basename(path)} says")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
