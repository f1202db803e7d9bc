"""The language server of `tcgen05 lsp`: checks, explains and completes kernels in an editor."""
