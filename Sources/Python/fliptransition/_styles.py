"""The catalog of styles, as the library has it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Mapping

from ._library import library


@dataclasses.dataclass(frozen=True)
class StyleOption:
    """An option of a style; docs/JSON.md describes the fields."""

    name: str
    summary: str
    default: str
    #: What the option accepts, for people to read.
    values: str
    #: word, flag, number, integer, point, color or easing.
    type: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] | None = None
    unit: str | None = None

    @property
    def keyword(self) -> str:
        """The name of the argument of `Transition`."""
        return self.name.replace("-", "_")


@dataclasses.dataclass(frozen=True)
class NamedLook:
    """A named look: a style with values for some options, as they are written on the command line."""

    name: str
    summary: str
    options: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Style:
    """A style with its options and named looks."""

    name: str
    summary: str
    origin: str
    options: tuple[StyleOption, ...]
    looks: tuple[NamedLook, ...]


def styles() -> tuple[Style, ...]:
    """All styles, in the order of the catalog."""
    return tuple(_style(entry) for entry in json.loads(library().fliptransition_styles()))


def _style(entry: dict[str, Any]) -> Style:
    looks = (
        NamedLook(look["name"], look["summary"], {option["name"]: option["value"] for option in look["options"]})
        for look in entry["looks"]
    )
    return Style(entry["name"], entry["summary"], entry["origin"], tuple(map(_option, entry["options"])), tuple(looks))


def _option(entry: dict[str, Any]) -> StyleOption:
    known = {field.name for field in dataclasses.fields(StyleOption)}
    values = {name: value for name, value in entry.items() if name in known}
    if "choices" in values:
        values["choices"] = tuple(values["choices"])
    return StyleOption(**values)
