// T5-LDST-007
// section: 9.7.16.8.2
// subject: packing of 16-bit elements
// statement: ld packs and st unpacks pairs of 16-bit elements.
// why: PTX has no spelling for the opposite.
// fix: write .pack::16b for ld, .unpack::16b for st, or neither
// unbreakable: neither IR nor PTX can spell the opposite
