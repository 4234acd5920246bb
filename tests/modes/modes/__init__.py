"""The pieces of ../lit.cfg.py: table.py, the modes; job.py, one of them; builds.py; counts.py."""
