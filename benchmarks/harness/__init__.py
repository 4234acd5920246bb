"""What run.py is made of: the programs and their sizes, building, measuring, reporting,
plotting."""
