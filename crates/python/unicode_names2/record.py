"""Writes names.dat: the names of Unicode as this Python knows them, in the order of the characters.

A line is the name of the character after the one before it, or `@HEX NAME` where characters were left out. Ideographs and
Hangul syllables have names by rule and are not listed. CPython 3.11 has Unicode 14.
"""
import os
import unicodedata

BY_RULE = ("CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE", "TANGUT IDEOGRAPH", "NUSHU CHARACTER", "KHITAN SMALL SCRIPT",
           "CJK COMPATIBILITY IDEOGRAPH-")
lines, last = [], -2
for code in range(0x110000):
    name = unicodedata.name(chr(code), "")
    if name and not name.startswith(BY_RULE):
        lines.append(name if code == last + 1 else f"@{code:X} {name}")
        last = code
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.dat"), "w", encoding="ascii") as f:
    f.write("\n".join(lines) + "\n")
