# SPDX-License-Identifier: Apache-2.0
# Many families in shards, for Snakemake:
#   snakemake -s scripts/batch.smk --cores 16 --config families=DIR out=OUT shards=16
#   snakemake -s scripts/batch.smk --executor slurm --jobs 16 --config families=DIR out=OUT \
#     shards=16 options='--device gpu'
# `families` is a directory or a manifest of accord batch, `options` are more of its options, but
# for --shard, --resume, --report and --multiqc, which the workflow sets. The shards have about as
# many predicted cells each. Memory that is too small ends accord with 137, so it is tried again
# with more. Complete families are kept, also if the run is stopped. A family that fails stops no
# other; OUT/report.json lists the families of all shards, OUT/accord-*_mqc.tsv are for MultiQC, and
# OUT/logs has the messages. With --software-deployment-method conda, accord is that of Bioconda.
from os.path import dirname

FAMILIES = config["families"]
OUT = config.get("out", "alignments")
SHARDS = int(config.get("shards", 4))
OPTIONS = config.get("options", "")


rule all:
    input:
        f"{OUT}/report.json",


rule plan:
    input:
        FAMILIES,
    output:
        f"{OUT}/plan.tsv",
    log:
        f"{OUT}/logs/plan.log",
    params:
        out=lambda wildcards, output: dirname(output[0]),
        options=OPTIONS,
    conda:
        "environment.yaml"
    shell:
        "accord batch --out-dir={params.out:q} --plan={output:q} {params.options} -- {input:q}"
        " 2>&1 | tee {log:q} >&2"


rule align:
    input:
        rules.plan.output,
    output:
        report=f"{OUT}/report-{{shard}}.json",
        multiqc=f"{OUT}/accord-{{shard}}_mqc.tsv",
    log:
        f"{OUT}/logs/align-{{shard}}.log",
    params:
        out=lambda wildcards, output: dirname(output[0]),
        shards=SHARDS,
        options=OPTIONS,
    conda:
        "environment.yaml"
    threads: 8
    retries: 2
    resources:
        mem_mb=lambda wildcards, attempt: 16000 * attempt,
    shell:
        "accord batch --out-dir={params.out:q} --shard {wildcards.shard}/{params.shards} --resume"
        " --threads {threads} --memory {resources.mem_mb}M --report={output.report:q}"
        " --multiqc={output.multiqc:q} {params.options} -- {input:q} 2>&1 | tee {log:q} >&2"
        " || [ $? -eq 4 ]"


rule report:
    input:
        expand(f"{OUT}/report-{{shard}}.json", shard=range(1, SHARDS + 1)),
    output:
        f"{OUT}/report.json",
    localrule: True
    log:
        f"{OUT}/logs/report.log",
    params:
        script=f"{workflow.basedir}/merge_reports.py",
    conda:
        "environment.yaml"
    shell:
        "python3 {params.script:q} {input:q} 2>&1 >{output:q} | tee {log:q} >&2"
