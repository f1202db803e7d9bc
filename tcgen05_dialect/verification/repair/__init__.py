"""
Repair by trial: finds the step that a kernel lacks by inserting candidates and running it again.

Candidates are text in the dialect of the user's file, so a trial compiles what the user would get.
"""
