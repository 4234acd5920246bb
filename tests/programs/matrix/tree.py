"""A tree of files that are hard to count, for the example walk and its comparison with find and
wc."""

import os
import random
import shutil


def tricky_contents():
    """Pairs of name and contents."""
    return [
        ("empty", b""),
        ("one newline", b"\n"),
        ("no newline at the end", b"two words"),
        ("spaces only", b" \t\v\f\r\n   "),
        ("not ASCII.txt", "naïve café — déjà vu \u00a0 ☃\n".encode()),
        ("not printable", b"a\x01b \x02\x03 \x7f c\x00d \x80\x81 \xffz\n"),
        ("nul bytes", b"\x00" * 70000 + b" x " + b"\x00" * 10),
        ("a long word", b"w" * 200001 + b"\nend\n"),
        ("blocks", (b"x" * 65535 + b" ") + (b"y" * 65536) + (b" " * 65537) + b"z"),
        ("CRLF", b"one\r\ntwo\r\n\r\nthree"),
        ("-starts with a dash", b"dash\n"),
        ("new\nline in its name", b"three more words\n"),
    ]


def make_tree(path, seed=1, directories=60, files=400):
    """Makes the tree at `path` anew; the same seed makes the same tree. Returns nothing."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    choose = random.Random(seed)
    vocabulary = ["".join(choose.choices("abcdefghij#*{}();/", k=choose.randint(1, 9)))
                  for _ in range(500)]
    places = [path]
    for index in range(directories):
        place = choose.choice(places[-8:] + places[:2]) / f"d{index}"
        place.mkdir()
        places.append(place)
    for index in range(files):
        words = choose.choices(vocabulary, k=choose.randint(0, 400))
        text = "".join(word + choose.choice([" ", " ", "\n", "\t", "  "]) for word in words)
        (choose.choice(places) / f"f{index}.txt").write_text(text)
    crowded = path / "crowded"
    crowded.mkdir()
    for index in range(150):
        (crowded / f"{index}").write_bytes(b"many files in one directory\n" * index)
    deep = path
    for _ in range(40):
        deep = deep / "deep"
        deep.mkdir()
        (deep / "file").write_bytes(b"down here\n")
    tricky = path / "tricky names and contents"
    tricky.mkdir()
    for name, contents in tricky_contents():
        (tricky / name).write_bytes(contents)
    # None of these is a regular file, and none may be followed.
    os.symlink("..", tricky / "link to a directory")
    os.symlink("empty", tricky / "link to a file")
    os.symlink("nowhere", tricky / "link to nothing")
    os.mkfifo(tricky / "pipe")
