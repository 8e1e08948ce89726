#!/usr/bin/env python3
"""Compares the pages that stand for the steps of a PowerPoint file's slides with what is to be seen after each click, as
slide_builds.py reads it from the standard: which shapes and paragraphs are there. It needs no drawing, so that it judges any
deck.

    slide_pages.py DECK FOLDER

FOLDER has the parts of the copy that differ from the deck, and steps.json: for each slide, the page among its own that shows it
after each click; nothing for slides of one page.
"""
import json
import os
import posixpath
import sys
import zipfile
from xml.etree import ElementTree

from slide_builds import PACKAGE, R, a, contents, p, states, within

NO_FILL, LINE = a("noFill"), a("ln")


def pages(read):
    """The slides' elements in the order of a presentation whose parts `read` returns."""
    main, relations = (ElementTree.fromstring(read(name)) for name in ("ppt/presentation.xml", "ppt/_rels/presentation.xml.rels"))
    targets = {one.get("Id"): one.get("Target") for one in relations.iter("{%s}Relationship" % PACKAGE)}
    for entry in main.find(p("sldIdLst")):
        target = targets[entry.get("{%s}id" % R)]
        yield ElementTree.fromstring(read(posixpath.join("ppt", target).lstrip("/")))


def is_bare(shape):
    """Whether a shape has neither a fill nor an outline."""
    properties = shape.find(p("spPr"))
    line = properties.find(LINE) if properties is not None else None
    return line is not None and properties.find(NO_FILL) is not None and line.find(NO_FILL) is not None


def is_transparent(paragraph):
    """Whether nothing is seen of a paragraph."""
    colors = [run.find("/".join(map(a, ("rPr", "solidFill", "srgbClr", "alpha")))) for run in runs(paragraph)]
    return all(one is not None and one.get("val") == "0" for one in colors)


def runs(paragraph):
    """The runs of a paragraph that have text."""
    return [one for one in paragraph if one.tag in (a("r"), a("fld")) and (one.findtext(a("t")) or "").strip()]


def visible(page, original):
    """The shapes of a page, and their paragraphs that aren't transparent. `original` has the same shapes without effects."""
    found = set()
    for key, (shape, paragraphs) in contents(page).items():
        if not is_bare(shape) or is_bare(original[key][0]):
            found.add(key)
        found |= {"%s.%d" % (key, number) for number, one in enumerate(paragraphs) if runs(one) and not is_transparent(one)}
    return found


def expected(slide):
    """What is to be seen after each click."""
    shapes, around = contents(slide), within(slide)
    everything = {(key, None) for key in shapes}
    everything |= {(key, number) for key, (_, parts) in shapes.items() for number, one in enumerate(parts) if runs(one)}
    for hidden, _ in states(slide):
        found = set()
        for key, number in everything:
            gone = any((one, None) in hidden for one in [key] + around.get(key, []))
            if gone or (key, "bg" if number is None else number) in hidden:
                continue
            found.add(key if number is None else "%s.%d" % (key, number))
        yield found


def compare(deck, folder):
    archive = zipfile.ZipFile(deck)

    def changed(name):
        path = os.path.join(folder, name)
        return open(path, "rb").read() if os.path.exists(path) else archive.read(name)

    with open(os.path.join(folder, "steps.json")) as file:
        steps = json.load(file)
    copies = list(pages(changed))
    count = wrong = 0
    for number, (slide, order) in enumerate(zip(pages(archive.read), steps), 1):
        own = [copies.pop(0) for _ in range(max(order, default=0) + 1)]
        wanted = list(expected(slide))
        if not order:
            # Where nothing is ever hidden, there is one page.
            order = [0] * len(wanted)
        shown = [visible(own[place], contents(slide)) for place in order]
        for click in range(max(len(wanted), len(shown))):
            count += 1
            before, after = wanted[click:click + 1], shown[click:click + 1]
            if before != after:
                wrong += 1
                print("slide %d, click %d: %s instead of %s" % (number, click, after, before))
    print("%d steps, %d wrong, %d pages too many" % (count, wrong, len(copies)))
    return 1 if wrong or copies else 0


if __name__ == "__main__":
    sys.exit(compare(*sys.argv[1:]))
