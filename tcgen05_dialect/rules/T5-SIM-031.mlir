// T5-SIM-031
// section: 9.7.16.6.5
// subject: proxy fence before memory is used again
// statement: A proxy fence stands between the writes of threads and an asynchronous operation that
//     overwrites them, even if the threads have read the memory since.
// why: The manual orders the two writes, of different proxies, only with such a fence.
// fix: execute fence.proxy.async after the writes and before the threads synchronise
// practice: Triton executes a CTA barrier only
// unbreakable: the copy needs a tensor map, which belongs to the launch, not to the program
// shown by: run
