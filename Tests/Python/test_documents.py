"""The examples of docs/PYTHON.md and of VapourSynth in docs/PLUGINS.md work with the real packages, and types are complete."""

import os
import pathlib
import re
import subprocess
import sys
import textwrap
import unittest

from support import FOLDER, Case, clip, count, frames, run

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def examples(page):
    """The Python code of a page, by the heading above it."""
    heading, code = "", {}
    for part in re.split(r"^(#+ .*)$", (DOCS / page).read_text(encoding="utf-8"), flags=re.M):
        if part.startswith("#"):
            heading = part.lstrip("# ")
        for block in re.findall(r"^```python\n(.*?)^```$", part, flags=re.M | re.S):
            code[heading] = block
    return code


class ExampleTests(Case):
    def setUp(self):
        # 30 and 24 frames, as mp4 files that every package reads.
        codec = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "12")
        for name, source, length in [("a.mp4", "testsrc2", 30), ("b.mp4", "mandelbrot", 24)]:
            clip(name, source, length, size="320x240", codec=codec)
        for name in ["out.mp4", "out.mkv"]:
            (FOLDER / name).unlink(missing_ok=True)

    def follow(self, heading, page="PYTHON.md"):
        """Runs the code under a heading, in the folder of the clips, and returns what it prints."""
        done = subprocess.run(
            [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", examples(page)[heading]], cwd=FOLDER,
            capture_output=True, text=True, timeout=200,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_frames(self):
        self.follow("Frames")

    def test_files(self):
        # 30 and 24 frames that overlap in 9; the transition begins at frame 21.
        self.assertEqual(self.follow("Files").splitlines()[-1], "45 21")
        self.assertEqual(count(FOLDER / "out.mp4"), 45)

    def test_pyav(self):
        self.follow("With PyAV")
        self.assertEqual(count(FOLDER / "out.mkv"), 45)
        # The transition's frames are the program's; what is outside are the clips' own.
        run(os.environ.get("FLIPTRANSITION", "fliptransition"), FOLDER / "a.mp4", FOLDER / "b.mp4", FOLDER / "pyav.mkv",
            "-y", "--style", "curl", "--duration", "9f", "--video-codec", "ffv1")  # fmt: skip
        self.assertSame(frames(FOLDER / "out.mkv", "yuv420p"), frames(FOLDER / "pyav.mkv", "yuv420p"))

    def test_moviepy(self):
        self.follow("With MoviePy")
        self.assertEqual(count(FOLDER / "out.mp4"), 45)

    def test_opentimelineio(self):
        self.assertEqual(self.follow("With OpenTimelineIO").split(), ["39"])
        self.assertEqual(count(FOLDER / "out.mp4"), 39)

    def test_vapoursynth(self):
        try:
            import vapoursynth
        except ImportError:
            self.skipTest("needs VapourSynth's package, which needs Python 3.12 (scripts/python)")
        del vapoursynth
        self.follow("VapourSynth", "PLUGINS.md")


class TypeTests(Case):
    def mypy(self, *words):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir",
                               FOLDER / "mypy", *words], capture_output=True, text=True, cwd=FOLDER)  # fmt: skip

    def test_the_package_is_typed(self):
        done = self.mypy("-p", "fliptransition")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_callers_see(self):
        """Results have the types of what was given, and a wrong type is found."""
        (FOLDER / "use.py").write_text(
            textwrap.dedent("""
            import numpy
            import fliptransition
            flip = fliptransition.Transition("flip", viewpoint=(0.5, 0.2), reverse=True)
            reveal_type(flip.draw(0.5, b"", b"", format="gray", width=2, height=2))
            room = bytearray(4)
            reveal_type(flip.draw(0.5, b"", b"", room, format="gray", width=2, height=2))
            reveal_type(fliptransition.join(["a.mp4"], "b.mp4").plan.output.frame_rate)
            a = numpy.zeros((2, 2, 3), numpy.uint8)
            reveal_type(flip.draw(0.5, a, a).shape)
            reveal_type(flip.draw(0.5, [a], [a])[0].nbytes)
            reveal_type(flip.draw(0.5, (a,), (a,))[0].nbytes)
            flip.draw("x", b"", b"")
            """)
        )
        done = self.mypy("use.py")
        revealed = re.findall(r'Revealed type is "(.*?)"', done.stdout)
        expected = ["bytearray", "bytearray", "fractions.Fraction", "tuple[int, int, int]", "int", "int"]
        self.assertEqual([name.replace("builtins.", "") for name in revealed], expected)
        self.assertEqual(len(re.findall(": error: ", done.stdout)), 1, done.stdout)


if __name__ == "__main__":
    unittest.main()
