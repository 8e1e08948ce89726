"""Measures the preview in Chromium: from pointer events to paint, what a burst leaves behind, and the first picture.

    preview_measure.py WIDTH HEIGHT CLIP CLIP
"""

import sys
import time

from browser import Browser
from preview_server import Preview


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def moves(browser, count, pause, amplitude=0.18):
    """Moves back and forth, slowly enough that the page doesn't leave the hand."""
    box = browser.evaluate("(({x, y, width, height}) => [x, y, width, height])(canvas.getBoundingClientRect())")
    place = lambda x: (box[0] + x * box[2], box[1] + box[3] / 2)
    browser.mouse("Pressed", *place(0.9))
    numbers = []
    for i in range(count):
        phase = (i % 100) / 50
        x = 0.9 - amplitude * (phase if phase < 1 else 2 - phase) - 0.05
        if pause:
            time.sleep(pause)
        numbers.append(browser.mouse("Moved", *place(x), wait=False))
    for number in numbers:
        browser.finish(number)
    return place


def main(width, height, clips):
    begin = time.monotonic()
    with Preview(*clips, "--style", "card") as preview:
        listening = time.monotonic() - begin
        # The page's own parts take 394 pixels of the width, so that the picture is as wide as asked for.
        with Browser(width=width + 16 + 16 + 16 + 330, height=height + 400) as browser:
            start = time.monotonic()
            browser.open(preview.address)
            browser.wait("window.preview?.paints > 0")
            first = time.monotonic() - start
            shown = browser.evaluate("[canvas.getBoundingClientRect().width, preview.last.width]")
            print(f"listening after {listening:.2f} s, first picture {first:.2f} s later, shown at {shown}")
            browser.wait("preview.last.isExact")
            moves(browser, 20, 0.016)
            browser.evaluate("preview.latencies.length = preview.parts.length = 0; 0")
            browser.mouse("Released", 1, 1)
            time.sleep(2)
            browser.evaluate("preview.latencies.length = preview.parts.length = 0; 0")
            moves(browser, 200, 0.016)
            time.sleep(0.5)
            found = browser.evaluate("preview.latencies")
            print(f"{len(found)} paints for 200 moves: median {percentile(found, 0.5):.1f} ms, "
                  f"p95 {percentile(found, 0.95):.1f} ms, most {max(found):.1f} ms")
            parts = list(zip(*browser.evaluate("preview.parts")))
            names = ("event to request", "request to answer", "decoding", "to the frame")
            print(", ".join(f"{name} {percentile(part, 0.5):.1f} ms" for name, part in zip(names, parts)) + " (medians)")
            browser.mouse("Released", 1, 1)
            time.sleep(2)
            browser.evaluate("""window.lastMove = 0;
              canvas.addEventListener("pointermove", (event) => { window.lastMove = event.timeStamp; });
              preview.onPaint = (header) => { if (!header.isExact) window.lastMotion = performance.now(); }; 0""")
            moves(browser, 500, 0)
            time.sleep(1)
            print(f"after a burst of 500 moves: the last picture {browser.evaluate('lastMotion - lastMove'):.1f} ms "
                  "after the last move")
        print(f"memory of the server: {preview.memory():.0f} MiB at most")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
