"""What is certain of the operands of a kernel without a run, and the mistakes that follow."""
