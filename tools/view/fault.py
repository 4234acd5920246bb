"""What main.py prints as one line and ends with 1."""


class Fault(Exception):
    pass


def missing(package):
    return Fault(f"needs the Debian package {package}: apt-get install {package}")
