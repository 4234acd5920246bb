# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The logical (cactus) backtrace of a Cilk program in gdb: the command cilk-bt.

    (gdb) source PREFIX/lib/nopal/cilk-gdb.py
    (gdb) cilk-bt

A stolen continuation runs on a stack segment of its thief. gdb's own backtrace ends there, in the
worker loop. cilk-bt goes on: the continuation belongs to a function whose frame lies on another
stack, and that function's callers are the logical callers. A thread runs or waits on that stack, or
it is suspended until all children are done. So the command prints from the selected thread's newest
frame to main, or to the first function of the thread that spawned. It works on live processes and
core files, on x86-64 and AArch64.

A thread of the program that waits for a frame may run a continuation on its own stack, above that
frame (nopal::run_in_place). Its logical callers too are on another stack.

It reads of the runtime (stack/switch.h): the Stack record at the top of a segment, or in
run_in_place's frame, and SuspendedStack; of a frame (nopal_abi.h) `context`.
cilk-gdb-layout.json beside this file says where these fields are; the build writes it from the
headers (layout.cpp). Of a jump it reads the registers that Boost.Context saves.
"""

import collections
import json
import os.path

import gdb
import gdb.unwinder

FOLDER = os.path.dirname(os.path.realpath(__file__))
with open(os.path.join(FOLDER, "cilk-gdb-layout.json"), encoding="ascii") as file:
    LAYOUT = json.load(file)
SCANNED = 1024  # bytes above the oldest frame of a segment, where its Stack lies
# The names of stack pointer and program counter; where jump_fcontext saves which register, and how
# many bytes it takes from the stack.
Processor = collections.namedtuple("Processor", "sp pc saved saved_bytes")
PROCESSORS = {
    # Boost 1.78 and later: a word for the stack protector after the control words.
    "i386:x86-64": Processor("rsp", "rip", {"r12": 0x10, "r13": 0x18, "r14": 0x20, "r15": 0x28,
                                            "rbx": 0x30, "rbp": 0x38, "rip": 0x40}, 0x48),
    "aarch64": Processor("sp", "pc", {**{f"x{n}": 0x40 + 8 * (n - 19) for n in range(19, 31)},
                                      "pc": 0xa0}, 0xb0),
}
LONGEST = 100000  # frames
OLDEST = "main"  # what is older is the C library's, and not printed

IN_PLACE = "nopal::run_in_place"
OF_THE_RUNTIME = ("nopal::", "nopal_", "jump_fcontext", "make_fcontext", "boost::context::")


def processor():
    return PROCESSORS[gdb.selected_inferior().architecture().name()]


def word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, 8).tobytes(), "little")


def register(frame, name):
    value = frame.read_register(name)
    return int(value.cast(gdb.lookup_type("unsigned long")))


def stack_pointer(frame):
    return register(frame, processor().sp)


def name_of(frame):
    return frame.name() or "??"


def is_of_the_runtime(frame):
    return name_of(frame).startswith(OF_THE_RUNTIME)


class Redirect(gdb.unwinder.Unwinder):
    """While `registers` is set, the newest frame's caller has these: walks a suspended stack."""

    def __init__(self):
        super().__init__("cilk-bt")
        self.registers = self.newest = None

    def __call__(self, pending):
        if self.registers is None:
            return None
        names = processor()
        sp, pc = pending.read_register(names.sp), pending.read_register(names.pc)
        if (int(sp), int(pc)) != self.newest:
            return None

        class Identity:
            pass

        # (gdb takes a stack that goes on at a lower address for a corrupt one, so this frame has to
        # seem lower than the one that it leads to.)
        identity = Identity()
        sp = self.registers[names.sp] - names.saved_bytes
        identity.sp, identity.pc = gdb.parse_and_eval(f"(void *){sp:#x}"), pc
        info = pending.create_unwind_info(identity)
        for name, value in self.registers.items():
            kind = {names.pc: "(void (*)())", names.sp: "(void *)",
                    "rbp": "(void *)"}.get(name, "(long)")
            info.add_saved_register(name, gdb.parse_and_eval(f"{kind}{value:#x}"))
        return info


redirect = Redirect()
gdb.unwinder.register_unwinder(None, redirect, replace=True)


def walk(frame):
    """The frames from `frame` outwards."""
    for _ in range(LONGEST):
        if frame is None or not frame.is_valid():
            return
        yield frame
        frame = frame.older()


def describe(frame):
    """As gdb's bt, without the address: function, arguments if known, file and line."""
    text = name_of(frame)
    arguments = []
    try:
        block = frame.block()
        while block is not None and block.function is None:
            block = block.superblock
        for symbol in block or ():
            if symbol.is_argument:
                try:
                    arguments.append(f"{symbol.print_name}={symbol.value(frame)}")
                except (gdb.error, gdb.MemoryError):
                    arguments.append(f"{symbol.print_name}=?")
    except RuntimeError:  # no debug information
        pass
    if "(" not in text:
        text += f" ({', '.join(arguments)})"
    where = frame.find_sal()
    if where.symtab is not None:
        text += f" at {where.symtab.filename}:{where.line}"
    return text


def continued_by(oldest):
    """The frame whose continuation runs on the segment that ends with the frame `oldest`.

    None if it is no segment, 0 if the worker has no work.
    """
    at = stack_pointer(oldest) & ~7
    for _ in range(SCANNED // 8):
        try:
            if word(at + LAYOUT["Stack::tag"]) == LAYOUT["Stack::kTag"]:
                return word(at + LAYOUT["Stack::continues"])
        except gdb.MemoryError:
            return None
        at += 8
    return None


class PastMain:
    """While it lives gdb goes on past main, whose frame ends where its caller's begins."""

    def __enter__(self):
        self.before = gdb.parameter("backtrace past-main")
        gdb.execute("set backtrace past-main on", to_string=True)

    def __exit__(self, *_):
        gdb.execute(f"set backtrace past-main {'on' if self.before else 'off'}", to_string=True)


class Part:
    """What one stack contributes: described frames, and what follows them.

    That is after the oldest, and where a thread that waits runs a continuation in place.
    """

    def __init__(self, frame):
        self.lines, self.in_place, self.oldest_continues, oldest = [], [], None, None
        for frame in walk(frame):
            if frame.type() == gdb.INLINE_FRAME:
                self.lines.append((None, describe(frame), False))
                continue
            self.lines.append((stack_pointer(frame), describe(frame), is_of_the_runtime(frame)))
            if name_of(frame).startswith(IN_PLACE):
                self.in_place.append((len(self.lines), continued_by(frame)))
            oldest = frame
        if oldest is not None:
            self.oldest_continues = continued_by(oldest)
        mains = [i for i, (_, text, _) in enumerate(self.lines) if text.split(" ")[0] == OLDEST]
        self.end = mains[-1] + 1 if mains else len(self.lines)

    def path(self, first):
        """The lines from number `first` to the end of their path, and the frame it continues."""
        for end, continues in self.in_place:
            if first < end:
                return self.lines[first:end], continues
        return self.lines[first:max(first, self.end)], self.oldest_continues

    def after(self, address):
        """The number of the first line older than the frame that holds `address`, or None.

        The continuation has the callers of that frame.
        """
        for i, (low, _, _) in enumerate(self.lines):
            if low is None or low > address:
                continue
            above = next((line[0] for line in self.lines[i + 1:] if line[0] is not None), None)
            if above is not None and address < above:
                return i + 1
        return None


def part_of_suspended(frame_address):
    """The stack that was left in the fast clone of this frame, or None."""
    try:
        record = word(frame_address + LAYOUT["nopal_frame::context"])
        if record & LAYOUT["NOPAL_CONTEXT_THREAD"]:
            return None  # a thread stands on it
        context = word(record + LAYOUT["SuspendedStack::context"])
        registers = {name: word(context + at) for name, at in processor().saved.items()}
    except gdb.MemoryError:
        return None
    registers[processor().sp] = context + processor().saved_bytes
    newest = gdb.newest_frame()
    redirect.newest = stack_pointer(newest), register(newest, processor().pc)
    redirect.registers = registers
    gdb.invalidate_cached_frames()
    try:
        frame = gdb.newest_frame()
        while frame is not None and frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        return Part(frame.older())
    finally:
        redirect.registers = None
        gdb.invalidate_cached_frames()


def logical_backtrace():
    """Yields (text, is of the runtime) from the selected thread's newest frame outwards.

    Notes about changes of the stack are (text, None).
    """
    chosen = gdb.selected_thread()
    others = []

    def parts_of_threads():
        if not others:
            for thread in gdb.selected_inferior().threads():
                thread.switch()
                others.append((thread.num, Part(gdb.newest_frame())))
            chosen.switch()
        return others

    part, first = Part(gdb.newest_frame()), 0
    for _ in range(LONGEST):
        lines, target = part.path(first)
        for _, text, is_runtime in lines:
            yield text, is_runtime
        if target is None:
            return
        if target == 0:
            yield "the worker runs no continuation", None
            return
        first = None
        for number, other in parts_of_threads():
            first = other.after(target)
            if first is not None:
                part, where = other, f"thread {number}"
                break
        if first is None:
            part, where = part_of_suspended(target), "a suspended stack"
            first = part.after(target) if part is not None else None
        if first is None:
            yield f"the stack of frame {target:#x} was not found", None
            return
        yield f"the function above was stolen; its callers are on {where}", None


class CilkBacktrace(gdb.Command):
    """Print the logical backtrace of the selected thread, across stolen continuations, to main.
Usage: cilk-bt [-a]
With -a frames of the runtime are printed, too."""

    def __init__(self):
        super().__init__("cilk-bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument not in ("", "-a"):
            raise gdb.GdbError("usage: cilk-bt [-a]")
        if gdb.selected_thread() is None:
            raise gdb.GdbError("no process, and no core file")
        if gdb.selected_inferior().architecture().name() not in PROCESSORS:
            raise gdb.GdbError("the program is for a processor that cilk-bt does not know")
        level = 0
        with PastMain():
            for text, is_runtime in logical_backtrace():
                if is_runtime is None:
                    gdb.write(f"    [{text}]\n")
                elif not is_runtime or argument == "-a":
                    gdb.write(f"#{level:<3}{text}\n")
                    level += 1


CilkBacktrace()
