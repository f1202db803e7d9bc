// T5-PTX-146
// section: 9.7.3.16, 9.7.3.17
// subject: qualifiers of rsqrt
// statement: rsqrt exists for f32 and f64.
// why: The instruction has no other forms; ptxas refuses them.
// fix: use f32 or f64
// unbreakable: IR and PTX can spell only legal combinations
