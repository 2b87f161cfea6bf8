process ACCORD_ALIGN {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/accord:@VERSION@--@BUILD@':
        'quay.io/biocontainers/accord:@VERSION@--@BUILD@' }"

    input:
    tuple val(meta) , path(sequences)
    tuple val(meta2), path(tree)
    val(compress)

    output:
    tuple val(meta), path("*.aln{.gz,}"), emit: alignment
    tuple val(meta), path("*.json")     , emit: report
    tuple val("${task.process}"), val('accord'), eval("accord --version | cut -d' ' -f2"), topic: versions, emit: versions_accord

    when:
    task.ext.when == null || task.ext.when

    script:
    def args   = task.ext.args ?: ''
    def prefix = (task.ext.prefix ?: "${meta.id}").toString().replace("'", "'\\''")
    def guide  = tree ? "--tree=${tree}" : ''
    def memory = task.memory ? "--memory ${task.memory.toMega()}M" : ''
    def suffix = compress ? '.gz' : ''
    """
    accord align \\
        ${guide} \\
        --threads ${task.cpus} \\
        ${memory} \\
        ${args} \\
        --report='${prefix}.json' \\
        --out='${prefix}.aln${suffix}' \\
        -- ${sequences}
    """

    stub:
    def prefix = (task.ext.prefix ?: "${meta.id}").toString().replace("'", "'\\''")
    def suffix = compress ? '.gz' : ''
    """
    echo "" ${compress ? '| gzip' : ''} > '${prefix}.aln${suffix}'
    echo "{}" > '${prefix}.json'
    """
}
