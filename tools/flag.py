#!/usr/bin/env python3
"""Draws scenes/meshes/flag.png, the flag of scenes/gusts.json: a sun over waves. Usage: tools/flag.py [FILE]"""
import math
import os
import struct
import sys
import zlib

WIDTH, HEIGHT, SAMPLES = 384, 256, 3
SKY, SUN, WAVE, FOAM, DEEP = (58, 112, 184), (250, 200, 70), (64, 172, 186), (245, 245, 238), (34, 84, 150)


def crest(x, height, length, phase):
    return height + 9 * math.sin(2 * math.pi * x / length + phase)


def colour(x, y):
    """In pixels from the upper left."""
    for height, length, phase, below in ((224, 130, 2.2, DEEP), (196, 160, 0.6, WAVE), (182, 160, 0.6, FOAM)):
        if y > crest(x, height, length, phase):
            return below
    dx, dy = x - 140, y - 100
    distance, turn = math.hypot(dx, dy), math.atan2(dy, dx) / (2 * math.pi) * 16
    ray = abs(turn - math.floor(turn) - 0.5)  # 0 in the middle of a ray
    if distance < 42 or (50 < distance < 82 and ray < 0.24 * (82 - distance) / 32 + 0.02):
        return SUN
    return SKY


def pixel(x, y):
    spots = [colour(x + (i + 0.5) / SAMPLES, y + (j + 0.5) / SAMPLES) for i in range(SAMPLES) for j in range(SAMPLES)]
    return bytes(round(sum(s[k] for s in spots) / len(spots)) for k in range(3))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(WIDTH)) for y in range(HEIGHT))
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "scenes", "meshes", "flag.png")
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)))
        file.write(chunk(b"sRGB", b"\0") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


main()
