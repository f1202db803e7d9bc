// T5-PTX-072
// section: 5.4.3
// subject: size in bytes
// statement: The size of a variable is at least one byte and at most the maximum that PTX can
//     declare.
// why: ptxas refuses the text.
// fix: give the variable at least one byte, or split a variable that is larger than memory

ptx.shared_memory @tile size 0 alignment 16

// -----

ptx.shared_memory @tile size 1024 alignment 16
