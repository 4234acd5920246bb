"""The kinds of values in generated programs: how one is made from a 64-bit number, and read into
one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    name: str
    group: str  # "int", "float", "struct" or "class"
    copyable: bool = True
    movable: bool = False  # what a move leaves has a known value

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
INT = Kind("int", "int")
INTS = [U64] + [Kind(name, "int")
                for name in ("int", "long", "unsigned", "short", "uint8_t", "int8_t", "int64_t",
                             "Flag", "uint16_t", "char")]
# Sums of these are defined whatever the values.
WRAPPING = [U64] + [Kind(name, "int")
                    for name in ("unsigned", "short", "uint8_t", "int8_t", "uint16_t", "char")]
# Only as locals: no parameter has these types.
LOCAL_INTS = [Kind(name, "int") for name in ("volatile u64", "volatile int", "volatile uint16_t")]
DOUBLE = Kind("double", "float")
FLOATS = [DOUBLE, Kind("float", "float")]
STRUCTS = [Kind(name, "struct")
           for name in ("Small", "Pair", "Floats", "Odd", "Large", "Aligned", "Vector", "Wide",
                        "Bits37", "Bits200",
                                             "Complex", "Line", "Fields", "Either", "Vector8")]
HUGE = Kind("Huge", "struct")
OBJ = Kind("Obj", "class", movable=True)
SHAPE = Kind("Shape", "class")
FUNCTOR = Kind("Functor", "class")
SWARM = Kind("Swarm", "class")
TAKER = Kind("Taker", "class")
# Their constructors, destructors and assignments spawn.
SPAWNING = [Kind("Forker", "class"), Kind("Diamond", "class"), SWARM]
CLASSES = [OBJ, Kind("Big", "class"), Kind("Text", "class"),
           Kind("Box", "class", copyable=False, movable=True),
           Kind("Words", "class"), Kind("Poly", "class", copyable=False, movable=True), TAKER,
           FUNCTOR]


def choose(rng, in_c):
    """A kind, the ordinary ones more often."""
    groups = [(INTS, 5), (FLOATS, 1), (STRUCTS, 2.5),
              ([HUGE], 0.05)] + ([] if in_c else [(CLASSES, 4), (SPAWNING, 0.5)])
    group = rng.choices([g for g, _ in groups], [w for _, w in groups])[0]
    return U64 if group is INTS and rng.random() < 0.4 else rng.choice(group)


def choose_local(rng, in_c):
    """A kind for a variable that no one else may name in a parameter."""
    return rng.choice(LOCAL_INTS) if rng.random() < 0.08 else choose(rng, in_c)
