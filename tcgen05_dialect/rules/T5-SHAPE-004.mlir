// T5-SHAPE-004
// section: 9.7.16.10.5
// subject: data path layout of the MMA
// statement: A data path layout exists for the M, the number of CTAs and the form of the MMA.
// why: The manual defines no layout for other combinations.
// fix: use an M that has a layout for this number of CTAs, with or without .ws
// unbreakable: M, cta_group and .ws are checked before the layout
