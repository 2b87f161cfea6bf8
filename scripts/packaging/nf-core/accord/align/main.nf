// Untested: nobody has run this module in a pipeline yet; its scripts are tested.
// SPDX-License-Identifier: Apache-2.0
process ACCORD_ALIGN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ task.ext.container ?: 'accord:0.2.0' }"

    input:
    tuple val(meta), path(fasta)
    val(compress)

    output:
    tuple val(meta), path("*.aln{.gz,}"), emit: alignment
    tuple val(meta), path("*.json")     , emit: report
    path "versions.yml"                 , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args   = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    def suffix = compress ? '.gz' : ''
    """
    accord \\
        align \\
        ${fasta} \\
        --threads ${task.cpus} \\
        --memory ${task.memory ? task.memory.toMega() + 'M' : '8G'} \\
        --format fasta --out ${prefix}.aln${suffix} \\
        --report ${prefix}.json \\
        ${args}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        accord: \$(accord --version | sed 's/^accord //')
    END_VERSIONS
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    def suffix = compress ? '.gz' : ''
    """
    echo "" ${compress ? '| gzip' : ''} > ${prefix}.aln${suffix}
    echo "{}" > ${prefix}.json

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        accord: \$(accord --version | sed 's/^accord //')
    END_VERSIONS
    """
}
