"""Frames between NumPy arrays are the program's frames."""

import math
import threading
import unittest

import numpy

import fliptransition
from support import HEIGHT, PLANAR, WIDTH, Case, pictures, planes, run, still, PROGRAM

LOOKS = [
    ("0.3", dict(style="flip", direction="backward")),
    ("0.62", dict(style="fold", mode="cubic", shadow_color="red")),
]


def joined(arrays):
    return b"".join(array.tobytes() for array in arrays)


class Interface:
    """An array that only NumPy's protocol describes, with changes."""

    def __init__(self, array, **changes):
        self.array = array
        self.__array_interface__ = array.__array_interface__ | changes


class DrawTests(Case):
    def test_frames_are_the_programs_in_every_format(self):
        for name in PLANAR:
            (first, first_file), (second, second_file) = pictures(name)
            for progress, options in LOOKS:
                expected = still([first_file, second_file], name, progress, **options)
                # Without tags, the program takes the matrix of pictures of this size to be that of BT.601.
                matrix = {} if PLANAR[name].startswith("gbr") else {"matrix": "bt601"}
                with self.subTest(format=name, **options), fliptransition.Transition(**options, **matrix) as flip:
                    a, b = planes(first, name), planes(second, name)
                    drawn = flip.draw(float(progress), a, b, format=name)
                    self.assertIsInstance(drawn, tuple)
                    self.assertSame(joined(drawn), expected, "a tuple of arrays")
                    raw = flip.draw(float(progress), first, bytearray(second), format=name, width=WIDTH, height=HEIGHT)
                    self.assertIsInstance(raw, bytearray)
                    self.assertSame(raw, expected, "bytes")
                    self.assertSame(
                        joined(flip.draw(float(progress), *map(self.padded, (a, b)), format=name)), expected
                    )

    def padded(self, arrays):
        """The same samples in rows that are farther apart than they are long, and stored bottom up."""
        result = []
        for array in arrays:
            shape = (array.shape[0], array.shape[1] + 5, *array.shape[2:])
            room = numpy.full(shape, 77, array.dtype)[::-1, 3 : 3 + array.shape[1]]
            room[...] = array
            result.append(room)
        return result

    def test_a_shutter_shows_the_mean_of_its_time(self):
        """A frame is the mean of what is seen while it is exposed (EFFECTS 2.1), here of 64 moments."""
        (first, _), (second, _) = pictures("yuv420p")
        a, b = planes(first, "yuv420p"), planes(second, "yuv420p")
        index, count, angle = 4, 18, 180
        middle, half = (index + 1) / (count + 1), angle / 720 / (count + 1)
        for look in [dict(style="push"), dict(style="flip", bend=0.4)]:
            with (
                self.subTest(**look),
                fliptransition.Transition(**look, easing="linear", shutter=angle) as exposed,
                fliptransition.Transition(**look, easing="linear") as sharp,
            ):
                moments = [middle - half + 2 * half * (k + 0.5) / 64 for k in range(64)]
                seen = [sharp.draw(moment, a, b, format="yuv420p") for moment in moments]
                frame = exposed.draw_frame(index, count, a, b, format="yuv420p")
                still = sharp.draw_frame(index, count, a, b, format="yuv420p")
                for plane in range(3):
                    mean = numpy.mean([picture[plane].astype(float) for picture in seen], axis=0)
                    error = numpy.mean((frame[plane].astype(float) - mean) ** 2)
                    self.assertGreater(10 * math.log10(255**2 / max(error, 1e-9)), 44)
                    self.assertFalse(numpy.array_equal(frame[plane], still[plane]))

    def test_formats_follow_from_shape_and_dtype(self):
        for name in ["gray", "gray16le", "rgb24", "rgb48le", "rgba"]:
            (first, first_file), (second, second_file) = pictures(name)
            expected = still([first_file, second_file], name, "0.4", style="card")
            (a,), (b,) = planes(first, name), planes(second, name)
            drawn = fliptransition.Transition("card").draw(0.4, a, b)
            self.assertEqual((drawn.shape, drawn.dtype), (a.shape, a.dtype))
            self.assertSame(drawn.tobytes(), expected, name)

    def test_out_is_drawn_into(self):
        for name in ["rgb24", "yuv420p10le", "nv12"]:
            (first, first_file), (second, second_file) = pictures(name)
            expected = still([first_file, second_file], name, "0.4", style="curl")
            out = self.padded([numpy.zeros_like(array) for array in planes(first, name)])
            room = out[0].base
            edges = room[:, :3].copy(), room[:, 3 + WIDTH :].copy()
            flip = fliptransition.Transition("curl")
            returned = flip.draw(0.4, planes(first, name), planes(second, name), out, format=name)
            self.assertIs(returned, out)
            self.assertSame(joined(out), expected, name)
            # What lies between the rows isn't touched.
            self.assertTrue((room[:, :3] == edges[0]).all() and (room[:, 3 + WIDTH :] == edges[1]).all())
            raw = bytearray(len(first))
            flip.draw(0.4, first, second, raw, format=name, width=WIDTH, height=HEIGHT)
            self.assertSame(raw, expected, name)

    def test_the_ends_are_the_pictures(self):
        (first, _), (second, _) = pictures("rgb24")
        (a,), (b,) = planes(first, "rgb24"), planes(second, "rgb24")
        flip = fliptransition.Transition()
        self.assertTrue((flip.draw(0, a, b) == a).all() and (flip.draw(1, a, b) == b).all())

    def test_a_flat_row_is_a_row(self):
        (first, _), (second, _) = pictures("rgb24")
        (a,), (b,) = planes(first, "rgb24"), planes(second, "rgb24")
        flip = fliptransition.Transition()
        flat = flip.draw(0.3, a.reshape(HEIGHT, WIDTH * 3), b, format="rgb24")
        self.assertEqual(flat.shape, (HEIGHT, WIDTH * 3))
        self.assertSame(flat.tobytes(), flip.draw(0.3, a, b).tobytes())

    def test_the_stride_of_a_single_row_means_nothing(self):
        flip = fliptransition.Transition()
        for dtype in [numpy.uint8, numpy.uint16]:
            a = numpy.arange(30, dtype=dtype).reshape(1, 10, 3)
            for stride in [0, 1, -7]:
                odd = Interface(a, strides=(stride, *a.strides[1:]))
                self.assertTrue((flip.draw(0, odd, a, a.copy()) == a).all())

    def test_objects_with_an_array_interface(self):
        (first, _), (second, _) = pictures("rgb24")
        (a,), (b,) = planes(first, "rgb24"), planes(second, "rgb24")
        flip = fliptransition.Transition()
        expected = flip.draw(0.3, a, b)
        out = Interface(numpy.empty_like(a))
        flip.draw(0.3, Interface(a), Interface(b), out)
        self.assertTrue((out.array == expected).all())
        self.assertTrue((numpy.asarray(flip.draw(0.3, Interface(a), Interface(b))) == expected).all())

    def test_sizes_and_options_change(self):
        flip = fliptransition.Transition("flip", threads=2)
        for width, height in [(4, 3), (64, 48), (1, 1), (4, 3)]:
            a = numpy.full((height, width, 3), 9, numpy.uint8)
            self.assertTrue((flip.draw(0.0, a, a + 1) == 9).all() and (flip.draw(1.0, a, a + 1) == 10).all())

    def test_numpys_scalars_are_taken(self):
        a = numpy.zeros((6, 8, 3), numpy.uint8)
        with fliptransition.Transition(reverse=numpy.bool_(True), pull_back=numpy.float32(0.5)) as flip:
            drawn = flip.draw(numpy.float64(0.5), a, a + 9, format="rgb24", width=numpy.int64(8), height=numpy.int16(6))
        plain = fliptransition.Transition(reverse=True, pull_back=0.5).draw(0.5, a, a + 9)
        self.assertTrue((drawn == plain).all())

    def test_threads_draw_the_same_with_one_transition(self):
        (first, _), (second, _) = pictures("rgb24")
        (a,), (b,) = planes(first, "rgb24"), planes(second, "rgb24")
        shared, small = fliptransition.Transition("fold"), a[:30, :40]
        expected = [fliptransition.Transition("fold").draw(0.3, *pair) for pair in [(a, b), (small, small[::-1])]]
        wrong = []

        def draw():
            for _ in range(50):
                for pair, frame in zip([(a, b), (small, small[::-1])], expected):
                    if not (shared.draw(0.3, *pair) == frame).all():
                        wrong.append(1)

        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class CatalogTests(Case):
    def test_styles_are_the_programs(self):
        import json

        printed = json.loads(run(PROGRAM, "styles", "--json"))
        styles = fliptransition.styles()
        self.assertEqual([style.name for style in styles], [entry["name"] for entry in printed])
        for style, entry in zip(styles, printed):
            self.assertEqual((style.summary, style.origin), (entry["summary"], entry["origin"]))
            self.assertEqual([look.name for look in style.looks], [look["name"] for look in entry["looks"]])
            for option, row in zip(style.options, entry["options"], strict=True):
                self.assertEqual(option.choices, tuple(row["choices"]) if "choices" in row else None)
                for field in ["name", "summary", "default", "values", "type", "minimum", "maximum", "unit"]:
                    self.assertEqual(getattr(option, field), row.get(field), f"{style.name} {option.name} {field}")

    def test_every_default_is_accepted(self):
        for style in fliptransition.styles():
            fliptransition.Transition(
                style.name, **{option.keyword: option.default for option in style.options}
            ).close()
            for look in style.looks:
                fliptransition.Transition(style.name, look=look.name).close()

    def test_the_version_is_the_programs(self):
        self.assertEqual(fliptransition.version(), run(PROGRAM, "--version").decode().splitlines()[0])
        self.assertEqual(fliptransition.__version__, fliptransition.version())
        with self.assertRaises(AttributeError):
            fliptransition.none

    def test_a_transition_shows_how_it_was_made(self):
        fold = fliptransition.Transition("fold", mode="cubic", shadow_color="navy")
        self.assertEqual(repr(fold), "Transition(style='fold', mode='cubic', shadow_color='navy')")
        again = eval(repr(fold), {"Transition": fliptransition.Transition})
        self.assertEqual(again.ease(0.3), fold.ease(0.3))
        again.close()
        fold.close()
        self.assertTrue(repr(fold).endswith(" (closed)"))

    def test_progress_is_that_of_frames(self):
        flip = fliptransition.Transition(easing="linear")
        self.assertEqual([flip.progress(index, 3) for index in range(3)], [0.25, 0.5, 0.75])
        self.assertEqual(flip.ease(0.25), 0.25)


if __name__ == "__main__":
    unittest.main()
