"""The kinds of values in generated programs: how one is made from a 64-bit number, and read into one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    name: str
    group: str  # "int", "float", "struct" or "class"
    copyable: bool = True
    movable: bool = False  # what is left behind has a known value

    def make(self, number):
        """Text of a value of this kind made from the 64-bit number with this text."""
        if self.group == "int":
            return f"({self.name})({number})"
        return f"make_{self.name}({number})"

    def use(self, value):
        """Text of the 64-bit number that stands for this value."""
        if self.group == "int":
            return f"(u64){value}"
        return f"use_{self.name}({value})"

    @property
    def in_c(self):
        return self.group != "class"


U64 = Kind("u64", "int")
INTS = [U64] + [Kind(name, "int") for name in ("int", "long", "unsigned", "short", "uint8_t", "int8_t", "int64_t")]
FLOATS = [Kind("double", "float"), Kind("float", "float")]
STRUCTS = [Kind(name, "struct") for name in ("Small", "Pair", "Floats", "Odd", "Large", "Aligned", "Vector")]
OBJ = Kind("Obj", "class", movable=True)
CLASSES = [OBJ, Kind("Big", "class"), Kind("Text", "class"), Kind("Box", "class", copyable=False, movable=True),
           Kind("Words", "class"), Kind("Poly", "class", copyable=False, movable=True)]


def choose(rng, in_c):
    """A kind, the ordinary ones more often."""
    groups = [(INTS, 5), (FLOATS, 1), (STRUCTS, 2)] + ([] if in_c else [(CLASSES, 4)])
    group = rng.choices([g for g, _ in groups], [w for _, w in groups])[0]
    return U64 if group is INTS and rng.random() < 0.4 else rng.choice(group)
