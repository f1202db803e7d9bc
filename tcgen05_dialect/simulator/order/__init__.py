"""The order of events: clocks, shadow memory and the race detector."""
