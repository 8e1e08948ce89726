"""The program from Python: join, still and plan, their results, their errors, and how they are cancelled."""

import fractions
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import unittest

import fliptransition
from support import FOLDER, Case, clip, count, frames

STYLE = dict(style="fold", mode="cubic")


class JoinTests(Case):
    def setUp(self):
        self.a, self.b = clip("a.mkv", "testsrc2", 30), clip("b.mkv", "mandelbrot", 24)

    def test_the_result_is_what_was_made(self):
        out, seen = FOLDER / "joined.mkv", []
        result = fliptransition.join(
            [self.a, str(self.b)], out, progress=seen.append, duration="9f", video_codec="ffv1", overwrite=True, **STYLE
        )
        self.assertEqual(result.path, out)
        # 30 and 24 frames that overlap in 9.
        self.assertEqual((result.frames, result.frames_encoded, result.frames_copied, count(out)), (45, 45, 0, 45))
        self.assertEqual(result.bytes, out.stat().st_size)
        (seam,) = result.plan.joins
        self.assertEqual((seam.after, seam.start, seam.frames, seam.asked_frames), (0, 21, 9, 9))
        self.assertTrue(seam.transition.startswith("fold=mode=cubic"), seam.transition)
        output = result.plan.output
        self.assertEqual((output.width, output.height, output.frame_rate), (128, 96, fractions.Fraction(30)))
        self.assertEqual((output.video_codec, output.container, output.seconds), ("ffv1", "matroska", 1.5))
        self.assertEqual([(entry.start, entry.frames) for entry in result.plan.inputs], [(0, 30), (21, 24)])
        self.assertTrue(seen and all(event.total == 45 for event in seen), seen)
        self.assertEqual((seen[-1].frames, seen[-1].fraction), (45, 1.0))
        self.assertEqual([event.frames for event in seen], sorted(event.frames for event in seen))

    def test_the_plan_is_that_of_the_join(self):
        out = FOLDER / "planned.mkv"
        plan = fliptransition.plan([self.a, self.b, self.a], out, transition=["flip=duration=4f", "cut"])
        self.assertFalse(out.exists())
        self.assertEqual((plan.output.frames, [seam.frames for seam in plan.joins]), (80, [4, 0]))
        self.assertEqual(plan.json["schema"], 1)

    def test_options_are_passed_on(self):
        """A tuple is one value, a list gives an option several times, and numbers may be negative."""
        for options in [dict(style="curl", angle=-20), dict(style="flip", viewpoint=(0.25, 0.75)), dict(reverse=True)]:
            with self.subTest(**options):
                picture = fliptransition.still(self.a, self.b, FOLDER / "option.png", at=0.4, overwrite=True, **options)
                drawn = frames(picture, "rgb24")
                style = options.get("style", "flip")
                plain = fliptransition.still(self.a, self.b, FOLDER / "plain.png", at=0.4, overwrite=True, style=style)
                self.assertNotEqual(drawn, frames(plain, "rgb24"))

    def test_the_still_is_a_frame_of_the_join(self):
        """The frame in the middle of three, between clips that stand still."""
        size = dict(size="128x96", rate=30)
        a, b = (clip(f"still-{name}.mkv", f"color=c={name}", 6, **size) for name in ["red", "blue"])
        flip = fliptransition.Transition(easing="sine-in")
        out = FOLDER / "three.mkv"
        fliptransition.join([a, b], out, duration="3f", easing="sine-in", video_codec="ffv1", overwrite=True)
        picture = fliptransition.still(
            a, b, FOLDER / "middle.nut", at=flip.progress(1, 3), video_codec="rawvideo", overwrite=True
        )
        whole = frames(out, "yuv420p")
        size = len(whole) // 9
        self.assertSame(whole[4 * size : 5 * size], frames(picture, "yuv420p"))

    def test_names_that_look_like_options(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(FOLDER)
        pathlib.Path("-a.mkv").write_bytes(self.a.read_bytes())
        fliptransition.still("-a.mkv", self.b, "-out.png", overwrite=True)
        self.assertTrue(pathlib.Path("-out.png").exists())

    # MARK: Errors

    def test_errors_have_code_kind_and_sentence(self):
        for code, kind, word, call in [
            (66, "missingInput", "gone.mp4", lambda: fliptransition.join([self.a, "gone.mp4"], FOLDER / "no.mkv")),
            (64, "usage", "--colour", lambda: fliptransition.join([self.a, self.b], FOLDER / "no.mkv", colour="red")),
            (64, "usage", "spine", lambda: fliptransition.join([self.a, self.b], FOLDER / "no.mkv", spine=2)),
            (66, None, "gone.mp4", lambda: fliptransition.still(self.a, "gone.mp4", FOLDER / "no.png")),
            (66, None, "gone.mp4", lambda: fliptransition.plan([self.a, "gone.mp4"], FOLDER / "no.mkv")),
            (64, None, "0...1", lambda: fliptransition.still(self.a, self.b, FOLDER / "no.png", at=2)),
        ]:
            with self.subTest(word, code=code), self.assertRaises(fliptransition.ProgramError) as caught:
                call()
            error = caught.exception
            self.assertEqual((error.exit_code, error.kind), (code, kind), str(error))
            self.assertIn(word, str(error))
            self.assertNotIn("\n", str(error))
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((str(copy), copy.exit_code, copy.kind), (str(error), code, kind))
        self.assertFalse((FOLDER / "no.mkv").exists() or (FOLDER / "no.png").exists())

    def test_an_output_that_is_there_is_kept(self):
        out = FOLDER / "kept.mkv"
        out.write_bytes(b"kept")
        with self.assertRaises(fliptransition.ProgramError):
            fliptransition.join([self.a, self.b], out)
        self.assertEqual(out.read_bytes(), b"kept")

    def test_wrong_arguments_start_nothing(self):
        for call in [
            lambda: fliptransition.join("a.mp4", "b.mp4"),
            lambda: fliptransition.join([self.a, "-"], FOLDER / "no.mkv"),
            lambda: fliptransition.join([self.a, b"b"], FOLDER / "no.mkv"),
            lambda: fliptransition.plan([self.a, "b\0"], FOLDER / "no.mkv"),
            lambda: fliptransition.join([self.a, self.b], FOLDER / "no.mkv", size="1\0"),
        ]:
            with self.assertRaises(fliptransition.ArgumentError):
                call()

    def test_a_missing_program_says_so(self):
        for environment in [
            {"PATH": str(FOLDER)},
            {"FLIPTRANSITION": str(FOLDER / "none"), "PATH": os.environ["PATH"]},
        ]:
            environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
            words = (
                "import fliptransition\n"
                "try: fliptransition.join(['a', 'b'], 'c')\n"
                "except FileNotFoundError as error: print(type(error).__name__, error)"
            )
            done = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True)
            self.assertIn("ProgramMissingError", done.stdout, done.stderr)
            self.assertIn("FLIPTRANSITION", done.stdout)

    def test_the_program_of_a_virtual_environment_is_found(self):
        place = FOLDER / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
        program = place / "bin" / "fliptransition"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        environment = {"PATH": str(FOLDER), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
        words = "from fliptransition import _program\nprint(_program.program())"
        done = subprocess.run([place / "bin" / "python3", "-c", words], env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout.strip(), str(program), done.stderr)

    # MARK: Cancelling

    def long_join(self, out, **options):
        """A join that takes far longer than the test waits for it."""
        clips = [clip("long-a.mkv", "testsrc2", 60, size="640x360")] * 40
        return fliptransition.join(clips, out, video_codec="ffv1", **options)

    def check_nothing_is_left(self, out, before):
        """Neither a part of the output, nor the program, which isn't this process's child anymore."""
        self.assertEqual(out.read_bytes() if out.exists() else None, before)
        self.assertEqual([name for name in os.listdir(FOLDER) if name.startswith((f".{out.name}", "."))], [])
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_an_event_cancels(self):
        out, cancel = FOLDER / "cancelled.mkv", threading.Event()
        with self.assertRaises(fliptransition.Cancelled):
            self.long_join(out, progress=lambda _: cancel.set(), cancel=cancel)
        self.check_nothing_is_left(out, None)
        # One that is set before anything has been reported.
        out.write_bytes(b"before")
        with self.assertRaises(fliptransition.Cancelled):
            self.long_join(out, cancel=cancel, overwrite=True)
        self.check_nothing_is_left(out, b"before")

    def test_nobody_waits_for_ever_for_what_was_cancelled(self):
        """Neither for a program that ignores it, nor for one that it started and that has its standard error."""
        from fliptransition import _program

        program, cancel = FOLDER / "deaf", threading.Event()
        cancel.set()
        before, patience = os.environ.get("FLIPTRANSITION"), _program._patience
        os.environ["FLIPTRANSITION"], _program._patience = str(program), 0.5
        try:
            for text in ["trap '' TERM\nexec sleep 1000", "sleep 1000 &\necho $! > '%s'\nwait" % (FOLDER / "child")]:
                program.write_text("#!/bin/sh\n" + text + "\n")
                program.chmod(0o755)
                with self.assertRaises(fliptransition.Cancelled):
                    fliptransition.join(["a", "b"], FOLDER / "x.mkv", cancel=cancel)
        finally:
            if (FOLDER / "child").exists():
                os.kill(int((FOLDER / "child").read_text()), 9)
            _program._patience = patience
            os.environ.pop("FLIPTRANSITION") if before is None else os.environ.update(FLIPTRANSITION=before)

    def test_an_error_of_the_callback_cancels(self):
        out = FOLDER / "raised.mkv"

        def stop(progress):
            raise LookupError(progress.frames)

        with self.assertRaises(LookupError):
            self.long_join(out, progress=stop)
        self.check_nothing_is_left(out, None)


class JSONTests(Case):
    """Documents of a schema that the package doesn't know are refused."""

    def test_another_schema(self):
        program = FOLDER / "newer"
        program.write_text("#!/bin/sh\necho '%s'\n" % json.dumps({"schema": 2}))
        program.chmod(0o755)
        before = os.environ.get("FLIPTRANSITION")
        os.environ["FLIPTRANSITION"] = str(program)
        try:
            with self.assertRaises(fliptransition.FlipTransitionError) as caught:
                fliptransition.plan(["a", "b"], "c")
            self.assertIn("schema 2", str(caught.exception))
        finally:
            os.environ.pop("FLIPTRANSITION") if before is None else os.environ.update(FLIPTRANSITION=before)


if __name__ == "__main__":
    unittest.main()
