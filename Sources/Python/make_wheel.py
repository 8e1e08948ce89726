"""Packs the Python package and its library into a wheel; scripts/wheel calls it.

python3 make_wheel.py PACKAGE LIBRARY VERSION FOLDER [FILE ...]: FILEs are licenses. SOURCE_DATE_EPOCH is the time in
it, so that the same sources give the same bytes. make_program_wheel.py packs another wheel.
"""

import base64
import hashlib
import os
import pathlib
import re
import sys
import time
import zipfile


METADATA = """\
Metadata-Version: 2.4
Name: fliptransition
Version: {version}
Summary: Page flips, folds and card flips between pictures in memory, and between video clips
Keywords: video,transition,page flip,numpy,vapoursynth
License-Expression: Apache-2.0 AND Apache-2.0 WITH Swift-exception
{licenses}
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: Implementation :: CPython
Classifier: Topic :: Multimedia :: Video
Classifier: Typing :: Typed
Requires-Python: >=3.10
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: fliptransition ({version})
Root-Is-Purelib: false
Tag: {tag}
"""


def main() -> None:
    package, library, version, folder, *licenses = map(pathlib.Path, sys.argv[1:])
    information = f"fliptransition-{version}.dist-info"
    files: dict[str, bytes] = {}
    for path in sorted(package.iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"fliptransition/{path.name}"] = path.read_bytes()
    files["fliptransition/libfliptransition.so"] = library.read_bytes()
    for path in licenses:
        files[f"{information}/licenses/{path.name}"] = path.read_bytes()
    description = (package.parent / "README.md").read_text(encoding="utf-8")
    files[f"{information}/METADATA"] = METADATA.format(
        version=version, description=description, licenses="\n".join(f"License-File: {path.name}" for path in licenses)
    ).encode()
    tag = f"py3-none-manylinux_2_{newest_glibc(library.read_bytes())}_x86_64"
    files[f"{information}/WHEEL"] = WHEEL.format(version=version, tag=tag).encode()
    print(write(folder / f"fliptransition-{version}-{tag}.whl", information, files))


def write(
    target: pathlib.Path, information: str, files: dict[str, bytes], programs: frozenset[str] = frozenset()
) -> pathlib.Path:
    """Writes a wheel with `files` and their record in the folder `information`; `programs` may be executed."""
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800))[:6]
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            archive.writestr(entry, data, compresslevel=9)
    return target


def newest_glibc(library: bytes) -> int:
    """The minor version of the glibc that `library` needs: the newest of those whose symbols it names."""
    return max(int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)", library))


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
