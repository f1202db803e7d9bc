ptx.shared_memory @tile size 1024 alignment 48

// -----

ptx.shared_memory @tile size 1024 alignment 64
