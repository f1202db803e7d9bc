"""Facts about the operands of a kernel that hold in every run, and the errors that they prove."""
