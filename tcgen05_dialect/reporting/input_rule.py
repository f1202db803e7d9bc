"""The id of findings that break no rule of the ISA, for formats that demand a rule."""

ID = "T5-INPUT"
STATEMENT = "The input can be read, parsed and compiled."
WHY = "Text that cannot be read breaks no rule of the ISA; the message says what is wrong with it."
