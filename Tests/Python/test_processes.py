"""Forked and spawned children, interrupts, and other interpreters in one process."""

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import warnings

import fliptransition
from support import FOLDER, Case, clip

SIDE = 256
SIZE = dict(format="gray", width=SIDE, height=SIDE)
FIRST = bytes(index * 7 % 251 for index in range(SIDE * SIDE))
SECOND = FIRST[::-1]
#: How long a child may take that hangs otherwise, in seconds.
PATIENCE = 60


def frame(flip):
    return bytes(flip.draw(0.4, FIRST, SECOND, **SIZE))


def drawn_by(flip, queue):
    """What a child does: draws with a transition of its parent, if there is one, and with its own."""
    frames = [frame(flip)] if flip is not None else []
    if flip is not None:
        flip.close()
    with fliptransition.Transition("curl", threads=3) as own:
        frames.append(frame(own))
    queue.put(frames)


class ForkTests(Case):
    def setUp(self):
        # Newer versions of Python warn of forks in processes with several threads, which these tests are about.
        warnings.simplefilter("ignore", DeprecationWarning)
        self.flip = fliptransition.Transition("curl", threads=3)
        self.addCleanup(self.flip.close)
        self.expected = frame(self.flip)

    def frames_of_child(self, method, flip):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        child = context.Process(target=drawn_by, args=(flip, queue))
        child.start()
        try:
            frames = queue.get(timeout=PATIENCE)
            child.join(PATIENCE)
            self.assertEqual(child.exitcode, 0)
        finally:
            child.kill()
            child.join()
        return frames

    def test_children_draw(self):
        for method in multiprocessing.get_all_start_methods():
            with self.subTest(method):
                inherited = self.flip if method == "fork" else None
                frames = self.frames_of_child(method, inherited)
                self.assertEqual(frames, [self.expected] * (2 if inherited else 1))
        # A child that closes its parent's transition closes its own copy.
        self.assertEqual(frame(self.flip), self.expected)

    def test_children_draw_that_are_forked_while_another_thread_draws(self):
        """The other thread holds the transition's lock, and helps to draw; neither thread exists in the child."""
        side = 3000
        large, size = bytes(side * side), dict(format="gray", width=side, height=side)
        stop = threading.Event()

        def draw():
            while not stop.is_set():
                self.flip.draw(0.4, large, large, **size)

        thread = threading.Thread(target=draw)
        thread.start()
        try:
            for _ in range(5):
                time.sleep(0.02)
                self.assertEqual(self.frames_of_child("fork", self.flip), [self.expected] * 2)
        finally:
            stop.set()
            thread.join()
        self.assertEqual(frame(self.flip), self.expected)

    def test_closed_stays_closed(self):
        self.flip.close()
        child = os.fork()
        if child == 0:
            try:
                frame(self.flip)
            except fliptransition.ClosedError:
                os._exit(7)
            os._exit(1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7)


class InterruptTests(Case):
    #: A join that takes minutes, and says when it has begun.
    SCRIPT = textwrap.dedent("""
        import sys, threading, fliptransition
        clips, out = [sys.argv[1]] * 40, sys.argv[2]
        cancel = threading.Event()
        def show(progress):
            print("begun", flush=True)
            if len(sys.argv) > 3: cancel.set()
        try: fliptransition.join(clips, out, video_codec="ffv1", progress=show, cancel=cancel)
        except BaseException as error: print(type(error).__name__, flush=True)
        """)

    def start(self, out, *words, **keywords):
        path = clip("interrupted.mkv", "testsrc2", 60, size="640x360")
        words = [sys.executable, "-c", self.SCRIPT, str(path), str(out), *words]
        script = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True, **keywords)
        self.addCleanup(script.stdout.close)
        self.addCleanup(script.kill)
        return script

    def check_nothing_is_left(self, script, out):
        """Neither a part of the output, nor a process of the script's session."""
        self.assertFalse(out.exists())
        self.assertEqual([name for name in os.listdir(FOLDER) if name.startswith(".")], [])
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            self.assertFalse(fields[3] == str(script.pid) and fields[0] != "Z", stat)

    def test_control_c(self):
        """A terminal sends SIGINT to the script and to the program."""
        out = FOLDER / "controlled.mkv"
        script = self.start(out)
        self.assertEqual(script.stdout.readline().strip(), "begun")
        os.killpg(script.pid, signal.SIGINT)
        said = script.communicate(timeout=PATIENCE)[0].split()
        self.assertEqual((said[-1], script.returncode), ("KeyboardInterrupt", 0))
        self.check_nothing_is_left(script, out)

    def test_cancelling_where_interrupts_are_ignored(self):
        """Shells have what they start in the background ignore SIGINT."""
        out = FOLDER / "background.mkv"
        script = self.start(out, "cancel", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        said = script.communicate(timeout=PATIENCE)[0].split()
        self.assertEqual((said[-1], script.returncode), ("Cancelled", 0))
        self.check_nothing_is_left(script, out)


class InterpreterTests(Case):
    @unittest.skipUnless(sys.version_info >= (3, 13), "ctypes needs Python 3.13 in subinterpreters")
    def test_every_interpreter_draws(self):
        import _interpreters  # type: ignore[import-not-found]

        code = textwrap.dedent(f"""
            import fliptransition
            first = bytes(index * 7 % 251 for index in range({SIDE} * {SIDE}))
            with fliptransition.Transition("curl", threads=3) as flip:
                drawn = flip.draw(0.4, first, first[::-1], format="gray", width={SIDE}, height={SIDE})
            open(path, "wb").write(drawn)
            """)
        expected = frame(fliptransition.Transition("curl"))

        def run(path):
            interpreter = _interpreters.create()
            try:
                failed = _interpreters.exec(interpreter, f"path = {str(path)!r}\n{code}")
                self.assertIsNone(failed, failed)
            finally:
                _interpreters.destroy(interpreter)

        paths = [FOLDER / f"interpreter-{number}.raw" for number in range(3)]
        threads = [threading.Thread(target=run, args=[path]) for path in paths]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for path in paths:
            self.assertSame(path.read_bytes(), expected)


if __name__ == "__main__":
    unittest.main()
