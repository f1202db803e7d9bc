ptx.shared_memory @tile size 0 alignment 16

// -----

ptx.shared_memory @tile size 1024 alignment 16
