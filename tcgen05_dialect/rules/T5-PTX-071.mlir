// T5-PTX-071
// section: 5.4.5
// subject: alignment in bytes
// statement: An alignment is a power of two that PTX allows.
// why: ptxas refuses the text.
// fix: align to a power of two, up to {most}

ptx.shared_memory @tile size 1024 alignment 48

// -----

ptx.shared_memory @tile size 1024 alignment 64
