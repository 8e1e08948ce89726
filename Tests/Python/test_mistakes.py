"""Whatever is handed over as a picture is drawn, or refused with an error of the package; nothing crashes.

FLIPTRANSITION_CASES is the number of cases (5000).
"""

import array
import os
import threading
import unittest

import hypothesis
import numpy
from hypothesis import strategies as some

import fliptransition
from support import FORMATS, is_deep, shapes

CASES = int(os.environ.get("FLIPTRANSITION_CASES", "5000"))
hypothesis.settings.register_profile(
    "cases", max_examples=CASES, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)  # fmt: skip
hypothesis.settings.load_profile("cases")

#: Names that no option has.
OTHERS = ["x", "a\0"]
#: What is around every picture, so that writes beside it are seen.
GUARD = 0xA5

sides = some.integers(1, 9)
dtypes = some.sampled_from(["u1", "<u2", ">u2", "i1", "<i2", "f4", "f8", "?", "c8", "S1", "O", "M8[s]", "u1,u1"])
likely = some.sampled_from(["u1", "<u2"])


class Impostor:
    """An object whose description of itself is made up, without an address."""

    def __init__(self, interface):
        self.__array_interface__ = interface


@some.composite
def arrays(draw, like=None):
    """A NumPy array of any shape, type and layout, or of those of `like`, within memory with guards."""
    dtype = numpy.dtype(draw(some.one_of(likely, dtypes))) if like is None else like.dtype
    shape = draw(some.lists(some.integers(0, 9), min_size=0, max_size=4)) if like is None else like.shape
    if like is None and draw(some.booleans()):
        shape = [draw(sides), draw(sides), draw(some.integers(1, 4))][: draw(some.integers(2, 3))]
    if dtype.hasobject or dtype.names or dtype.kind in "MS":
        return numpy.zeros(shape, dtype)
    # Rows and pixels are one longer than they have to be, and the memory may begin anywhere.
    longer = [size + 1 for size in shape]
    count, shift = int(numpy.prod(longer)), draw(some.integers(0, 3))
    room = numpy.full(count * dtype.itemsize + 32, GUARD, "u1")
    made = room[16 + shift : 16 + shift + count * dtype.itemsize].view(dtype).reshape(longer)
    made = made[tuple(slice(0, size) for size in shape)]
    kind = draw(some.sampled_from("plain plain plain turned reversed broadcast copied".split()))
    if kind == "turned":
        made = made.T
    elif kind == "reversed" and made.ndim:
        made = made[(slice(None),) * draw(some.integers(0, made.ndim - 1)) + (slice(None, None, -1),)]
    elif kind == "broadcast" and made.ndim and made.shape[0]:
        made = numpy.broadcast_to(made[:1], made.shape)
    elif kind == "copied":
        made = made.copy(draw(some.sampled_from("CF")))
    if draw(some.integers(0, 5)) == 0 and made.flags.writeable:
        made = made[...]
        made.flags.writeable = False
    return made


blobs = some.one_of(
    some.binary(max_size=400), some.binary(max_size=400).map(bytearray), some.binary(max_size=400).map(memoryview),
    some.lists(some.integers(0, 255), max_size=90).map(lambda values: array.array("B", values)),
    some.lists(some.integers(0, 255), max_size=90).map(lambda values: array.array("H", values)),
    some.lists(some.floats(0, 1), max_size=9).map(lambda values: array.array("d", values)),
)  # fmt: skip
scalars = some.one_of(
    some.none(), some.integers(), some.text(max_size=3), some.floats(), some.just(object()), some.just(numpy.ndarray)
)
impostors = some.one_of(
    scalars,
    some.fixed_dictionaries(
        {},
        optional={
            "shape": some.one_of(
                scalars, some.tuples(sides, sides, some.integers(-1, 4)), some.just((1 << 62, 1 << 62))
            ),
            "typestr": some.sampled_from(["|u1", "<u2", ">u2", "u", "", "|V8", "<f4", 3]),
            "data": some.one_of(scalars, blobs, some.just((0, False)), some.just(())),
            "strides": some.one_of(scalars, some.tuples(sides, sides, sides)),
            "offset": some.one_of(scalars, some.integers(-9, 9)),
            "mask": some.one_of(some.none(), some.just(True)),
            "version": some.just(3),
        },
    ),
).map(Impostor)
parts = some.one_of(arrays(), arrays(), arrays(), blobs, scalars, impostors)
pictures = some.one_of(
    parts, parts, some.lists(parts, max_size=5), some.lists(arrays(), min_size=1, max_size=4).map(tuple)
)


@some.composite
def proper(draw, name=None):
    """A format, a size and a picture that fits them."""
    name = name or draw(some.sampled_from(FORMATS))
    width, height = draw(sides), draw(sides)
    return name, width, height


def fitting(name, width, height):
    """The arrays of a picture."""
    return [numpy.full(shape, 7, "<u2" if is_deep(name) else "u1") for shape in shapes(name, width, height)]


flips = {}


def flip(style="flip"):
    if style not in flips:
        flips[style] = fliptransition.Transition(style)
    return flips[style]


class MistakeTests(unittest.TestCase):
    drawn = refused = 0

    def attempt(self, call):
        """Calls, and returns the result; None if it was refused."""
        try:
            result = call()
        except fliptransition.FlipTransitionError as error:
            sentence = str(error)
            self.assertTrue(5 < len(sentence) and "\n" not in sentence and not sentence.endswith("."), sentence)
            MistakeTests.refused += 1
            return None
        MistakeTests.drawn += 1
        return result

    @hypothesis.given(some.floats(0, 1), pictures, pictures, some.one_of(some.none(), pictures), some.data())
    def test_anything_is_drawn_or_refused(self, progress, a, b, out, data):
        keywords = {}
        for name, values in [
            ("format", some.sampled_from(FORMATS + ["p010le", "", "rgb24\0"])),
            ("width", some.integers(-1, 9)),
            ("height", some.one_of(some.integers(-1, 9), some.just(1 << 70))),
        ]:
            if data.draw(some.booleans()):
                keywords[name] = data.draw(values)
        self.attempt(lambda: flip().draw(progress, a, b, out, **keywords))

    @hypothesis.given(proper(), some.data())
    def test_one_wrong_part_is_refused(self, kind, data):
        """A picture of which one plane is replaced: what is drawn has the shape and the type of the right one."""
        name, width, height = kind
        trio = [fitting(*kind) for _ in range(3)]
        place = data.draw(some.integers(0, 2))
        index = data.draw(some.integers(0, len(trio[place]) - 1))
        right = trio[place][index]
        wrong = data.draw(some.one_of(parts, arrays(right)))
        trio[place][index] = wrong
        if data.draw(some.booleans()):
            for plane in (plane for picture in trio for plane in picture if isinstance(plane, numpy.ndarray)):
                if plane.flags.writeable and plane.dtype.kind == "u":
                    plane[...] = numpy.arange(plane.size).reshape(plane.shape) * 11 % 251
        before = [[plane.copy() for plane in picture if isinstance(plane, numpy.ndarray)] for picture in trio[:2]]
        room = wrong if isinstance(wrong, numpy.ndarray) else None
        while room is not None and isinstance(room.base, numpy.ndarray):
            room = room.base
        guards = None if room is None else room.tobytes()
        drawn = self.attempt(lambda: flip().draw(0.5, *trio[:2], trio[2], format=name, width=width, height=height))
        if isinstance(wrong, numpy.ndarray):
            flat = (right.shape[0], right.size // right.shape[0])
            if drawn is not None:
                self.assertIn(wrong.shape, [right.shape, flat, (*flat, 1)])
                self.assertEqual(wrong.dtype, right.dtype)
                self.assertTrue(place < 2 or wrong.flags.writeable)
                plain = [[numpy.array(plane) for plane in picture] for picture in trio[:2]]
                expected = flip().draw(0.5, *plain, format=name, width=width, height=height)
                for plane, same in zip(drawn, expected):
                    self.assertEqual(plane.tobytes(), same.tobytes())
            if drawn is None or place < 2:
                self.assertEqual(room.tobytes(), guards, "the memory of a picture that is read has changed")
        # Pictures that are read are never written.
        for picture, copies in zip(trio[:2], before):
            kept = [plane for plane in picture if isinstance(plane, numpy.ndarray)]
            for plane, copy in zip(kept, copies):
                self.assertEqual(plane.tobytes(), copy.tobytes())

    @hypothesis.given(proper())
    @hypothesis.settings(max_examples=max(30, CASES // 10))
    def test_what_fits_is_drawn(self, kind):
        name, width, height = kind
        a, b = fitting(*kind), fitting(*kind)
        drawn = flip("fold").draw(0.5, a, b, format=name)
        self.assertEqual([(p.shape, p.dtype) for p in drawn], [(p.shape, p.dtype) for p in a])
        raw = b"".join(plane.tobytes() for plane in a)
        drawn_raw = flip("fold").draw(0.5, raw, raw, format=name, width=width, height=height)
        self.assertEqual(bytes(drawn_raw), b"".join(plane.tobytes() for plane in drawn))

    @hypothesis.given(
        some.dictionaries(
            some.sampled_from(
                [option.keyword for style in fliptransition.styles() for option in style.options] + OTHERS
            ),
            some.one_of(scalars, some.tuples(some.floats(), some.floats()), some.integers(-9, 99)),
            max_size=2,
        )
    )
    @hypothesis.settings(max_examples=max(1, CASES // 10))
    def test_any_option_is_taken_or_refused(self, options):
        made = self.attempt(lambda: fliptransition.Transition(**options))
        if made is not None:
            made.close()

    @hypothesis.given(some.lists(some.sampled_from("draw close ease".split()), max_size=8))
    @hypothesis.settings(max_examples=max(1, CASES // 50))
    def test_closing_while_others_draw(self, actions):
        shared, picture = fliptransition.Transition(), numpy.zeros((16, 16, 3), "u1")
        calls = {
            "draw": lambda: shared.draw(0.5, picture, picture),
            "close": shared.close,
            "ease": lambda: shared.ease(0.5),
        }
        threads = [threading.Thread(target=self.attempt, args=[calls[action]]) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        shared.close()

    @classmethod
    def tearDownClass(cls):
        # So that the cases don't all miss what is tested.
        print(f"{cls.drawn} calls succeeded, and {cls.refused} were refused")


if __name__ == "__main__":
    unittest.main()
