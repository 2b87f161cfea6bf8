process ACCORD_GUIDETREE {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/accord:@VERSION@--@BUILD@':
        'quay.io/biocontainers/accord:@VERSION@--@BUILD@' }"

    input:
    tuple val(meta), path(sequences)

    output:
    tuple val(meta), path("*.dnd"), emit: tree
    tuple val("${task.process}"), val('accord'), eval("accord --version | cut -d' ' -f2"), topic: versions, emit: versions_accord

    when:
    task.ext.when == null || task.ext.when

    script:
    def args   = task.ext.args ?: ''
    def prefix = (task.ext.prefix ?: "${meta.id}").toString().replace("'", "'\\''")
    def memory = task.memory ? "--memory ${task.memory.toMega()}M" : ''
    """
    accord tree \\
        --threads ${task.cpus} \\
        ${memory} \\
        ${args} \\
        --out='${prefix}.dnd' \\
        -- ${sequences}
    """

    stub:
    def prefix = (task.ext.prefix ?: "${meta.id}").toString().replace("'", "'\\''")
    """
    touch -- '${prefix}.dnd'
    """
}
