# SPDX-License-Identifier: MIT
"""A reader of HdrHistogram interval logs, written from the published format
and from nothing of dyno's: log version 1.3, histograms in encoding V2."""
import base64
import re
import struct
import zlib

COOKIE, COOKIE_COMPRESSED = 0x1c849303, 0x1c849304


def unzigzag(data, at):
    """One number of up to nine bytes; the ninth has eight bits of value."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        if shift == 56:
            value |= byte << shift
            break
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            break
    return (value >> 1) ^ -(value & 1), at


class Histogram:
    """The counts of a histogram, by the lowest value of each bucket."""

    def __init__(self, text):
        outer = base64.b64decode(text, validate=True)
        cookie, length = struct.unpack_from(">ii", outer)
        assert cookie & ~0xf0 == COOKIE_COMPRESSED
        assert len(outer) == 8 + length
        inner = zlib.decompress(outer[8:])
        (cookie, length, shift, self.digits, self.lowest, self.highest,
         ratio) = struct.unpack_from(">iiiiqqd", inner)
        assert cookie & ~0xf0 == COOKIE
        assert (shift, ratio) == (0, 1.0)
        assert len(inner) == 40 + length
        # Sub-buckets: the power of two that holds 2 * 10^digits units.
        self.half = 1
        while 2 * self.half < 2 * 10 ** self.digits:
            self.half *= 2
        self.counts = {}
        self._read(inner[40:])

    def _read(self, data):
        index = at = 0
        while at < len(data):
            count, at = unzigzag(data, at)
            if count < 0:
                index -= count
                continue
            low = self._low(index)
            assert low <= self.highest
            self.counts[low] = count
            index += 1

    def _low(self, index):
        bucket = index // self.half - 1
        sub = index % self.half + self.half
        return index if bucket < 0 else sub << bucket

    def total(self):
        return sum(self.counts.values())

    def percentile(self, pct):
        """The low end of the bucket."""
        rank, seen = pct / 100 * self.total(), 0
        for low in sorted(self.counts):
            seen += self.counts[low]
            if seen >= rank:
                return low
        return 0


class Line:
    """One interval: tag, seconds since the start, length, maximum in ms."""

    def __init__(self, text):
        tag, begin, length, maximum, packed = text.split(",")
        assert tag.startswith("Tag=")
        self.tag = tag[len("Tag="):]
        self.begin_s, self.length_s = float(begin), float(length)
        self.max_ms = float(maximum)
        self.histogram = Histogram(packed)


def read(text):
    """Start in seconds since 1970, and the lines."""
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert "#[Histogram log format version 1.3]" in comments
    start = float(re.search(r"StartTime: ([\d.]+) \(seconds since epoch\)",
                            "\n".join(comments)).group(1))
    rest = lines[len(comments):]
    assert rest[0] == ('"StartTimestamp","Interval_Length","Interval_Max",'
                       '"Interval_Compressed_Histogram"')
    return start, [Line(line) for line in rest[1:]]
