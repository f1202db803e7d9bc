"""The dialect `ws`: warp-specialised kernels as roles that exchange rings of stages."""
