"""Packs the portable program into a wheel; scripts/portable calls it.

python3 make_program_wheel.py TREE VERSION FOLDER: TREE is what the archive has. SOURCE_DATE_EPOCH is the time in it, so
that the same program gives the same bytes.
"""

import pathlib
import sys

import make_wheel

METADATA = """\
Metadata-Version: 2.4
Name: fliptransition-bin
Version: {version}
Summary: The program fliptransition, which joins video clips and slides with page turns, with FFmpeg inside
Keywords: video,transition,page flip,ffmpeg
License-Expression: GPL-3.0-or-later
{licenses}
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Multimedia :: Video
Requires-Python: >=3.7
Description-Content-Type: text/markdown

{description}"""

# The program is linked statically, so it needs no C library of the system's, whichever that is.
TAGS = ["manylinux_2_17_x86_64", "musllinux_1_1_x86_64"]


def main() -> None:
    tree, version, folder = map(pathlib.Path, sys.argv[1:])
    information = f"fliptransition_bin-{version}.dist-info"
    data = f"fliptransition_bin-{version}.data"
    program = f"{data}/scripts/fliptransition"
    files = {program: (tree / "bin/fliptransition").read_bytes()}
    for path in sorted((tree / "share").rglob("*")):
        if path.is_file():
            files[f"{data}/data/{path.relative_to(tree)}"] = path.read_bytes()
    licenses = [tree / "LICENSE", tree / "THIRD-PARTY.md"] + sorted(p for p in (tree / "licenses").rglob("*") if p.is_file())
    for path in licenses:
        files[f"{information}/licenses/{path.relative_to(tree)}"] = path.read_bytes()
    files[f"{information}/METADATA"] = METADATA.format(
        version=version,
        licenses="\n".join(f"License-File: {path.relative_to(tree)}" for path in licenses),
        description=(pathlib.Path(__file__).parent / "PROGRAM.md").read_text(encoding="utf-8"),
    ).encode()
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in TAGS)
    files[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: fliptransition ({version})\nRoot-Is-Purelib: false\n{tags}"
    ).encode()
    target = folder / f"fliptransition_bin-{version}-py3-none-{'.'.join(TAGS)}.whl"
    print(make_wheel.write(target, information, files, frozenset([program])))


if __name__ == "__main__":
    main()
