"""What the text of a kernel tells before any run: loops, parameters, members, boxes and control."""
