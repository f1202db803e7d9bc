"""The importer of PTX text: whole kernels as operations of `ptx` in SSA form."""
