"""What a person writes in an afternoon: every step of a session as JSON lines, without a schema.

A length-delimited field is tried as a message, then as text, then kept as hex. Repeated fields become lists.
"""
import json
import sqlite3
import sys


def varint(raw, at):
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("varint")


def message(raw):
    out, at, end = {}, 0, len(raw)
    while at < end:
        tag, at = varint(raw, at)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise ValueError("tag")
        if wire == 0:
            value, at = varint(raw, at)
        elif wire == 2:
            size, at = varint(raw, at)
            if at + size > end:
                raise ValueError("size")
            value, at = content(raw[at:at + size]), at + size
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            if at + size > end:
                raise ValueError("size")
            value, at = int.from_bytes(raw[at:at + size], "little"), at + size
        else:
            raise ValueError("wire type")
        key = str(number)
        if key not in out:
            out[key] = value
        elif isinstance(out[key], list):
            out[key].append(value)
        else:
            out[key] = [out[key], value]
    return out


def content(raw):
    try:
        if raw:
            return message(raw)
    except (ValueError, IndexError):
        pass
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.hex()


db = sqlite3.connect("file:" + sys.argv[1] + "?immutable=1", uri=True)
for metadata, payload in db.execute("SELECT metadata, step_payload FROM steps ORDER BY idx"):
    print(json.dumps({"metadata": content(metadata), "step": content(payload)}))
