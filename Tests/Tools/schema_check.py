"""Checks documents against a schema of docs/schemas/, stricter than the schema itself: fields that it doesn't name are errors.

    python3 schema_check.py SCHEMA FILE...

A FILE is a JSON document or, if its name ends with .jsonl, a JSON document on each line. Prints an object with `errors`, one
sentence each, and `unseen`, the fields of the schema that no document has.
"""

import copy
import json
import os
import sys

import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def bundled(path):
    """The schema at `path`, with the schemas of other files that it refers to among its definitions."""
    schema = load(path)
    for name in {ref.split("#")[0] for ref in refs(schema)} - {""}:
        schema.setdefault("$defs", {})[name] = load(os.path.join(os.path.dirname(path), name))
    return schema


def parts(schema):
    """All schemas within a schema, and itself."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


def refs(schema):
    return {part["$ref"] for part in parts(schema) if isinstance(part.get("$ref"), str)}


class Schema:
    def __init__(self, path):
        self.root = bundled(path)
        self.files = {"": self.root}
        for key, value in self.root.get("$defs", {}).items():
            if "$schema" in value:
                self.files[key] = value

    def target(self, ref, file):
        """The definition that `ref` in the schema of `file` stands for, and the file it is in."""
        name, _, place = ref.partition("#")
        file = name or file
        found = self.files[file]
        for key in place.strip("/").split("/") if place else []:
            found = found[key]
        return found, file

    def strict(self):
        """A copy in which no object may have further fields."""
        root = copy.deepcopy(self.root)
        # What is combined with other fields can't exclude them itself.
        shared = {
            ref["$ref"].rpartition("/")[2] for part in parts(root) for ref in part.get("allOf", []) if "$ref" in ref
        }

        def close(schema, name):
            for key, value in schema.items():
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, dict):
                        close(part, key)
            is_field = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
            is_shared = isinstance(schema.get("$ref"), str) and schema["$ref"].rpartition("/")[2] in shared
            if (is_field and name not in shared) or (is_shared and name != "allOf"):
                schema["unevaluatedProperties"] = False

        close(root, "")
        return root


def fields(schema, part, file, where, found):
    """Collects the fields that a part of the schema names, as paths."""
    if "$ref" in part:
        target, home = schema.target(part["$ref"], file)
        fields(schema, target, home, where, found)
    for key in ("allOf", "oneOf"):
        for inner in part.get(key, []):
            event = inner.get("$ref", "").rpartition("/")[2] if key == "oneOf" else ""
            fields(schema, inner, file, f"{where}<{event}>" if event else where, found)
    if isinstance(part.get("items"), dict):
        fields(schema, part["items"], file, where + "[]", found)
    for name, inner in part.get("properties", {}).items():
        if part.get("type") == "object" or part.get("required"):
            found.add(f"{where}.{name}")
            fields(schema, inner, file, f"{where}.{name}", found)


def seen(schema, part, file, value, where, found):
    """Collects those of the fields that `value`, which is valid, has."""
    if "$ref" in part:
        target, home = schema.target(part["$ref"], file)
        seen(schema, target, home, value, where, found)
    for inner in part.get("allOf", []):
        seen(schema, inner, file, value, where, found)
    for inner in part.get("oneOf", []):
        target, home = schema.target(inner["$ref"], file)
        names = target.get("required", [])
        event = target.get("properties", {}).get("event", {}).get("const")
        if all(name in value for name in names) and event in (None, value.get("event")):
            seen(schema, target, home, value, f"{where}<{inner['$ref'].rpartition('/')[2]}>", found)
    if isinstance(value, list) and isinstance(part.get("items"), dict):
        for item in value:
            seen(schema, part["items"], file, item, where + "[]", found)
    if isinstance(value, dict):
        for name, inner in part.get("properties", {}).items():
            if name in value:
                found.add(f"{where}.{name}")
                seen(schema, inner, file, value[name], f"{where}.{name}", found)


def main():
    schema = Schema(sys.argv[1])
    strict = schema.strict()
    jsonschema.Draft202012Validator.check_schema(load(sys.argv[1]))
    validator = jsonschema.Draft202012Validator(strict)
    errors = []
    known, found = set(), set()
    fields(schema, schema.root, "", "", known)
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            texts = [line for line in file if line.strip()] if path.endswith(".jsonl") else [file.read()]
        for text in texts:
            document = json.loads(text)
            problems = list(validator.iter_errors(document))
            for problem in problems:
                cause = min(problem.context, key=lambda each: len(each.message), default=problem)
                place = "/".join(map(str, problem.absolute_path))
                errors.append(f"{os.path.basename(path)} at '{place}': {cause.message[:300]}")
            if not problems:
                seen(schema, schema.root, "", document, "", found)
    print(json.dumps({"errors": errors, "unseen": sorted(known - found)}))


main()
