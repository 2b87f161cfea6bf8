#!/usr/bin/env python3
"""Merges the reports of the shards of a batch into one, on standard output:

  scripts/merge_reports.py report-1.json report-2.json ... > report.json

It has the schema of the report of a batch ('accord help report-schema'): the families of all
shards, the sum of the seconds, and the largest memory of a shard.
"""
import json
import sys
from pathlib import Path


def merged(reports: list[dict]) -> dict:
    """The report of one run that did all shards."""
    first = reports[0]
    for report in reports:
        if "error" in report:
            sys.exit(f"accord: error: a report is of a run that failed: {report['error']['text']}")
        if report["shard"]["count"] != len(reports):
            sys.exit(f"accord: error: there are reports of {len(reports)} of "
                     f"{report['shard']['count']} shards")
    if len({report["shard"]["number"] for report in reports}) < len(reports):
        sys.exit("accord: error: two reports are of one shard")
    total = {key: sum(report["total"][key] for report in reports) for key in first["total"]}
    peak = max(report["memory"]["peak_bytes"] for report in reports)
    return {**first,
            "exit_code": max(report["exit_code"] for report in reports),
            "shard": {"number": 1, "count": 1},
            "families": [family for report in reports for family in report["families"]],
            "memory": {**first["memory"], "peak_bytes": peak},
            "total": total,
            "warnings": [warning for report in reports for warning in report["warnings"]]}


def main() -> None:
    """Reads the reports, writes one, and says what failed."""
    paths = [Path(name) for name in sys.argv[1:]]
    if not paths:
        sys.exit(f"usage: {sys.argv[0]} REPORT...")
    report = merged([json.loads(path.read_text(encoding="utf-8")) for path in paths])
    json.dump(report, sys.stdout, indent=2, ensure_ascii=False)
    print()
    failed = [family["id"] for family in report["families"] if family["status"] == "failed"]
    if failed:
        many = len(report["families"])
        print(f"accord: {len(failed)} of {many} {'family' if many == 1 else 'families'} failed: "
              f"{', '.join(failed[:5])}{', ...' if len(failed) > 5 else ''}", file=sys.stderr)


if __name__ == "__main__":
    main()
