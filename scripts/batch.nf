// SPDX-License-Identifier: Apache-2.0
// A directory of families in shards of about as many predicted cells each, for Nextflow:
//   nextflow run scripts/batch.nf --families DIR --outdir OUT [--shards 16] \
//     [--options '--device gpu']
// Memory that is too small ends accord with 137, so it is tried again with more. A family that
// fails (exit code 4) stops no other: the shard's good ones are published, its report names the
// failed.
// All that accord writes is published: alignments of any format, and the files of --beside.
// --shard, --resume, --report and --multiqc are set here, and no --options.
nextflow.enable.dsl = 2
params.shards = 4
params.options = ''
params.outdir = 'alignments'

process PLAN {
    input:
    path families

    output:
    path 'plan.tsv'

    script:
    """
    accord batch -O . --plan plan.tsv ${params.options} -- ${families}
    """
}

process ALIGN {
    cpus 8
    memory { 16.GB * task.attempt }
    errorStrategy { task.exitStatus in [104] + (130..145) ? 'retry' : 'finish' }
    maxRetries 2
    publishDir params.outdir, mode: 'copy', saveAs: { name -> name.replaceFirst('^results/', '') }

    input:
    tuple val(shard), path(plan), path(families)

    output:
    path 'results/*', optional: true
    path "report-${shard}.json"
    path "accord-${shard}_mqc.tsv"

    script:
    """
    accord batch -O results --shard ${shard}/${params.shards} --threads ${task.cpus} \\
        --report report-${shard}.json --multiqc accord-${shard}_mqc.tsv ${params.options} \\
        -- ${plan} || [ \$? -eq 4 ]
    """
}

workflow {
    families = file(params.families, type: 'dir', checkIfExists: true)
    PLAN(families)
    shards = Channel.of(1..params.shards)
    ALIGN(shards.combine(PLAN.out).map { shard, plan -> tuple(shard, plan, families) })
}
