"""
Verification of whole kernels without a launch file and without data.

The emulator runs the control skeleton of a kernel on launches that the verifier invents. The rules
are those of the emulator.
"""
