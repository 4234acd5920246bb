"""Reads the workers of a running process from outside: the page of runtime/src/process/live.h, by
process_vm_readv. The process does nothing for it. Needs to be of the same user, and what the system
asks of a debugger (kernel.yama.ptrace_scope)."""
import ctypes
import json
import mmap
import os
import struct
import sys
import time

from .fault import Fault, missing

SYMBOL = "nopal_live_page"
PAGE = struct.Struct("<QIIQQIIIII4xQIII4xQIII4x")
MAGIC = 0x6576696c6c61706f
VERSION = 2
MOST_WORKERS = 8192
MOST_STACKS = 65536
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MOST_SAMPLES = 240
FIRST_INTERVAL = 0.002  # seconds
STACKS_SHARE = 50  # of the time goes into reading the stacks: one in so many


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Gone(Fault):
    """The process has ended, or has not begun."""


def read_memory(pid, address, length):
    library = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(length)
    mine = Vector(ctypes.cast(buffer, ctypes.c_void_p).value, length)
    theirs = Vector(address, length)
    read = library.process_vm_readv(pid, ctypes.byref(mine), ctypes.c_ulong(1),
                                    ctypes.byref(theirs), ctypes.c_ulong(1), ctypes.c_ulong(0))
    if read != length:
        code = ctypes.get_errno()
        if code == 1:  # EPERM
            raise Fault(f"may not read process {pid}: run as its user, and see "
                        "kernel.yama.ptrace_scope")
        raise Gone(f"cannot read process {pid}: {os.strerror(code)}")
    return buffer.raw


def symbol_in(path):
    """The value of SYMBOL in a file, and whether addresses in it are absolute; or None."""
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError:
        raise missing("python3-pyelftools") from None
    try:
        with open(path, "rb") as stream:
            # Most files do not have it; pyelftools takes 0.1 s for libstdc++'s symbols.
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
                if whole.find(SYMBOL.encode()) < 0:
                    return None
            file = ELFFile(stream)
            for name in (".dynsym", ".symtab"):
                table = file.get_section_by_name(name)
                found = table.get_symbol_by_name(SYMBOL) if table else None
                for symbol in found or ():
                    if symbol["st_shndx"] != "SHN_UNDEF":
                        return symbol["st_value"], file["e_type"] == "ET_EXEC"
    except (OSError, ValueError, ELFError):  # ValueError: the file is empty
        pass
    return None


class Process:
    def __init__(self, pid):
        self.pid = pid
        self.known = {}  # what symbol_in said of a file

    def page(self):
        """The page's fields after the magic, or None: not started, or not there."""
        try:
            with open(f"/proc/{self.pid}/maps", encoding="utf-8", errors="replace") as maps:
                lines = maps.read().splitlines()
        except OSError as error:
            raise Gone(f"there is no process {self.pid} that can be read: "
                       f"{error.strerror}") from None
        for line in lines:
            fields = line.split(maxsplit=5)
            if len(fields) < 6 or fields[2] != "00000000" or not fields[5].startswith("/"):
                continue
            path = fields[5].removesuffix(" (deleted)")
            if path not in self.known:
                self.known[path] = symbol_in(path)
            if self.known[path] is None:
                continue
            value, is_absolute = self.known[path]
            start = 0 if is_absolute else int(fields[0].split("-")[0], 16)
            magic, version, *rest = PAGE.unpack(read_memory(self.pid, start + value, PAGE.size))
            if magic != MAGIC:
                continue
            if version != VERSION:
                raise Fault(f"process {self.pid} has version {version} of the live page; this "
                            f"nopal-view knows {VERSION}")
            return rest
        return None

    def has_symbol(self):
        return any(self.known.values())

    def workers(self, page):
        """A row a worker: steals, attempts, working, stealing, parked (ns), and which goes on."""
        _, count_at, table_at, steals, attempts, times, since, activity = page[:8]
        count = min(struct.unpack("<I", read_memory(self.pid, count_at, 4))[0], MOST_WORKERS)
        if count == 0:
            return []
        table = struct.unpack(f"<{count}Q", read_memory(self.pid, table_at, 8 * count))
        begin, end = min(steals, times), max(attempts + 8, since + 8, activity + 1, times + 32)
        begin = min(begin, attempts, since, activity)
        rows = []
        for worker in table:
            raw = read_memory(self.pid, worker + begin, end - begin)
            now = time.monotonic_ns()
            spent = list(struct.unpack_from("<4Q", raw, times - begin))
            which = raw[activity - begin]
            began = struct.unpack_from("<Q", raw, since - begin)[0]
            if which < 4:
                spent[which] += max(0, now - began)
            rows.append((struct.unpack_from("<Q", raw, steals - begin)[0],
                         struct.unpack_from("<Q", raw, attempts - begin)[0], *spent[1:], which))
        return rows

    def stacks(self, page):
        """(lowest address, bytes) of each stack."""
        for is_size, (first, next_at, low_at, end_at) in ((True, page[8:12]), (False, page[12:16])):
            length = max(next_at, low_at, end_at) + 8
            at = struct.unpack("<Q", read_memory(self.pid, first, 8))[0]
            for _ in range(MOST_STACKS):
                if at == 0:
                    break
                raw = read_memory(self.pid, at, length)
                at, low, end = (struct.unpack_from("<Q", raw, offset)[0]
                                for offset in (next_at, low_at, end_at))
                if low != 0:
                    yield low, end if is_size else end - low

    def stack_bytes(self, page):
        """Resident bytes of all stacks; None if the system does not say."""
        total = 0
        try:
            with open(f"/proc/{self.pid}/pagemap", "rb") as pagemap:
                for low, size in self.stacks(page):
                    first, last = low // PAGE_BYTES, -(-(low + size) // PAGE_BYTES)
                    pagemap.seek(8 * first)
                    # Of each page 64 bits, the highest of which says that it is there.
                    total += sum(byte >> 7 for byte in pagemap.read(8 * (last - first))[7::8])
        except OSError:
            return None
        return total * PAGE_BYTES

    def resident(self):
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * PAGE_BYTES
        except (OSError, IndexError):
            return 0


def has_ended(child):
    """Without taking its status, which Child.wait() wants."""
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def record(pid, child):
    """What the workers of a child do until it ends: a timeline, or None if it cannot be read."""
    process = Process(pid)
    samples = []
    begun = time.monotonic_ns()
    interval = FIRST_INTERVAL
    page = stacks = None
    stacks_due = begun
    while not has_ended(child):
        try:
            page = page or process.page()
            if page:
                now = time.monotonic_ns()
                if now >= stacks_due:
                    stacks = process.stack_bytes(page)
                    # A program with many stacks shall not wait for its reader.
                    stacks_due = now + STACKS_SHARE * (time.monotonic_ns() - now)
                samples.append((now - begun, process.workers(page), stacks))
        except Gone:  # it has just ended, or exec has not mapped all of it yet
            pass
        except Fault as fault:  # it is not ours to read
            print(f"nopal-view: nothing over time: {fault}", file=sys.stderr)
            break
        if len(samples) >= MOST_SAMPLES:
            del samples[1::2]
            interval *= 2
        time.sleep(interval)
    return timeline(samples)


def with_serial_start(line, before_ns):
    """The timeline with what came before the first spawn, as the statistics count it: work of
    worker 0."""
    times = line["times_ns"]
    if before_ns <= 0 or not times:
        return line
    steps = min(MOST_SAMPLES, round(before_ns * len(times) / times[-1]))
    for index, shares in enumerate(line["workers"]):
        shares["working"][:0] = [float(index == 0)] * steps
        shares["stealing"][:0] = [0.0] * steps
    if line["stack_bytes"]:
        line["stack_bytes"][:0] = [0] * steps
    line["times_ns"] = ([before_ns * number // steps for number in range(1, steps + 1)] +
                        [before_ns + time for time in times])
    return line


def timeline(samples):
    """Shares of each interval between two samples; None if there are too few."""
    if len(samples) < 3:
        return None
    workers = max(len(rows) for _, rows, _ in samples)
    begun = samples[0][0]
    result = {"times_ns": [time - begun for time, _, _ in samples[1:]],
              "stack_bytes": [stacks for _, _, stacks in samples[1:]],
              "workers": [{"working": [], "stealing": []} for _ in range(workers)]}
    for (before, old, _), (after, new, _) in zip(samples, samples[1:]):
        for index, shares in enumerate(result["workers"]):
            for name, column in (("working", 2), ("stealing", 3)):
                now = new[index][column] if index < len(new) else 0
                then = old[index][column] if index < len(old) else 0
                share = (now - then) / (after - before)
                shares[name].append(round(min(1, max(0, share)), 3))
    return with_serial_start(result, begun)


def find(pid):
    """The process and its page."""
    process = Process(pid)
    page = process.page()
    if page is None:
        if process.has_symbol():
            raise Fault(f"process {pid} has not spawned yet")
        raise Fault(f"process {pid} has no symbol {SYMBOL}: it does not use Nopal, or is linked "
                    "statically and stripped")
    return process, page


def once(pid):
    """One reading as JSON."""
    process, page = find(pid)
    names = ("steals", "attempts", "working_ns", "stealing_ns", "parked_ns", "activity")
    return json.dumps({"nworkers": page[0], "resident_bytes": process.resident(),
                       "stack_bytes": process.stack_bytes(page),
                       "workers": [dict(zip(names, row)) for row in process.workers(page)]},
                      indent=1)


def top(pid, interval):
    process, page = find(pid)
    try:
        from rich.live import Live
        from rich.table import Table
    except ImportError:
        raise missing("python3-rich") from None
    with Live(auto_refresh=False, screen=True) as screen:
        old, then = process.workers(page), time.monotonic_ns()
        while True:
            time.sleep(interval)
            try:
                new, now = process.workers(page), time.monotonic_ns()
                resident = process.resident()
            except Gone:
                return
            table = Table(title=f"process {pid}: {len(new)} workers, {resident >> 20} MiB resident")
            for heading in ("worker", "work", "search", "parked", "steals/s", "attempts/s"):
                table.add_column(heading, justify="right")
            for index, row in enumerate(new):
                before = old[index] if index < len(old) else (0,) * 6
                spent = [(row[i] - before[i]) / (now - then) for i in (2, 3, 4)]
                rates = [(row[i] - before[i]) / ((now - then) / 1e9) for i in (0, 1)]
                table.add_row(str(index), *(f"{min(1, max(0, share)):.0%}" for share in spent),
                              *(f"{rate:,.0f}" for rate in rates))
            screen.update(table, refresh=True)
            old, then = new, now
