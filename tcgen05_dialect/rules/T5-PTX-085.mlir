// T5-PTX-085
// section: 5.1.7
// subject: bytes of the shared variables of a kernel
// statement: The static shared variables of a kernel fit into the static shared memory of a CTA.
//     With the dynamic bytes that the kernel needs, they fit into all of its shared memory.
// why: ptxas refuses the kernel, or no launch can give it the memory.
// fix: move large variables to dynamic shared memory: declare a variable without a size

builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.shared_memory @buffer size 65536 alignment 16
  ptx.kernel @example(%v : i32) {
    %address = ptx.address_of @buffer
    ptx.st shared b32 [%address], {%v}
    ptx.ret
  }
}

// -----

builtin.module attributes {ptx.target = #ptx.target<"sm_100f", "8.8">} {
  ptx.shared_memory @buffer alignment 16
  ptx.kernel @example(%v : i32) {
    %address = ptx.address_of @buffer
    ptx.st shared b32 [%address], {%v}
    ptx.ret
  }
}
