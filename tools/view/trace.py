"""Reads a trace of CILK_TRACE, in either format, as a timeline (README.md, "The recording").

Of Perfetto's format only what the runtime writes: docs/trace.md, runtime/src/trace. A trace whose
end is missing, since the program was killed, is read as far as it goes.
"""
import json
import struct
from pathlib import Path

from .fault import Fault

BEGIN, END = 1, 2
IDLE = ("parked", "no thread", "waiting at a sync", "waiting for its turn")
SEARCH = "search"
STEPS = 200


class CutOff(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while at < len(data) and shift < 64:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    raise CutOff


def fields(data):
    """The fields of a message of Protocol Buffers: number and value, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            if at + 8 > len(data):
                raise CutOff
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if at > len(data):
                raise CutOff
        else:
            raise ValueError(f"wire type {kind}")
        yield key >> 3, value


def perfetto_events(data):
    """(worker, time, whether a slice begins, its name)"""
    names, tracks = {}, {}
    try:
        for _, packet in fields(data):
            packet = dict(fields(packet))
            if 12 in packet:  # interned data
                for number, entry in fields(packet[12]):
                    if number == 2:
                        entry = dict(fields(entry))
                        names[entry[1]] = entry[2].decode(errors="replace")
            if 60 in packet:  # a track
                track = dict(fields(packet[60]))
                tracks[track[1]] = track.get(2, b"").decode(errors="replace")
            if 11 in packet:  # an event
                event = dict(fields(packet[11]))
                worker = tracks.get(event.get(11), "")
                if event.get(9) in (BEGIN, END) and worker.startswith("worker "):
                    yield (int(worker.split()[1]), packet[8], event[9] == BEGIN,
                           names.get(event.get(10), ""))
    except CutOff:
        return


def chrome_events(text):
    try:
        events = json.loads(text)
    except ValueError:
        events = json.loads(text[:text.rfind("}") + 1] + "]")  # its end is missing
    for event in events:
        if event["ph"] in ("B", "E"):
            yield (event["tid"], round(event["ts"] * 1000), event["ph"] == "B",
                   event.get("name", ""))


def slices(events):
    """(worker, begin, end, name); what has no end ends with the trace."""
    began, found, last = {}, [], 0
    for worker, time, is_begin, name in events:
        last = max(last, time)
        if worker in began:
            found.append((worker, began[worker][0], time, began[worker][1]))
            del began[worker]
        if is_begin:
            began[worker] = (time, name)
    return found + [(worker, begin, last, name) for worker, (begin, name) in began.items()]


def timeline(found):
    """As live.timeline makes it from samples."""
    start, end = min(row[1] for row in found), max(row[2] for row in found)
    step = max(1, -(-(end - start) // STEPS))
    steps = max(1, -(-(end - start) // step))
    workers = [{"working": [0.0] * steps, "stealing": [0.0] * steps}
               for _ in range(1 + max(row[0] for row in found))]
    for worker, begin, finish, name in found:
        if name in IDLE:
            continue
        row = workers[worker]["stealing" if name == SEARCH else "working"]
        for number in range((begin - start) // step, min(steps, (finish - start) // step + 1)):
            low = start + number * step
            row[number] += max(0, min(finish, low + step) - max(begin, low)) / step
    for worker in workers:
        for row in worker.values():
            row[:] = [round(min(1, share), 3) for share in row]
    return {"times_ns": [(number + 1) * step for number in range(steps)], "stack_bytes": [],
            "workers": workers}


def load(path):
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Fault(f"cannot read '{path}': {error.strerror}") from None
    try:
        events = (chrome_events(data.decode(errors="replace")) if Path(path).suffix == ".json"
                  else perfetto_events(data))
        found = slices(events)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Fault(f"'{path}' is not a trace of CILK_TRACE") from None
    if not found:
        raise Fault(f"'{path}' is not a trace of CILK_TRACE: it has no slices of workers")
    return timeline(found)
