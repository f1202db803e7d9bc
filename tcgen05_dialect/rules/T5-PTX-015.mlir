// T5-PTX-015
// section: 9.7.3.11, 9.7.3.12
// subject: qualifiers of min and max of three numbers
// statement: min and max of three numbers exist for f32 only.
// why: The instruction has no other forms; ptxas refuses them.
// fix: apply min or max of two numbers twice
// unbreakable: IR and PTX can spell only legal combinations
