//! Characters by their Unicode names: what `\N{…}` in a Python text means.
//!
//! Owns: the names of Unicode 14, those of CPython 3.11, as one text: of the living alphabets of Europe and their neighbours, of
//! Devanagari, kana, punctuation, symbols and emoji. Scripts of the past and those with thousands of signs are left out.
//! May touch: nothing.
//! Must not know: Python.
//! Invariants: it takes the place of the package of this name, which the parser asks; that one keeps its names in tables
//! which no transport can make smaller, four times the size of this text on its way to a browser.

/// A name a line, in the order of the characters; `@HEX` before a name that does not follow on.
const NAMES: &str = include_str!("../names.dat");

/// The first Hangul syllable, and the parts of their names.
const HANGUL: u32 = 0xAC00;
const LEADS: [&str; 19] =
    ["G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P", "H"];
const VOWELS: [&str; 21] = [
    "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE", "WI", "YU", "EU", "YI",
    "I",
];
const TAILS: [&str; 28] = [
    "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M", "B", "BS", "S", "SS",
    "NG", "J", "C", "K", "T", "P", "H",
];

/// Where the ideographs of the common blocks lie.
const IDEOGRAPHS: [(u32, u32); 9] = [
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFC),
    (0x9FFD, 0x9FFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B738),
    (0x2B740, 0x2B81D),
    (0x2B820, 0x2CEA1),
    (0x2CEB0, 0x2EBE0),
    (0x30000, 0x3134A),
];

/// The character with this name, in any case; `None` if Unicode has no such name.
///
/// ```
/// assert_eq!(unicode_names2::character("bullet"), Some('•'));
/// assert_eq!(unicode_names2::character("CJK UNIFIED IDEOGRAPH-4E00"), Some('一'));
/// assert_eq!(unicode_names2::character("HANGUL SYLLABLE GAG"), Some('각'));
/// assert_eq!(unicode_names2::character("NO SUCH THING"), None);
/// ```
pub fn character(name: &str) -> Option<char> {
    let name = name.to_ascii_uppercase();
    if let Some(hex) = name.strip_prefix("CJK UNIFIED IDEOGRAPH-") {
        let code = u32::from_str_radix(hex, 16).ok()?;
        return char::from_u32(code).filter(|_| IDEOGRAPHS.iter().any(|(a, z)| (*a..=*z).contains(&code)));
    }
    if let Some(syllable) = name.strip_prefix("HANGUL SYLLABLE ") {
        return hangul(syllable);
    }
    let mut code = 0;
    for line in NAMES.lines() {
        let known = match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            Some((hex, known)) => {
                code = u32::from_str_radix(hex, 16).ok()?;
                known
            }
            None => line,
        };
        if known == name {
            return char::from_u32(code);
        }
        code += 1;
    }
    None
}

fn hangul(syllable: &str) -> Option<char> {
    for (lead, first) in (0..).zip(LEADS) {
        let Some(rest) = syllable.strip_prefix(first) else { continue };
        for (vowel, middle) in (0..).zip(VOWELS) {
            let Some(end) = rest.strip_prefix(middle) else { continue };
            if let Some(tail) = (0..).zip(TAILS).find_map(|(at, last)| (last == end).then_some(at)) {
                return char::from_u32(HANGUL + (lead * 21 + vowel) * 28 + tail);
            }
        }
    }
    None
}
