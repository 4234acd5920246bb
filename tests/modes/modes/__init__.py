"""The pieces of run_modes.py: table.py (the modes), builds.py (ways to build), counts.py (coverage and profiles)."""
