"""tanh.approx and rsqrt.approx (9.7.3.16, 9.7.3.22, 9.7.4.9): types."""

TANH_TYPES = ("f16", "f16x2", "bf16", "bf16x2", "f32")
RSQRT_TYPES = ("f32",)
