"""Takes the screenshots of docs/PREVIEW.md.

    preview_screenshots.py FOLDER CLIPS_FOLDER CLIP CLIP...
"""

import os
import subprocess
import sys
import time

from preview_page import Page


def main(folder, place, clips):
    for width, height, name in ((1280, 800, "wide"), (360, 740, "narrow")):
        for dark in (False, True):
            with Page(clips, ["--look", "desk"], folder=place, width=width, height=height, dark=dark) as page:
                if name == "wide":
                    page.browser.evaluate("record.click()")
                    page.slow(0.9, 0.4, steps=20, pause=0.03)
                    page.rest("last.progress === 1")
                    page.browser.evaluate("record.click()")
                    page.browser.wait("!save.disabled")
                    page.browser.key("Home", number=36)
                    page.rest("last.progress === 0")
                page.slow(0.9, 0.62, releases=False)
                page.rest("last.progress > 0.3")
                shoot(page, folder, f"{name}-{'dark' if dark else 'light'}")
    with Page(clips, ["--look", "desk"], folder=place, width=1280, height=800) as page:
        page.browser.evaluate("sheet.open = true; scrollTo(0, sheet.offsetTop - 8)")
        page.browser.wait("[...document.querySelectorAll('#cells img')].every((image) => image.complete)")
        shoot(page, folder, "sheet")


def shoot(page, folder, name):
    picture = os.path.join(folder, f"{name}.png")
    page.browser.screenshot(picture)
    webp = os.path.join(folder, f"{name}.webp")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", picture, "-quality", "82", webp], check=True)
    os.remove(picture)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:])
