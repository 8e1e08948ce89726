"""The preview's page as a user sees it in a browser."""

import base64
import time

from browser import Browser
from preview_server import Preview, psnr, still

# What is on the canvas, as RGB; alpha is 255 everywhere.
PIXELS = """(() => {
  const canvas = document.getElementById("canvas");
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, j = 0; i < data.length; i += 4) { rgb[j++] = data[i]; rgb[j++] = data[i + 1]; rgb[j++] = data[i + 2]; }
  let text = "";
  for (let i = 0; i < rgb.length; i += 8192) text += String.fromCharCode(...rgb.subarray(i, i + 8192));
  return { width, height, rgb: btoa(text) };
})()"""

AT_REST = "!window.preview?.state || !preview.last?.isExact || preview.last.isMoving ? null : preview.last"


class Page:
    """The preview's page in a browser."""

    def __init__(self, clips, arguments=(), folder=None, **screen):
        self.clips = clips
        self.preview = Preview(*clips, *arguments, folder=folder)
        self.browser = Browser(**screen)
        try:
            self.browser.open(self.preview.address)
            self.rest()
        except BaseException:
            self.browser.close()
            self.preview.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.close()
        assert self.preview.stop() == 0

    def rest(self, condition="true"):
        """Waits for the exact picture; returns its place."""
        return self.browser.wait(f"(() => {{ const last = {AT_REST}; return last && ({condition}) ? last : null }})()")

    def change(self, script):
        """Runs a script that changes the look, and waits for the pictures of it: one in motion and the exact one."""
        before = self.browser.evaluate("preview.paints")
        self.browser.evaluate(f"(() => {{ {script} }})()")
        return self.rest(f"preview.paints >= {before + 2}")

    def pixels(self):
        value = self.browser.evaluate(PIXELS)
        return value["width"], value["height"], base64.b64decode(value["rgb"])

    def matches(self, progress, *options, clips=None):
        """Checks that the canvas is what `still` writes, sample for sample."""
        first, second = clips or self.clips[:2]
        shown, expected = self.pixels(), still(first, second, progress, *options)
        assert shown[:2] == expected[:2], (shown[:2], expected[:2])
        assert shown[2] == expected[2], f"at {progress}: {psnr(shown[2], expected[2]):.1f} dB"

    def box(self):
        box = self.browser.evaluate("(({x, y, width, height}) => ({x, y, width, height}))(canvas.getBoundingClientRect())")
        return lambda x, y: (box["x"] + x * box["width"], box["y"] + y * box["height"])

    def drag(self, points, pause=0.0, releases=True):
        """Drags the mouse along points in fractions of the picture, with `pause` seconds between them."""
        place = self.box()
        self.browser.mouse("Pressed", *place(*points[0]))
        for point in points[1:]:
            time.sleep(pause)
            self.browser.mouse("Moved", *place(*point))
        if releases:
            self.release(points[-1])

    def release(self, point):
        self.browser.mouse("Released", *self.box()(*point))

    def slow(self, start, end, y=0.5, steps=12, pause=0.06, releases=True):
        # 0.4 s of rest at the end: the speed of the hand is then 0.
        self.drag([(start + (end - start) * i / steps, y) for i in range(steps + 1)], pause, releases=False)
        time.sleep(0.4)
        if releases:
            self.release((end, y))
