# ruff: noqa: F821  # Snakemake defines `snakemake`
__author__ = "The accord developers"
__copyright__ = "Copyright 2026, The accord developers"
__license__ = "Apache-2.0"

from shlex import quote

from snakemake.shell import shell

OPTIONS = {"report": "--report", "tree": "--tree-out", "confidence": "--confidence",
           "html": "--html"}

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=True, stderr=True)
guide_tree = snakemake.input.get("tree", "")
guide_tree = f"--tree={quote(str(guide_tree))}" if guide_tree else ""
memory = snakemake.resources.get("mem_mb", "")
memory = f"--memory {memory}M" if memory else ""
others = " ".join(f"{option}={quote(str(snakemake.output[name]))}"
                  for name, option in OPTIONS.items() if name in snakemake.output.keys())

shell("accord align {guide_tree} --threads {snakemake.threads} {memory} {extra} {others}"
      " --out={snakemake.output.alignment:q} -- {snakemake.input.fasta:q} {log}")
