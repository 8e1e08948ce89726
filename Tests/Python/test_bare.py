"""Without NumPy: bytes, bytearray, array.array and memoryview, and what is refused."""

import array
import gc
import sys
import threading
import unittest

# As if it weren't installed.
sys.modules["numpy"] = None  # type: ignore[assignment]

import fliptransition
from support import HEIGHT, WIDTH, Case, pictures, still


class BareTests(Case):
    def test_frames_are_the_programs(self):
        (first, first_file), (second, second_file) = pictures("rgb24")
        expected = still([first_file, second_file], "rgb24", "0.4", style="card", pull_back=0.7)
        size = dict(format="rgb24", width=WIDTH, height=HEIGHT)
        with fliptransition.Transition("card", pull_back=0.7) as card:
            drawn = card.draw(0.4, first, second, **size)
            self.assertIsInstance(drawn, bytearray)
            self.assertSame(drawn, expected)
            self.assertSame(card.draw(0.4, array.array("B", first), memoryview(second), **size), expected)
            shaped = memoryview(first).cast("B", [HEIGHT, WIDTH, 3])
            out = memoryview(bytearray(len(first))).cast("B", [HEIGHT, WIDTH, 3])
            self.assertSame(card.draw(0.4, shaped, second, out, **size), expected)
            drawn = card.draw(0.4, shaped, shaped)
            self.assertEqual((type(drawn), drawn.shape), (memoryview, (HEIGHT, WIDTH, 3)))

    def test_deep_samples(self):
        (first, first_file), (second, second_file) = pictures("yuv420p10le")
        expected = still([first_file, second_file], "yuv420p10le", "0.4", style="flip")
        size = dict(format="yuv420p10", width=WIDTH, height=HEIGHT)
        flip = fliptransition.Transition()
        self.assertSame(flip.draw(0.4, first, second, **size), expected)
        self.assertSame(flip.draw(0.4, array.array("H", first), array.array("H", second), **size), expected)

    def test_other_threads_run_while_a_frame_is_drawn(self):
        # A frame of 16 Mpixel takes long, and the other thread counts meanwhile.
        flip, side = fliptransition.Transition("curl"), 4096
        picture, counts = bytes(side * side), [0]
        done = threading.Event()

        def draw():
            flip.draw(0.5, picture, picture, format="gray", width=side, height=side)
            done.set()

        thread = threading.Thread(target=draw)
        thread.start()
        while not done.wait(0.001):
            counts[0] += 1
        thread.join()
        self.assertGreater(counts[0], 3)

    def test_memory_is_given_back(self):
        flip = fliptransition.Transition()
        size = dict(format="gray", width=8, height=8)
        a, b, out = bytearray(64), bytearray(64), bytearray(64)
        flip.draw(0.5, a, b, out, **size)
        with self.assertRaises(fliptransition.PictureError):
            flip.draw(0.5, a, b, bytearray(63), **size)
        with self.assertRaises(fliptransition.PictureError):
            flip.draw(0.5, a, bytearray(65), out, **size)
        # Memory that is still lent can't be resized.
        for memory in (a, b, out):
            memory.append(0)
        before = sys.getrefcount(a)
        for _ in range(100):
            flip.draw(0.5, a[:64], b[:64], **size)
        self.assertEqual(sys.getrefcount(a), before)

    def test_closed_transitions_say_so(self):
        flip = fliptransition.Transition()
        self.assertFalse(flip.closed)
        with flip:
            flip.ease(0.5)
        self.assertTrue(flip.closed)
        flip.close()
        for call in [
            lambda: flip.ease(0.5),
            lambda: flip.progress(0, 3),
            lambda: flip.draw(0.5, bytes(4), bytes(4), format="gray", width=2, height=2),
            flip.__enter__,
        ]:
            with self.assertRaises(fliptransition.ClosedError):
                call()

    def test_transitions_are_freed_with_their_last_reference(self):
        for _ in range(300):
            fliptransition.Transition(threads=4)
        gc.collect()
        self.assertLess(len(__import__("os").listdir("/proc/self/task")), 40)

    def test_mistakes_have_their_types(self):
        flip = fliptransition.Transition()
        size = dict(format="rgb24", width=2, height=2)
        whole = bytes(12)
        shaped = memoryview(bytes(4)).cast("B", [2, 2])

        class Impostor:
            __array_interface__ = dict(shape=(2, 2), typestr="|u1", strides=(0, 1), data=(1 << 12, True), version=3)

        class Circular:
            __array_interface__ = dict(shape=(2, 2, 3), typestr="|u1", version=3)

        def planar(first, second, third=None):
            return flip.draw(0.5, third or [shaped] * first, [shaped] * second, format="yuv444p")

        for kind, word, call in [
            (fliptransition.OptionError, "unknown style 'nope'", lambda: fliptransition.Transition("nope")),
            (fliptransition.OptionError, "unknown option 'colour'", lambda: fliptransition.Transition(colour="red")),
            (fliptransition.OptionError, "creases means nothing", lambda: fliptransition.Transition("flip", creases=2)),
            (fliptransition.OptionError, "direction 'a b'", lambda: fliptransition.Transition(direction="a\nb")),
            (fliptransition.OptionError, "0.05...0.95", lambda: fliptransition.Transition(spine=2)),
            (fliptransition.OptionError, "1...256", lambda: fliptransition.Transition(threads=0)),
            (fliptransition.ArgumentError, "expected text", lambda: fliptransition.Transition("fl\0ip")),
            (fliptransition.ArgumentError, "0...1", lambda: flip.draw(1.5, whole, whole, **size)),
            (fliptransition.ArgumentError, "0...1", lambda: flip.draw(float("nan"), whole, whole, **size)),
            (fliptransition.ArgumentError, "a number", lambda: flip.draw("0.5", whole, whole, **size)),
            (fliptransition.ArgumentError, "3 of 3", lambda: flip.progress(3, 3)),
            (fliptransition.ArgumentError, "width and height", lambda: flip.draw(0.5, whole, whole, format="rgb24")),
            (fliptransition.FormatError, "pixel format", lambda: flip.draw(0.5, whole, whole)),
            (
                fliptransition.FormatError,
                "'p010le'",
                lambda: flip.draw(0.5, whole, whole, format="p010le", width=2, height=2),
            ),
            (
                fliptransition.FormatError,
                "1...16384",
                lambda: flip.draw(0.5, whole, whole, format="rgb24", width=2, height=0),
            ),
            (fliptransition.PictureError, "11 bytes (expected 12)", lambda: flip.draw(0.5, whole, whole[1:], **size)),
            (fliptransition.PictureError, "read-only", lambda: flip.draw(0.5, whole, whole, bytes(12), **size)),
            (fliptransition.PictureError, "b is of type int", lambda: flip.draw(0.5, whole, 5, **size)),
            (fliptransition.PictureError, "a is None", lambda: flip.draw(0.5, None, whole, **size)),
            (
                fliptransition.PictureError,
                "type is 'f'",
                lambda: flip.draw(0.5, array.array("f", [0] * 3), whole, **size),
            ),
            (fliptransition.PictureError, "4 planes (expected 3)", lambda: planar(4, 3)),
            (fliptransition.PictureError, "4 planes (expected 3)", lambda: planar(3, 4)),
            (fliptransition.PictureError, "2 planes (expected 3)", lambda: planar(2, 3)),
            (fliptransition.PictureError, "overlap", lambda: planar(3, 3, [shaped, shaped, Impostor()])),
            (fliptransition.PictureError, "doesn't describe", lambda: flip.draw(0.5, Circular(), whole, **size)),
            (fliptransition.PictureError, "0 planes", lambda: flip.draw(0.5, [], whole, **size)),
        ]:
            with self.subTest(word), self.assertRaises(kind) as caught:
                call()
            self.assertIn(word, str(caught.exception))
            self.assertIsInstance(caught.exception, fliptransition.FlipTransitionError)

    def test_shared_memory_is_refused(self):
        memory = bytearray(24)
        view = memoryview(memory)
        flip = fliptransition.Transition()
        with self.assertRaises(fliptransition.PictureError) as caught:
            flip.draw(0.5, view[:12], bytes(12), view[6:18], format="rgb24", width=2, height=2)
        self.assertIn("share memory", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
