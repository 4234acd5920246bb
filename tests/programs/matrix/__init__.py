"""The matrix of test programs: what is built, how it is run, and what is checked. Used by
../lit.cfg.py."""
