# SPDX-License-Identifier: Apache-2.0
# One large family on many machines, for Snakemake:
#   snakemake -s scripts/large.smk --cores 16 --config family=large.fa out=large.aln shards=20
#   snakemake -s scripts/large.smk --executor slurm --jobs 20 --config family=large.fa \
#     out=large.a3m shards=20 run='--device gpu'
# The bytes of `accord large.fa -o large.aln`. `core` are options of accord core, `join` of accord
# join, `run` of all three commands. The core and the parts lie beside the alignment; the parts are
# removed at the end; the folder OUT.logs has the messages. With --software-deployment-method conda,
# accord is that of Bioconda.
FAMILY = config["family"]
OUT = config.get("out", "family.aln")
SHARDS = int(config.get("shards", 4))
CORE, JOIN, RUN = (config.get(name, "") for name in ("core", "join", "run"))


rule all:
    input:
        OUT,


rule core:
    input:
        FAMILY,
    output:
        f"{OUT}.core.acc",
    log:
        f"{OUT}.logs/core.log",
    params:
        options=f"{CORE} {RUN}",
    conda:
        "environment.yaml"
    threads: 8
    retries: 2
    resources:
        mem_mb=lambda wildcards, attempt: 16000 * attempt,
    shell:
        "accord core --out={output:q} --threads {threads}"
        " --memory {resources.mem_mb}M {params.options} -- {input:q} 2>&1 | tee {log:q} >&2"


rule place:
    input:
        core=rules.core.output,
        family=FAMILY,
    output:
        temp(f"{OUT}.part{{shard}}.acc"),
    log:
        f"{OUT}.logs/part{{shard}}.log",
    params:
        shards=SHARDS,
        options=RUN,
    conda:
        "environment.yaml"
    threads: 8
    retries: 2
    resources:
        mem_mb=lambda wildcards, attempt: 16000 * attempt,
    shell:
        "accord add --shard {wildcards.shard}/{params.shards} --out={output:q} --threads {threads}"
        " --memory {resources.mem_mb}M {params.options} -- {input.core:q} {input.family:q}"
        " 2>&1 | tee {log:q} >&2"


rule join:
    input:
        rules.core.output,
        expand(f"{OUT}.part{{shard}}.acc", shard=range(1, SHARDS + 1)),
    output:
        OUT,
    log:
        f"{OUT}.logs/join.log",
    params:
        options=f"{JOIN} {RUN}",
    conda:
        "environment.yaml"
    threads: 16
    retries: 2
    resources:
        mem_mb=lambda wildcards, attempt: 32000 * attempt,
    shell:
        "accord join --out={output:q} --threads {threads}"
        " --memory {resources.mem_mb}M {params.options} -- {input:q} 2>&1 | tee {log:q} >&2"
