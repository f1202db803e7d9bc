// T5-PTX-021
// section: 9.7.9.21
// subject: qualifiers of cvt of two values
// statement: cvt with two source operands converts two f32 values to a packed pair.
// why: The instruction has no other forms; ptxas refuses them.
// fix: convert two f32 values to f16x2 or bf16x2, and round with rn or rz
// unbreakable: IR and PTX can spell only legal combinations
