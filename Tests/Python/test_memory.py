"""Frames of every style, in formats of every kind, in memory that ends where the samples end.

Under valgrind, this shows reads and writes beside them, and uses of memory that nothing was written to. It needs no
other package, and little time.
"""

import array
import random
import unittest

import fliptransition
from support import FORMATS, is_deep, shapes

#: Small sizes, at which edges are everywhere, and one with whole vectors and their remainders.
SIZES = [(1, 1), (3, 8), (9, 2), (67, 35)]


class MemoryTests(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(7)

    def lent(self, form, width, height, fills=True):
        """A picture whose planes are arrays of just the samples, as views with the planes' shapes."""
        code = "H" if is_deep(form) else "B"
        views = []
        for shape in shapes(form, width, height):
            count = 1
            for side in shape:
                count *= side
            samples = [self.random.randrange(256) for _ in range(count)] if fills else [0] * count
            views.append(memoryview(array.array(code, samples)).cast("B").cast(code, shape))
        return views

    def raw(self, views):
        return array.array("B", b"".join(view.tobytes() for view in views))

    def test_every_style_and_format(self):
        for style in fliptransition.styles():
            for index, form in enumerate(FORMATS):
                width, height = SIZES[(index + len(style.name)) % len(SIZES)]
                with fliptransition.Transition(style.name, threads=1 + index % 2) as flip:
                    a, b = self.lent(form, width, height), self.lent(form, width, height)
                    out = self.lent(form, width, height, fills=False)
                    keywords = dict(format=form, width=width, height=height)
                    progress = self.random.random()
                    flip.draw(progress, a, b, out, **keywords)
                    drawn = flip.draw(progress, self.raw(a), self.raw(b), **keywords)
                    # Comparing looks at every sample that was drawn.
                    self.assertEqual(bytes(drawn), self.raw(out).tobytes(), (style.name, form, width, height, progress))

    def test_what_is_too_short_is_not_touched(self):
        flip = fliptransition.Transition("curl")
        for form in FORMATS:
            for width, height in SIZES:
                keywords = dict(format=form, width=width, height=height)
                whole = self.raw(self.lent(form, width, height))
                for place in range(3):
                    trio = [whole, whole[:], whole[:]]
                    trio[place] = trio[place][:-1]
                    with self.assertRaises(fliptransition.PictureError):
                        flip.draw(0.4, *trio, **keywords)
                    views = [self.lent(form, width, height) for _ in range(3)]
                    views[place][-1] = self.lent("rgba64" if is_deep(form) else "ya8", width, height + 1)[0]
                    with self.assertRaises(fliptransition.PictureError):
                        flip.draw(0.4, *views, **keywords)


if __name__ == "__main__":
    unittest.main()
