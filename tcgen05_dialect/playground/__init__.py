"""The playground: a page in a browser in which the commands run on the text of an editor."""
