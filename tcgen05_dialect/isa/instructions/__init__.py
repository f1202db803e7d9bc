"""The rows of the instructions of PTX: a module for each family; see `row` for their form."""
