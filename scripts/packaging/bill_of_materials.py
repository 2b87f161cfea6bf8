#!/usr/bin/env python3
"""Writes the bill of materials of a release, as SPDX 2.3 in JSON
(https://spdx.github.io/spdx-spec):

    scripts/packaging/bill_of_materials.py RELEASE > RELEASE/accord-VERSION.spdx.json

It names each file in the folder RELEASE with its checksums, and the libraries that the packages
hold: the headings of THIRD-PARTY.txt in each tarball, wheel and zip file, or beside WebAssembly
(notices.sh), which has their licences, too. The date is that of the commit, or SOURCE_DATE_EPOCH,
so that the same release has the same bytes.
"""
import argparse
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOTICES = "THIRD-PARTY.txt"
HEADING = re.compile(r"^======== (\S+) (\d\S*)$", re.M)  # a package of Debian and its version
SOURCE = "accord-{}.tar.gz"


def version() -> str:
    """The version that CMakeLists.txt names."""
    match = re.search(r"project\(accord VERSION ([\d.]+)",
                      (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert match
    return match.group(1)


def commit_time() -> datetime.datetime:
    """When the release was committed."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        seconds = subprocess.run(["git", "-C", str(ROOT), "log", "-1", "--format=%ct"],
                                 check=True, capture_output=True, text=True).stdout
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)


def notices_of(path: Path) -> str:
    """The licences that a tarball, wheel or zip file holds, those beside WebAssembly, or ""."""
    if path.name.endswith(".tar.gz"):
        with tarfile.open(path) as tar:
            for member in tar:
                content = tar.extractfile(member) if member.name.endswith("/" + NOTICES) else None
                if content:
                    return content.read().decode("utf-8")
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith("/" + NOTICES):
                    return archive.read(name).decode("utf-8")
    if path.suffix == ".wasm":
        return path.with_name(NOTICES).read_text(encoding="utf-8")
    return ""


def files_of(release: Path) -> Iterator[Path]:
    """The files of a release, by name. A bill and checksums are not part of what they list."""
    for path in sorted(release.rglob("*")):
        if path.is_file() and path.name != "SHA256SUMS" and not path.name.endswith(".spdx.json"):
            yield path


def identifier(*parts: str) -> str:
    """An identifier of SPDX."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(parts))


def package(name: str, number: str, **fields: Any) -> dict[str, Any]:
    """An entry of a package whose files are not listed."""
    return {"SPDXID": identifier("Package", name, number), "name": name, "versionInfo": number,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION", **fields}


def bill(release: Path) -> dict[str, Any]:
    """The bill of materials of a release."""
    number = version()
    accord = package("accord", number, licenseDeclared="Apache-2.0",
                     licenseConcluded="Apache-2.0", primaryPackagePurpose="APPLICATION")
    entries: list[dict[str, Any]] = []
    libraries: dict[str, dict[str, Any]] = {}
    relations = {("SPDXRef-DOCUMENT", "DESCRIBES", accord["SPDXID"])}
    digest = hashlib.sha256()
    for path in files_of(release):
        content, name = path.read_bytes(), path.relative_to(release).as_posix()
        sums = {key.upper(): hashlib.new(key, content).hexdigest() for key in ("sha1", "sha256")}
        digest.update(f"{name}\0{sums['SHA256']}\n".encode())
        entry = {"SPDXID": identifier("File", name), "fileName": "./" + name,
                 "checksums": [{"algorithm": key, "checksumValue": value}
                               for key, value in sums.items()],
                 "fileTypes": ["SOURCE" if name == SOURCE.format(number) else "ARCHIVE"],
                 "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}
        entries.append(entry)
        relations.add(("SPDXRef-DOCUMENT", "DESCRIBES", entry["SPDXID"]))
        relations.add((entry["SPDXID"], "GENERATED_FROM", accord["SPDXID"]))
        for library, of_library in HEADING.findall(notices_of(path)):
            found = package(library, of_library, primaryPackagePurpose="LIBRARY",
                            comment=f"A package of Debian; {NOTICES} has its licence.")
            libraries[found["SPDXID"]] = found
            relations.add((entry["SPDXID"], "CONTAINS", found["SPDXID"]))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"accord-{number}",
            "documentNamespace": f"https://spdx.org/spdxdocs/accord-{number}-{digest.hexdigest()}",
            "creationInfo": {"created": commit_time().strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Tool: accord-bill_of_materials.py"]},
            "packages": [accord, *(libraries[key] for key in sorted(libraries))],
            "files": entries,
            "relationships": [{"spdxElementId": one, "relationshipType": kind,
                               "relatedSpdxElement": other}
                              for one, kind, other in sorted(relations)]}


def main() -> int:
    """Writes the bill of the named folder to stdout."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", type=Path, metavar="RELEASE")
    release = parser.parse_args().release
    if not release.is_dir():
        parser.error(f"{release} is not a directory")
    json.dump(bill(release), sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
