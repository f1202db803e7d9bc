// T5-SIM-012
// section: 5.5
// subject: tensor map
// statement: A tensor map has the extents, strides, box and swizzle mode that the copy needs.
// why: The driver refuses to encode other maps, or the copy fills the tile in another order.
// fix: encode the map with the extents, strides, box and swizzle that the copy needs
// unbreakable: the tensor map belongs to the launch, not to the program
// shown by: run
