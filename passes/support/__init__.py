"""Code that several passes share."""
