#!/usr/bin/env python3
"""Reads from a PowerPoint file what is to be seen of each slide after each click, by ECMA-376 part 1, 19.5 (Animation), and
compares a video with it. Written from the standard; it shares nothing with the program.

    slide_builds.py make SEED DECK        a deck of random effects, as PowerPoint writes them
    slide_builds.py judge DECK VIDEO      whether a video in which each step lasts a second, at 4 frames a second, shows the same
    slide_builds.py judge DECK VIDEO ODP  the same of a video of an OpenDocument file made from the deck, by that file's own
                                          effects (ODF 1.2 part 1, 15.36, and SMIL 2.0)

In decks that are judged, everything that can be seen has a color of its own.
"""
import collections
import random
import re
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def p(name):
    return "{%s}%s" % (P, name)


def a(name):
    return "{%s}%s" % (A, name)


# Reading


def slides(deck):
    """The slides' elements in the presentation's order."""
    archive = zipfile.ZipFile(deck)
    main = ElementTree.fromstring(archive.read("ppt/presentation.xml"))
    relations = ElementTree.fromstring(archive.read("ppt/_rels/presentation.xml.rels"))
    targets = {one.get("Id"): one.get("Target") for one in relations.iter("{%s}Relationship" % PACKAGE)}
    for entry in main.iter(p("sldId")):
        yield ElementTree.fromstring(archive.read("ppt/" + targets[entry.get("{%s}id" % R)]))


def begin_delay(node):
    """19.5.25: a condition with a number begins the node so many milliseconds after its parent."""
    conditions = node.find(p("stCondLst"))
    for one in conditions if conditions is not None else []:
        if re.fullmatch(r"-?\d+", one.get("delay", "")):
            return int(one.get("delay"))
    return 0


def waits_for_click(node):
    """A child of the main sequence begins when the sequence advances, unless another event begins it."""
    conditions = node.find(p("stCondLst"))
    conditions = list(conditions) if conditions is not None else []
    events = [one.get("evt") for one in conditions]
    return "onBegin" not in events and any(one.get("delay") == "indefinite" for one in conditions)


def target_of(behavior):
    """The shape, and what of it: all (None), "bg", or the numbers of paragraphs."""
    shape = behavior.find(p("tgtEl") + "/" + p("spTgt"))
    if shape is None:
        return None
    text = shape.find(p("txEl"))
    if text is not None and text.find(p("pRg")) is not None:
        area = text.find(p("pRg"))
        return shape.get("spid"), tuple(range(int(area.get("st")), int(area.get("end")) + 1))
    if shape.find(p("bg")) is not None:
        return shape.get("spid"), "bg"
    return shape.get("spid"), None


def events_in(node, start, found):
    """Collects (time, order, kind, target, value) of what the behaviors in a time node set."""
    for child in node:
        if child.tag in (p("par"), p("seq"), p("excl")):
            inner = child.find(p("cTn"))
            events_in(inner, start + begin_delay(inner), found)
        elif child.tag in (p("childTnLst"), p("subTnLst")):
            events_in(child, start, found)
        elif child.tag in (p("set"), p("animClr")):
            behavior = child.find(p("cBhvr"))
            node_of = behavior.find(p("cTn"))
            name = behavior.findtext(p("attrNameLst") + "/" + p("attrName"))
            value = child.find(p("to"))
            target = target_of(behavior)
            if target is None or value is None:
                continue
            time = start + begin_delay(node_of)
            stays = node_of.get("fill") == "hold" or node_of.get("dur") == "indefinite"
            when = node_of.get("masterRel")
            if name == "style.visibility":
                shown = value.find(p("strVal")).get("val") == "visible"
                if when == "nextClick":
                    found.append(("next", 0, len(found), "visible", target, shown))
                elif when == "sameClick":
                    found.append(("now", float("inf"), len(found), "visible", target, shown))
                else:
                    found.append(("now", time, len(found), "visible", target, shown))
                    if not stays:
                        end = time + int(node_of.get("dur"))
                        found.append(("now", end, len(found), "visible", target, not shown))
            elif child.tag == p("animClr") and stays and node_of.get("autoRev") != "1":
                color = value.find(a("srgbClr"))
                if color is not None:
                    event = (name, color.get("val"))
                    if when == "nextClick":
                        found.append(("next", 0, len(found), "color", target, event))
                    else:
                        found.append(("now", time, len(found), "color", target, event))


def clicks(slide):
    """What happens by itself, and with each click, in the order of time."""
    steps = [[]]
    carried = []
    for sequence in slide.iter(p("seq")):
        node = sequence.find(p("cTn"))
        if node.get("nodeType") != "mainSeq":
            continue
        for group in node.findall(p("childTnLst") + "/*"):
            inner = group.find(p("cTn"))
            if waits_for_click(inner):
                steps.append([])
            found = []
            events_in(inner, 0, found)
            now = sorted((one for one in found if one[0] == "now"), key=lambda one: (one[1], one[2]))
            steps[-1] += [one[3:] for one in carried + now]
            carried = [one for one in found if one[0] == "next"]
    return steps


def contents(slide):
    """The shapes by ID, each with the number of its paragraphs, also those within groups."""
    found = {}
    for kind in ("sp", "pic", "cxnSp", "graphicFrame", "grpSp"):
        for shape in slide.iter(p(kind)):
            properties = shape[0].find(p("cNvPr"))
            body = shape.find(p("txBody"))
            parts = body.findall(a("p")) if body is not None else []
            found[properties.get("id")] = (shape, parts)
    return found


def states(slide):
    """For each click the state: what is hidden as (shape, part), and colors that effects have set."""
    steps = clicks(slide)
    hidden, colors = set(), {}
    known = set()

    def pieces(target):
        shape, part = target
        return [(shape, one) for one in part] if isinstance(part, tuple) else [(shape, part)]

    for kind, target, value in (event for step in steps for event in step):
        if kind != "visible":
            continue
        for piece in pieces(target):
            if piece not in known:
                known.add(piece)
                if value:
                    hidden.add(piece)
    result = []
    for step in steps:
        for kind, target, value in step:
            for piece in pieces(target):
                if kind == "color":
                    colors[piece + (value[0],)] = value[1]
                elif value:
                    hidden.discard(piece)
                else:
                    hidden.add(piece)
        result.append((set(hidden), dict(colors)))
    return result


def within(slide):
    """For each shape, the groups around it."""
    around = {}

    def walk(element, groups):
        for child in element:
            if child.tag == p("grpSp"):
                own = child[0].find(p("cNvPr")).get("id")
                around[own] = groups
                walk(child, groups + [own])
            elif child.tag in (p("sp"), p("pic"), p("cxnSp"), p("graphicFrame")):
                around[child[0].find(p("cNvPr")).get("id")] = groups
            else:
                walk(child, groups)

    walk(slide, [])
    return around


def seen(slide):
    """For each click, what is visible: "3" for a shape (its fill), "3.0" for its first paragraph, with its color."""
    shapes, around = contents(slide), within(slide)
    result = []
    for hidden, colors in states(slide):
        now = {}
        for key, (shape, parts) in shapes.items():
            if any((one, None) in hidden for one in [key] + around.get(key, [])):
                continue
            fill = shape.find(p("spPr") + "/" + a("solidFill") + "/" + a("srgbClr"))
            if fill is not None and (key, "bg") not in hidden:
                color = colors.get((key, None, "fillcolor"), fill.get("val"))
                now[key] = color
            elif fill is None and not parts and shape.tag != p("grpSp"):
                now[key] = None
            for number, paragraph in enumerate(parts):
                own = paragraph.find(a("r") + "/" + a("rPr") + "/" + a("solidFill") + "/" + a("srgbClr"))
                if (key, number) in hidden or paragraph.find(a("r")) is None:
                    continue
                color = own.get("val") if own is not None else None
                for place in ((key, None), (key, number)):
                    color = colors.get(place + ("style.color",), color)
                now["%s.%d" % (key, number)] = color
        result.append(now)
    return result


# OpenDocument


def open_attribute(element, name):
    """The attribute with this local name."""
    for key, value in element.attrib.items():
        if key.rsplit("}")[-1] == name:
            return value
    return None


def open_local(element):
    return element.tag.rsplit("}")[-1]


def seconds(text):
    return float(text[:-1]) if text and re.fullmatch(r"[\d.]+s", text) else 0.0


def open_events(node, start, target, found):
    """Collects (time, order, target, visible) of a node and what is in it."""
    target = open_attribute(node, "targetElement") or target
    start += seconds(open_attribute(node, "begin"))
    if open_local(node) == "set" and open_attribute(node, "attributeName") == "visibility":
        shown = open_attribute(node, "to") == "visible"
        length, fill = open_attribute(node, "dur"), open_attribute(node, "fill")
        found.append((start, len(found), target, shown))
        if fill != "hold" and fill != "freeze" and length not in (None, "indefinite") or fill == "remove":
            found.append((start + seconds(length), len(found), target, not shown))
    for child in node:
        open_events(child, start, target, found)


def open_seen(odp, deck):
    """For each slide and click the colors that are to be seen. Shapes have the names that they have in `deck`."""
    content = ElementTree.fromstring(zipfile.ZipFile(odp).read("content.xml"))
    pages = [one for one in content.iter() if open_local(one) == "page"]
    for page, slide in zip(pages, slides(deck)):
        shapes = {shape[0].find(p("cNvPr")).get("name"): (key, parts) for key, (shape, parts) in contents(slide).items()}
        initial = seen(strip_timing(slide))[0]
        colors = {}
        for shape in page.iter():
            own = open_attribute(shape, "id")
            key, parts = shapes.get(open_attribute(shape, "name"), (None, []))
            if key is None:
                continue
            if own:
                colors[own] = [initial[one] for one in initial if one == key or one.startswith(key + ".")]
                if open_local(shape) == "g":
                    inner = [shapes.get(open_attribute(one, "name"), ("", []))[0] for one in shape]
                    colors[own] = [initial[one] for one in inner if one in initial]
            for number, paragraph in enumerate([one for one in shape.iter() if open_local(one) == "p"]):
                own = open_attribute(paragraph, "id")
                if own and "%s.%d" % (key, number) in initial:
                    colors[own] = [initial["%s.%d" % (key, number)]]
        steps = [[]]
        for sequence in page.iter():
            if open_local(sequence) == "seq" and open_attribute(sequence, "node-type") == "main-sequence":
                for group in sequence:
                    if open_attribute(group, "begin") == "next":
                        steps.append([])
                    found = []
                    open_events(group, 0.0, None, found)
                    steps[-1] += [one[2:] for one in sorted(found, key=lambda one: one[:2])]
        hidden, known = set(), set()
        for target, shown in (event for step in steps for event in step):
            if target not in known:
                known.add(target)
                if shown:
                    hidden.add(target)
        result = []
        for step in steps:
            for target, shown in step:
                (hidden.discard if shown else hidden.add)(target)
            gone = {color for target in hidden for color in colors.get(target, [])}
            result.append(({color for color in initial.values() if color} - gone, bool(hidden)))
        if not any(changed for _, changed in result):
            result = result[:1]
        yield [visible for visible, _ in result]


def strip_timing(slide):
    copy = ElementTree.fromstring(ElementTree.tostring(slide))
    for timing in copy.findall(p("timing")):
        copy.remove(timing)
    return copy


# Making


class Timing:
    """A slide's timing as PowerPoint writes it."""

    def __init__(self):
        self.next = 3
        self.groups = []

    def number(self):
        self.next += 1
        return self.next

    def target(self, shape, part):
        if part is None:
            return '<p:spTgt spid="%s"/>' % shape
        if part == "bg":
            return '<p:spTgt spid="%s"><p:bg/></p:spTgt>' % shape
        return '<p:spTgt spid="%s"><p:txEl><p:pRg st="%d" end="%d"/></p:txEl></p:spTgt>' % ((shape,) + part)

    def behavior(self, target, name, duration, extra="", delay=0, fill=' fill="hold"'):
        names = "<p:attrNameLst><p:attrName>%s</p:attrName></p:attrNameLst>" % name if name else ""
        return (
            '<p:cBhvr%s><p:cTn id="%d" dur="%d"%s><p:stCondLst><p:cond delay="%d"/></p:stCondLst></p:cTn>'
            "<p:tgtEl>%s</p:tgtEl>%s</p:cBhvr>" % (extra, self.number(), duration, fill, delay, target, names)
        )

    def visibility(self, target, value, delay=0, fill=' fill="hold"', duration=1):
        return "<p:set>%s<p:to><p:strVal val=\"%s\"/></p:to></p:set>" % (
            self.behavior(target, "style.visibility", duration, delay=delay, fill=fill),
            value,
        )

    def motion(self, target, name):
        return (
            '<p:anim calcmode="lin" valueType="num">%s<p:tavLst><p:tav tm="0"><p:val><p:strVal val="1+#ppt_h/2"/></p:val></p:tav>'
            '<p:tav tm="100000"><p:val><p:strVal val="#%s"/></p:val></p:tav></p:tavLst></p:anim>'
            % (self.behavior(target, name, 500, ' additive="base"'), name)
        )

    def effect(self, kind, shape, part, start, delay=0, after=None, color=None):
        """One effect: a row of PowerPoint's table of effects, by its name."""
        target = self.target(shape, part)
        preset, group, body = {
            "appear": (1, "entr", lambda: self.visibility(target, "visible")),
            "fly in": (2, "entr", lambda: self.visibility(target, "visible") + self.motion(target, "ppt_y")),
            "fade in": (
                10, "entr",
                lambda: self.visibility(target, "visible") + '<p:animEffect transition="in" filter="fade">%s</p:animEffect>'
                % self.behavior(target, None, 500, fill=""),
            ),
            "wipe in": (
                22, "entr",
                lambda: self.visibility(target, "visible")
                + '<p:animEffect transition="in" filter="wipe(up)">%s</p:animEffect>' % self.behavior(target, None, 500, fill=""),
            ),
            "flash once": (11, "entr", lambda: self.visibility(target, "visible", fill="", duration=1000)),
            "disappear": (1, "exit", lambda: self.visibility(target, "hidden")),
            "fade out": (
                10, "exit",
                lambda: '<p:animEffect transition="out" filter="fade">%s</p:animEffect>'
                % self.behavior(target, None, 500, fill="") + self.visibility(target, "hidden", delay=499),
            ),
            "fly out": (2, "exit", lambda: self.motion(target, "ppt_y") + self.visibility(target, "hidden", delay=499)),
            "spin": (
                8, "emph",
                lambda: '<p:animRot by="21600000">%s</p:animRot>' % self.behavior(target, "r", 2000),
            ),
            "fill color": (1, "emph", lambda: self.color(target, "fillcolor", color)),
            "font color": (3, "emph", lambda: self.color(target, "style.color", color, ' override="childStyle"')),
            "path": (
                0, "path",
                lambda: '<p:animMotion origin="layout" path="M 0 0 L 0.25 0 E" pathEditMode="relative">%s</p:animMotion>'
                % self.behavior(target, "ppt_x", 2000),
            ),
        }[kind]
        content = body()
        sub = ""
        if after == "hide on next click":
            sub = self.after(target, "nextClick")
        elif after == "hide after animation":
            sub = self.after(target, "sameClick")
        return (
            '<p:par><p:cTn id="%d" presetID="%d" presetClass="%s" presetSubtype="0" fill="hold" nodeType="%s">'
            '<p:stCondLst><p:cond delay="%d"/></p:stCondLst><p:childTnLst>%s</p:childTnLst>%s</p:cTn></p:par>'
            % (self.number(), preset, group, start, delay, content, sub)
        )

    def color(self, target, name, color, extra=""):
        return '<p:animClr clrSpc="rgb">%s<p:to><a:srgbClr val="%s"/></p:to></p:animClr>' % (
            self.behavior(target, name, 2000, extra), color)

    def after(self, target, when):
        return (
            '<p:subTnLst><p:set><p:cBhvr><p:cTn dur="1" fill="hold" display="0" masterRel="%s" afterEffect="1"/>'
            "<p:tgtEl>%s</p:tgtEl><p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
            '<p:to><p:strVal val="hidden"/></p:to></p:set></p:subTnLst>' % (when, target)
        )

    def group(self, effects, starts_by_itself=False):
        """Effects that come with one click; those after others are in a list of their own, with a delay."""
        begin = '<p:cond delay="indefinite"/>'
        if starts_by_itself:
            begin += '<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond>'
        inner = "".join(
            '<p:par><p:cTn id="%d" fill="hold"><p:stCondLst><p:cond delay="%d"/></p:stCondLst><p:childTnLst>%s'
            "</p:childTnLst></p:cTn></p:par>" % (self.number(), delay, "".join(list_))
            for delay, list_ in effects
        )
        self.groups.append(
            '<p:par><p:cTn id="%d" fill="hold"><p:stCondLst>%s</p:stCondLst><p:childTnLst>%s</p:childTnLst></p:cTn></p:par>'
            % (self.number(), begin, inner)
        )

    def text(self, triggers=""):
        main = (
            '<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>%s'
            '</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
            '</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
            "</p:nextCondLst></p:seq>" % "".join(self.groups)
        )
        return (
            '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>%s%s'
            "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>" % (main, triggers)
        )


class Colors:
    """Colors that are told apart: each has other multiples of 60 in red, green and blue."""

    def __init__(self):
        self.left = [(r, g, b) for r in range(5) for g in range(5) for b in range(5) if (r, g, b) != (4, 4, 4)]
        self.left.remove((0, 0, 0))

    def take(self, chance):
        return "%02X%02X%02X" % tuple(60 * one for one in self.left.pop(chance.randrange(len(self.left))))


def rectangle(key, color, x, y):
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="%d" name="Shape %d"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="%d" y="%d"/>'
        '<a:ext cx="900000" cy="700000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:srgbClr val="%s"/>'
        "</a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>" % (key, key, x, y, color)
    )


def text_box(key, colors, fill, x):
    paragraphs = "".join(
        '<a:p><a:pPr marL="342900" indent="-342900"><a:buFont typeface="Arial"/><a:buChar char="&#8226;"/></a:pPr>'
        '<a:r><a:rPr lang="en-US" sz="3600" b="1"><a:solidFill><a:srgbClr val="%s"/></a:solidFill></a:rPr>'
        "<a:t>HHHH %d</a:t></a:r></a:p>"
        % (color, number)
        for number, color in enumerate(colors)
    )
    filled = '<a:solidFill><a:srgbClr val="%s"/></a:solidFill>' % fill if fill else "<a:noFill/>"
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="%d" name="Text %d"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
        '<a:off x="%d" y="2400000"/><a:ext cx="3800000" cy="4000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>%s'
        "</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>%s</p:txBody></p:sp>" % (key, key, x, filled, paragraphs)
    )


def random_slide(chance):
    colors = Colors()
    shapes, parts = "", []
    key = 2
    for number in range(chance.randint(1, 6)):
        shapes += rectangle(key, colors.take(chance), 300000 + number * 1300000, 300000)
        parts.append((key, None))
        key += 1
    if chance.random() < 0.4:
        inner = rectangle(key + 1, colors.take(chance), 300000, 1300000)
        inner += rectangle(key + 2, colors.take(chance), 1600000, 1300000)
        shapes += (
            '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="%d" name="Group"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
            '<a:off x="300000" y="1300000"/><a:ext cx="2200000" cy="700000"/><a:chOff x="300000" y="1300000"/>'
            '<a:chExt cx="2200000" cy="700000"/></a:xfrm></p:grpSpPr>%s</p:grpSp>' % (key, inner))
        parts.append((key, None))
        key += 3
    boxes = []
    for column in range(chance.randint(0, 2)):
        count = chance.randint(2, 5)
        fill = colors.take(chance) if chance.random() < 0.4 else None
        shapes += text_box(key, [colors.take(chance) for _ in range(count)], fill, 300000 + column * 4300000)
        boxes.append((key, count, fill))
        key += 1
    timing = Timing()
    # Each part is animated on its own or, of a text, each paragraph.
    plan = []
    for shape, part in parts:
        if chance.random() < 0.8:
            plan.append((shape, part))
    for shape, count, fill in boxes:
        way = chance.choice(["whole", "paragraphs", "paragraphs", "pairs", "none"])
        if way == "whole":
            plan.append((shape, None))
        elif way == "paragraphs":
            if fill and chance.random() < 0.7:
                plan.append((shape, "bg"))
            plan += [(shape, (number, number)) for number in range(count)]
        elif way == "pairs":
            plan += [(shape, (number, min(number + 1, count - 1))) for number in range(0, count, 2)]
    if chance.random() < 0.5:
        chance.shuffle(plan)
    rows, later = [], []
    for shape, part in plan:
        kind = chance.choice(["appear", "appear", "fly in", "fade in", "wipe in", "flash once"])
        after = chance.choice([None] * 6 + ["hide on next click", "hide after animation"])
        if chance.random() < 0.2:
            later.append((chance.choice(["disappear", "fade out", "fly out"]), shape, part, None))
            if chance.random() < 0.3:
                later.append(("appear", shape, part, None))
            continue
        rows.append((kind, shape, part, after))
        if chance.random() < 0.3:
            later.append((chance.choice(["disappear", "fade out", "fly out"]), shape, part, None))
        if chance.random() < 0.2:
            later.append((chance.choice(["spin", "path"]), shape, part, None))
        if part is None and shape < 8 and (shape, None) in parts and chance.random() < 0.2 and len(colors.left) > 20:
            later.append(("fill color", shape, part, None))
        if isinstance(part, tuple) and part[0] == part[1] and chance.random() < 0.2 and len(colors.left) > 20:
            later.append(("font color", shape, part, None))
    rows += later
    group, count = [], 0
    for kind, shape, part, after in rows:
        start = chance.choice(["clickEffect", "clickEffect", "withEffect", "afterEffect"])
        by_itself = not group and count == 0 and start != "clickEffect"
        if start == "clickEffect" and group:
            timing.group(group, starts_by_itself=auto)
            group, count = [], count + 1
        if not group:
            auto = by_itself
            if not by_itself:
                start = "clickEffect"
        color = colors.take(chance) if kind.endswith("color") else None
        effect = timing.effect(kind, shape, part, start, chance.choice([0, 0, 0, 250, 1000]), after, color)
        if start == "afterEffect" or not group:
            group.append((500 * len(group), [effect]))
        else:
            group[-1][1].append(effect)
    if group:
        timing.group(group, starts_by_itself=auto)
    return shapes, timing.text() if rows else ""


def sections(count):
    """A section of all slides (MS-PPTX 2.6.4), as PowerPoint writes it."""
    slides = "".join('<p14:sldId id="%d"/>' % (256 + n) for n in range(count))
    return (
        '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="%s"><p14:section name="All" '
        'id="{C8C40372-3EEB-4FB7-8401-186E57413F3E}"><p14:sldIdLst>%s</p14:sldIdLst></p14:section></p14:sectionLst></p:ext>'
        "</p:extLst>" % ("http://schemas.microsoft.com/office/powerpoint/2010/main", slides))


def make(seed, path):
    chance = random.Random(seed)
    spaces = 'xmlns:a="%s" xmlns:r="%s" xmlns:p="%s"' % (A, R, P)
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    count = 4
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    content = "application/vnd.openxmlformats-officedocument.presentationml"
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
    archive.writestr(
        "[Content_Types].xml",
        head + '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/ppt/presentation.xml" '
        'ContentType="%s.presentation.main+xml"/>' % content
        + "".join(
            '<Override PartName="/ppt/slides/slide%d.xml" ContentType="%s.slide+xml"/>' % (n + 1, content)
            for n in range(count))
        + "</Types>")
    relation = '<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>'
    listed = '<Relationships xmlns="%s">%%s</Relationships>' % PACKAGE
    archive.writestr("_rels/.rels", head + listed % (relation % (1, office, "officeDocument", "ppt/presentation.xml")))
    archive.writestr(
        "ppt/_rels/presentation.xml.rels",
        head + listed % "".join(relation % (n + 1, office, "slide", "slides/slide%d.xml" % (n + 1)) for n in range(count)))
    archive.writestr(
        "ppt/presentation.xml",
        head + '<p:presentation %s><p:sldIdLst>%s</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/>%s</p:presentation>'
        % (spaces, "".join('<p:sldId id="%d" r:id="rId%d"/>' % (256 + n, n + 1) for n in range(count)), sections(count)))
    for number in range(count):
        shapes, timing = random_slide(chance)
        archive.writestr(
            "ppt/slides/slide%d.xml" % (number + 1),
            head + '<p:sld %s><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
            "<p:grpSpPr/>"
            "%s</p:spTree></p:cSld>%s</p:sld>" % (spaces, shapes, timing))
    archive.close()


# Judging


def frames(video):
    """The frames of a video as lists of the colors in them, of areas of some size."""
    size = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of", "csv=p=0", video],
        capture_output=True, text=True, check=True).stdout.strip().split(",")
    width, height = int(size[0]), int(size[1])
    pipe = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-i", video, "-vf", "fps=4", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
        stdout=subprocess.PIPE)
    last, palette = None, None
    while True:
        frame = pipe.stdout.read(width * height * 3)
        if len(frame) < width * height * 3:
            return
        if frame != last:
            counts = collections.Counter(zip(frame[::3], frame[1::3], frame[2::3]))
            last, palette = frame, {color for color, count in counts.items() if count >= 100}
        yield palette


def expected_colors(deck):
    """For each slide and click the colors that are to be seen."""
    for slide in slides(deck):
        steps = [{color for color in step.values() if color} for step in seen(slide)]
        # Where nothing ever changes, there is one step.
        yield steps[:1] if all(not hidden and not colors for hidden, colors in states(slide)) else steps


def judge(deck, video, odp=None):
    """Each step of each slide lasts a second: compares its middle with what is to be seen."""
    shown = list(frames(video))
    steps = wrong = 0
    place = 0
    for number, clicks_seen in enumerate(open_seen(odp, deck) if odp else expected_colors(deck)):
        everything = set().union(*clicks_seen)
        for click, expected in enumerate(clicks_seen):
            found = shown[place + 2] if place + 2 < len(shown) else set()
            actual = {color for color in everything if near(color, found)}
            steps += 1
            if actual != expected:
                wrong += 1
                print("slide %d, click %d: missing %s, too much %s" % (
                    number + 1, click, sorted(expected - actual), sorted(actual - expected)))
            place += 4
    if place != len(shown):
        print("the video has %d frames instead of %d" % (len(shown), place))
        wrong += 1
    print("%d steps, %d wrong" % (steps, wrong))
    return 1 if wrong else 0


def near(color, palette):
    """Drawing may round a color."""
    wanted = bytes.fromhex(color)
    return any(all(abs(x - y) <= 3 for x, y in zip(wanted, one)) for one in palette)


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "make":
        make(int(arguments[0]), arguments[1])
    else:
        sys.exit(judge(*arguments))
