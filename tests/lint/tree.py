"""The files of the project, as the checks see them: paths relative to the root, with '/', and their
lines."""
import os
import subprocess

CODE_SUFFIXES = (".h", ".c", ".cpp", ".S", ".inc")
NOT_OURS = ("build", ".git", "__pycache__")


class Tree:
    def __init__(self, root, paths=None):
        self.root = root
        self.paths = sorted(paths if paths is not None else list_files(root))
        self._lines = {}

    def lines(self, path):
        """The lines of a file without their ends. Bytes that are no UTF-8 are replaced."""
        if path not in self._lines:
            text = (self.root / path).read_text(encoding="utf-8", errors="replace")
            self._lines[path] = text.splitlines()
        return self._lines[path]

    def code(self):
        return [path for path in self.paths if path.endswith(CODE_SUFFIXES)]


def unfenced(lines):
    """Numbered lines of Markdown outside of fenced code."""
    inside = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def prose(lines):
    """Numbered lines of Markdown outside of code."""
    return ((number, line) for number, line in unfenced(lines) if not line.startswith("    "))


def list_files(root):
    """What git tracks or would track; without git, or outside of a checkout, every file but what a
    build makes."""
    try:
        answer = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"],
                                capture_output=True, check=True)
        names = answer.stdout.decode().split("\0")
        return [name for name in names if name and (root / name).is_file()]
    except (OSError, subprocess.CalledProcessError):
        return [path for path in walk(root)]


def walk(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = [name for name in subfolders if not name.startswith(NOT_OURS)]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)
