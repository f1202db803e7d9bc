"""The reader of PTX text, which `tcgen05 check` uses."""
