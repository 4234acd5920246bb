"""Reads the traces that the runtime writes: a decoder of its own for both formats.

    python3 tests/trace/decode.py FILE      prints the slices of each worker, and the flows

Both give a Trace. Whatever the format does not allow is a Malformed.
"""
import json
import struct
import sys
from dataclasses import dataclass, field

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


class Malformed(Exception):
    pass


@dataclass
class Slice:
    name: str
    begin: int
    end: int = None
    arriving: list = field(default_factory=list)
    notes: dict = field(default_factory=dict)


@dataclass
class Instant:
    name: str
    time: int
    leaving: list
    arriving: list
    notes: dict


class Trace:
    """Times are nanoseconds. `workers`: index -> slices in their order."""

    def __init__(self):
        self.workers, self.instants, self.counters = {}, {}, {}
        self.packets = 0

    def begin(self, worker, item):
        if self.workers[worker] and self.workers[worker][-1].end is None:
            raise Malformed(f"worker {worker}: {item.name} begins within a slice")
        self.workers[worker].append(item)

    def end(self, worker, time):
        if not self.workers[worker] or self.workers[worker][-1].end is not None:
            raise Malformed(f"worker {worker}: an end without a beginning at {time}")
        self.workers[worker][-1].end = time

    def flows(self):
        """id -> [(worker, time, name) of each place where it leaves], [the same, arrives]."""
        found = {}
        for worker, slices in self.workers.items():
            for item in slices:
                for flow in item.arriving:
                    found.setdefault(flow, ([], []))[1].append((worker, item.begin, item.name))
        for worker, instants in self.instants.items():
            for item in instants:
                for flow in item.leaving:
                    found.setdefault(flow, ([], []))[0].append((worker, item.time, item.name))
                for flow in item.arriving:
                    found.setdefault(flow, ([], []))[1].append((worker, item.time, item.name))
        return found


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed("a number is cut off")
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """A message as a list of (field, value): numbers, or bytes."""
    found, at = [], 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise Malformed(f"wire type {key & 7}")
        if at > len(data):
            raise Malformed("a field is cut off")
        found.append((key >> 3, value))
    return found


def one(message, number, default=None):
    return next((value for key, value in message if key == number), default)


def every(message, number):
    return [value for key, value in message if key == number]


def notes_of(event):
    parsed = [fields(note) for note in every(event, 4)]
    return {one(note, 10).decode(): one(note, 3) for note in parsed}


def read_perfetto(data):
    trace, names, tracks = Trace(), {}, {}
    for key, packet in fields(data):
        if key != 1:
            raise Malformed(f"field {key} of the trace")
        packet = fields(packet)
        trace.packets += 1
        if one(packet, 10) is None or (one(packet, 13) == 3) != (trace.packets == 1):
            raise Malformed("sequence")
        for entry in every(fields(one(packet, 12, b"")), 2):
            entry = fields(entry)
            names[one(entry, 1)] = one(entry, 2).decode()
        if (descriptor := one(packet, 60)) is not None:
            descriptor = fields(descriptor)
            name = one(descriptor, 2, b"").decode()
            tracks[one(descriptor, 1)] = name
            if one(descriptor, 3) is None and one(descriptor, 5) not in tracks:
                raise Malformed(f"{name}: no parent")
            if name.startswith("worker ") and one(descriptor, 8) is None:
                trace.workers[int(name[7:])] = []
        if (event := one(packet, 11)) is None:
            continue
        event, time = fields(event), one(packet, 8)
        track, kind = tracks[one(event, 11)], one(event, 9)
        if kind == COUNTER:
            trace.counters.setdefault(track, []).append((time, one(event, 30)))
            continue
        worker = int(track[7:])
        if kind == END:
            trace.end(worker, time)
            continue
        name = names[one(event, 10)]
        if kind == BEGIN:
            trace.begin(worker, Slice(name, time, None, every(event, 48), notes_of(event)))
        else:
            trace.instants.setdefault(worker, []).append(
                Instant(name, time, every(event, 47), every(event, 48), notes_of(event)))
    return trace


def read_chrome(text, is_whole=True):
    trace = Trace()
    events = json.loads(text if is_whole else text.rstrip().rstrip(",") + "]")
    for event in events:
        worker, kind = event["tid"], event["ph"]
        time = round(event["ts"] * 1000)
        if kind == "M" and event["name"] == "thread_name":
            trace.workers[worker] = []
        elif kind == "B":
            trace.begin(worker, Slice(event["name"], time, None, [], event.get("args", {})))
        elif kind == "E":
            trace.end(worker, time)
        elif kind == "i":
            trace.instants.setdefault(worker, []).append(
                Instant(event["name"], time, [], [], event.get("args", {})))
        elif kind == "s":
            trace.instants[worker][-1].leaving.append(event["id"])
        elif kind == "f":
            trace.workers[worker][-1].arriving.append(event["id"])
        elif kind == "C":
            trace.counters.setdefault(event["name"], []).append((time, event["args"]["count"]))
        elif kind != "M":
            raise Malformed(kind)
    return trace


def read(path, is_whole=True):
    with open(path, "rb") as file:
        data = file.read()
    if str(path).endswith(".json"):
        return read_chrome(data.decode(), is_whole)
    return read_perfetto(data)


def main():
    trace = read(sys.argv[1])
    start = min(slices[0].begin for slices in trace.workers.values())
    for worker, slices in sorted(trace.workers.items()):
        for item in slices:
            print(f"worker {worker}: {(item.begin - start) / 1e6:10.3f} ms "
                  f"{((item.end or item.begin) - item.begin) / 1e6:10.3f} ms  {item.name}")
    for flow, (leaving, arriving) in sorted(trace.flows().items()):
        print(f"flow {flow}: worker {leaving[0][0]} to {arriving[0][0]}  {leaving[0][2]}")


if __name__ == "__main__":
    main()
