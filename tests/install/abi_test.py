#!/usr/bin/env python3
"""What docs/abi.md says of linked programs.

Where sites, counters and entries lie, with each linker, and what a mixed install prints.
"""
import pathlib
import re
import shutil
import unittest

from support import BUILD, FIB, SOURCE, TOOLS, TestCase, run

CXX = BUILD / "bin/nopal-clang++"
HEADER = (SOURCE / "runtime/abi/nopal_abi.h").read_text()
VERSION = int(re.search(r"^#define NOPAL_ABI_VERSION (\d+)$", HEADER, re.M)[1])
LINKERS = [linker for linker in ("bfd", "lld-22", "gold", "mold") if shutil.which(f"ld.{linker}")]


# Number, address, size, type, binding, visibility, section, name: a line of a symbol table.
SYMBOL = re.compile(r" *\d+: \w{16} .* (\d+) \S*\.(site|steals|entry)(\.\d+)?$")
SECTION = re.compile(r" *\[ *(\d+)\] (\S+) +\S+ +(\w{16}) \w+ (\w+) \w\w (.{3})")


class Places(TestCase):
    def places(self, binary):
        """{what: sections}, of the binary's sites, their counters and entries; the sections,
        {name: (begin, end, flags)}; and what RELRO protects."""
        text = self.succeed(TOOLS / "llvm-readelf", "-SlsW", binary).stdout
        sections, names, found = {}, {}, {"site": set(), "steals": set(), "entry": set()}
        for line in text.splitlines():
            if match := SECTION.match(line):
                begin = int(match[3], 16)
                names[match[1]] = match[2]
                sections[match[2]] = begin, begin + int(match[4], 16), match[5].strip()
            elif match := SYMBOL.match(line):
                found[match[2]].add(names[match[1]])
        relro = re.search(r"^ *GNU_RELRO +\w+ 0x(\w+) 0x\w+ 0x\w+ 0x(\w+)", text, re.M)
        begin, length = (int(relro[1], 16), int(relro[2], 16)) if relro else (0, 0)
        return found, sections, (begin, begin + length)

    def check(self, binary):
        places, sections, relro = self.places(binary)
        self.assertEqual(places["steals"], {".bss"})
        self.assertEqual(places["entry"], {"nopal_sites"})
        self.assertNotIn("W", sections["nopal_sites"][2])
        self.assertEqual(len(places["site"]), 1, places)
        begin, end, flags = sections[places["site"].pop()]
        is_protected = relro[0] <= begin and end <= relro[1]
        self.assertTrue("W" not in flags or is_protected, f"{begin:#x} to {end:#x}, RELRO {relro}")

    def test_constants_are_protected_and_counters_take_no_room_in_the_file(self):
        compiled, binary = self.folder / "fib.o", self.folder / "binary"
        for options in ((), ("-fPIC", "-shared"), ("-fno-pic", "-no-pie"), ("-static",), ("-flto",),
                        ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")):
            # A compilation, of which nothing is for the linker.
            self.succeed(CXX, "-std=c++20", "-O1", "-Wno-unused-command-line-argument", *options,
                         "-c", FIB, "-o", compiled)
            for linker in LINKERS:
                with self.subTest(linker=linker, options=options):
                    self.succeed(CXX, "-O1", f"-fuse-ld={linker}", *options, compiled, "-o", binary)
                    self.check(binary)


class Exports(TestCase):
    def dynamic(self, library, *options):
        return self.succeed(TOOLS / "llvm-readelf", "-W", *options, library).stdout

    def test_what_the_libraries_export(self):
        """A symbol that goes or whose version changes is missed by programs that are there
        already."""
        text = (pathlib.Path(__file__).with_name("exported.txt")).read_text()
        wanted = {}
        for line in text.splitlines():
            if line.startswith("  "):
                wanted[library].add(line.strip())
            elif not line.startswith("#"):
                library = line
                wanted[library] = set()
        self.assertEqual(len(wanted), 2)
        for library, symbols in wanted.items():
            table = self.dynamic(BUILD / "lib" / library, "--dyn-syms")
            found = re.findall(r"(?:GLOBAL|WEAK) +DEFAULT +\d+ +(\S+)$", table, re.M)
            self.assertEqual({name for name in found if not name.startswith("_Z")}, symbols,
                             f"{library}: see exported.txt")

    def test_the_names_for_the_loader(self):
        for name in ("libnopal", "libnopal-span", "libnopal-race"):
            library = BUILD / f"lib/{name}.so"
            if name == "libnopal" or library.exists():
                self.assertIn(f"[{name}.so.{VERSION}]", self.dynamic(library, "-d"))


class Mismatch(TestCase):
    def object_of(self, version):
        """An object that refers to another version of the ABI."""
        assembly = self.folder / "fib.s"
        self.succeed(CXX, "-std=c++20", "-O1", "-S", FIB, "-o", assembly)
        text, count = re.subn(rf"\bnopal_abi_version_{VERSION}\b", f"nopal_abi_version_{version}",
                              assembly.read_text())
        self.assertGreater(count, 0)
        assembly.write_text(text)
        self.succeed(CXX, "-c", assembly, "-o", self.folder / "fib.o")
        return self.folder / "fib.o"

    def test_another_version_does_not_link(self):
        for version in (VERSION - 1, VERSION + 1):
            compiled = self.object_of(version)
            for linker in LINKERS:
                for options in ((), ("-static-libnopal",)):
                    with self.subTest(version=version, linker=linker, options=options):
                        self.check_link(version, compiled, linker, *options)

    def check_link(self, version, compiled, linker, *options):
        linked = run(CXX, f"-fuse-ld={linker}", *options, compiled, "-o", self.folder / "fib")
        self.assertNotEqual(linked.returncode, 0)
        self.assertRegex(linked.stderr,
                         rf"undefined (reference to|symbol:) .?nopal_abi_version_{version}\b")
        if linker == "bfd" and version < VERSION:
            self.assertIn(f"this object was compiled for version {version} of Nopal's ABI and the "
                          f"runtime has version {VERSION}; compile it again", linked.stderr)

    def test_another_version_does_not_load(self):
        self.succeed(CXX, "-std=c++20", "-O1", FIB, "-o", self.folder / "fib")
        library = (BUILD / "lib/libnopal.so").read_bytes()
        ours, other = (b"\0nopal_abi_version_%d\0" % version for version in (VERSION, VERSION + 1))
        self.assertEqual(len(ours), len(other))
        self.assertIn(ours, library)
        (self.folder / "libnopal.so").write_bytes(library.replace(ours, other))
        loaded = run(self.folder / "fib", "10",
                     env={"LD_PRELOAD": str(self.folder / "libnopal.so")})
        self.assertNotEqual(loaded.returncode, 0)
        self.assertRegex(loaded.stderr, rf"undefined symbol: nopal_abi_version_{VERSION}\b")


if __name__ == "__main__":
    unittest.main()
