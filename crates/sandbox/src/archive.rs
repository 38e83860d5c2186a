//! ZIP archives: stored entries are written, stored and deflated ones are read within limits.
//!
//! A writer and a reader of our own, because an archive crate costs the engine more than these lines. Source: PKWARE's
//! APPNOTE, 4.3 to 4.5; only `inflate` comes from a crate.

use std::collections::BTreeSet;

use tidemark_types::SimTime;

/// An archive may have so many bytes.
pub(crate) const ARCHIVE_BYTES_MAX: usize = tidemark_protocol::Act::ARCHIVE_BYTES_MAX;
/// Its files may have so many bytes together.
const UNPACKED_BYTES_MAX: usize = 64 << 20;
/// It may have so many entries.
const ENTRIES_MAX: usize = 5_000;
/// A path may have so many bytes.
const PATH_BYTES_MAX: usize = 512;
/// The comment at the end may have so many bytes.
const COMMENT_BYTES_MAX: usize = 0xFFFF;

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const END_BYTES: usize = 22;
const IS_UTF8: u16 = 1 << 11;
const IS_ENCRYPTED: u16 = 1;
/// Modes as Unix has them, in the upper half of an entry's attributes; the lower one is DOS's.
const MODE_FOLDER: u32 = 0o040_755;
const MODE_FILE: u32 = 0o100_644;
const IS_FOLDER: u32 = 16;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// The extra field with the modification time in seconds of UTC.
const TIMESTAMP: u16 = 0x5455;

/// A file or a folder of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its path with `/` between names; a folder ends with one.
    pub(crate) path: String,
    /// Its content.
    pub(crate) bytes: Vec<u8>,
    /// When it was last written.
    pub(crate) modified: SimTime,
    /// Whether the time is one of UTC, and not the clock of a wall somewhere.
    pub(crate) is_utc: bool,
}

/// Writes an archive.
pub(crate) fn write(entries: &[Entry]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = out.len() as u32;
        let mut shared = Vec::new();
        let (time, date) = dos_time(entry.modified);
        let crc = crc32(&entry.bytes);
        let size = entry.bytes.len() as u32;
        for half in [20, IS_UTF8, STORED, time, date] {
            put16(&mut shared, half);
        }
        for whole in [crc, size, size] {
            put32(&mut shared, whole);
        }
        put16(&mut shared, entry.path.len() as u16);
        let mut extra = Vec::new();
        put16(&mut extra, TIMESTAMP);
        put16(&mut extra, 5);
        extra.push(1);
        put32(&mut extra, entry.modified.0.div_euclid(1000) as u32);
        put16(&mut shared, extra.len() as u16);

        put32(&mut out, LOCAL);
        out.extend(&shared);
        out.extend(entry.path.as_bytes());
        out.extend(&extra);
        out.extend(&entry.bytes);

        let is_folder = entry.path.ends_with('/');
        put32(&mut central, CENTRAL);
        put16(&mut central, 0x0314);
        central.extend(&shared);
        for half in [0, 0, 0] {
            put16(&mut central, half);
        }
        put32(&mut central, if is_folder { (MODE_FOLDER << 16) | IS_FOLDER } else { MODE_FILE << 16 });
        put32(&mut central, offset);
        central.extend(entry.path.as_bytes());
        central.extend(&extra);
    }
    let offset = out.len() as u32;
    out.extend(&central);
    put32(&mut out, END);
    for half in [0, 0, entries.len() as u16, entries.len() as u16] {
        put16(&mut out, half);
    }
    put32(&mut out, central.len() as u32);
    put32(&mut out, offset);
    put16(&mut out, 0);
    out
}

/// Reads an archive; what file systems add for themselves is left out.
///
/// Errors: what is wrong with it, as the second half of a sentence.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    if bytes.len() > ARCHIVE_BYTES_MAX {
        return Err(format!(
            "it has {} MB, and {} MB are the limit",
            bytes.len() >> 20,
            ARCHIVE_BYTES_MAX >> 20
        ));
    }
    let end = find_end(bytes).ok_or("it is no zip archive, or only a part of one")?;
    let tail = Fields(&bytes[end..]);
    let (count, mut at) = (usize::from(tail.half(10)?), tail.whole(16)? as usize);
    if count > ENTRIES_MAX {
        return Err(format!("it has {count} entries, and {ENTRIES_MAX} are the limit"));
    }
    let (mut found, mut paths, mut unpacked) = (Vec::new(), BTreeSet::new(), 0_usize);
    for _ in 0..count {
        let header = Header::read(bytes, at)?;
        at += header.len;
        header.refuse()?;
        unpacked = unpacked.saturating_add(header.size);
        if unpacked > UNPACKED_BYTES_MAX {
            return Err(format!("it holds more than {} MB when it is unpacked", UNPACKED_BYTES_MAX >> 20));
        }
        if header.is_of_the_system() {
            continue;
        }
        if !paths.insert(header.path.clone()) {
            return Err(format!("{} is there twice", shown(&header.path)));
        }
        let content = header.content(bytes)?;
        found.push(Entry {
            path: header.path,
            bytes: content,
            modified: header.modified,
            is_utc: header.is_utc,
        });
    }
    Ok(found)
}

/// A text from an archive, short and without control characters, to stand in a sentence.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let kept: String = text.chars().filter(|c| !c.is_control()).take(CHARS_MAX + 1).collect();
    if kept.chars().count() > CHARS_MAX {
        kept.chars().take(CHARS_MAX).chain("…".chars()).collect()
    } else {
        kept
    }
}

/// One entry of the central directory.
struct Header {
    path: String,
    flags: u16,
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    mode: u32,
    offset: usize,
    modified: SimTime,
    is_utc: bool,
    /// How many bytes the entry takes in the directory.
    len: usize,
}

impl Header {
    fn read(bytes: &[u8], at: usize) -> Result<Header, String> {
        let fields = Fields(bytes.get(at..).unwrap_or_default());
        if fields.whole(0)? != CENTRAL {
            return Err(CUT.to_owned());
        }
        let (name_len, extra_len) = (usize::from(fields.half(28)?), usize::from(fields.half(30)?));
        let comment_len = usize::from(fields.half(32)?);
        let name = fields.bytes(46, name_len)?;
        let path = std::str::from_utf8(name).map_err(|_| "a name in it is not UTF-8")?.to_owned();
        let extra = fields.bytes(46 + name_len, extra_len)?;
        let of_utc = utc_seconds(extra);
        let modified = match of_utc {
            Some(seconds) => SimTime(i64::from(seconds) * 1000),
            None => from_dos_time(fields.half(12)?, fields.half(14)?),
        };
        let is_unix = fields.half(4)? >> 8 == 3;
        Ok(Header {
            path,
            flags: fields.half(8)?,
            method: fields.half(10)?,
            crc: fields.whole(16)?,
            packed: fields.whole(20)? as usize,
            size: fields.whole(24)? as usize,
            mode: if is_unix { fields.whole(38)? >> 16 } else { 0 },
            offset: fields.whole(42)? as usize,
            modified,
            is_utc: of_utc.is_some(),
            len: 46 + name_len + extra_len + comment_len,
        })
    }

    fn is_folder(&self) -> bool {
        self.path.ends_with('/')
    }

    /// What desktops add to an archive without being asked.
    fn is_of_the_system(&self) -> bool {
        let name = self.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let is_theirs = |part: &str| part == "__MACOSX" || part == "__pycache__";
        name == ".DS_Store" || name.starts_with("._") || self.path.split('/').any(is_theirs)
    }

    fn refuse(&self) -> Result<(), String> {
        let path = shown(&self.path);
        let names = self.path.strip_suffix('/').unwrap_or(&self.path);
        if self.path.is_empty() || self.path.len() > PATH_BYTES_MAX {
            return Err(format!("the path {path} is too long or empty"));
        }
        if self.path.chars().any(|c| c.is_control() || c == '\\') || names.contains(':') && is_drive(names) {
            return Err(format!("the path {path} holds what no path here may hold"));
        }
        if names.split('/').any(|name| matches!(name, "" | "." | "..")) {
            return Err(format!("the path {path} leaves its folder"));
        }
        if self.flags & IS_ENCRYPTED != 0 {
            return Err(format!("{path} is encrypted"));
        }
        if self.mode & 0o170_000 == 0o120_000 {
            return Err(format!("{path} is a link to another file"));
        }
        if !matches!(self.method, STORED | DEFLATED) {
            return Err(format!(
                "{path} is packed by method {}, and only stored and deflated are read",
                self.method
            ));
        }
        if self.is_folder() && self.size > 0 {
            return Err(format!("the folder {path} has bytes of its own"));
        }
        Ok(())
    }

    fn content(&self, archive: &[u8]) -> Result<Vec<u8>, String> {
        let local = Fields(archive.get(self.offset..).unwrap_or_default());
        if local.whole(0)? != LOCAL {
            return Err(CUT.to_owned());
        }
        let begin = 30 + usize::from(local.half(26)?) + usize::from(local.half(28)?);
        let packed = local.bytes(begin, self.packed)?;
        let path = shown(&self.path);
        let bytes = if self.method == STORED {
            packed.to_vec()
        } else {
            // It stops at the size that was promised, so a bomb never unfolds.
            miniz_oxide::inflate::decompress_to_vec_with_limit(packed, self.size)
                .map_err(|_| format!("{path} does not unpack to the {} bytes that it promises", self.size))?
        };
        if bytes.len() != self.size || crc32(&bytes) != self.crc {
            return Err(format!("{path} is damaged"));
        }
        Ok(bytes)
    }
}

const CUT: &str = "a part of it is missing";

fn is_drive(path: &str) -> bool {
    path.as_bytes().get(1) == Some(&b':')
}

/// Where the end record begins: the last one whose comment fills the rest.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_BYTES)?;
    (last.saturating_sub(COMMENT_BYTES_MAX)..=last).rev().find(|&at| {
        let fields = Fields(&bytes[at..]);
        fields.whole(0) == Ok(END) && fields.half(20).is_ok_and(|len| usize::from(len) == last - at)
    })
}

/// The seconds in the extra field for time stamps.
fn utc_seconds(extra: &[u8]) -> Option<u32> {
    let mut rest = extra;
    while rest.len() >= 4 {
        let fields = Fields(rest);
        let (id, len) = (fields.half(0).ok()?, usize::from(fields.half(2).ok()?));
        if id == TIMESTAMP && fields.0.get(4)? & 1 == 1 {
            return fields.whole(5).ok();
        }
        rest = rest.get(4 + len..)?;
    }
    None
}

/// Numbers at their places, low byte first.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&self, at: usize, len: usize) -> Result<&'a [u8], String> {
        at.checked_add(len).and_then(|end| self.0.get(at..end)).ok_or_else(|| CUT.to_owned())
    }

    fn half(&self, at: usize) -> Result<u16, String> {
        Ok(self.bytes(at, 2)?.iter().rev().fold(0, |number, byte| number << 8 | u16::from(*byte)))
    }

    fn whole(&self, at: usize) -> Result<u32, String> {
        Ok(self.bytes(at, 4)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }
}

fn put16(out: &mut Vec<u8>, number: u16) {
    out.extend(number.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

/// CRC-32 as ZIP has it, four bits at a time.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut table = [0_u32; 16];
    for (at, slot) in table.iter_mut().enumerate() {
        let bits =
            (0..4).fold(at as u32, |crc, _| if crc & 1 == 1 { crc >> 1 ^ POLYNOMIAL } else { crc >> 1 });
        *slot = bits;
    }
    let step = |crc: u32, nibble: u32| crc >> 4 ^ table[((crc ^ nibble) & 15) as usize];
    !bytes.iter().fold(!0, |crc, byte| step(step(crc, u32::from(*byte)), u32::from(*byte) >> 4))
}

/// Time and date as DOS has them, in UTC; before 1980 it is 1980.
fn dos_time(at: SimTime) -> (u16, u16) {
    let seconds = at.0.div_euclid(1000);
    let (year, month, day) = civil(seconds.div_euclid(86_400));
    if !(1980..2108).contains(&year) {
        return (0, 1 << 5 | 1);
    }
    let second = seconds.rem_euclid(86_400);
    let time = ((second / 3600) << 11) | ((second / 60 % 60) << 5) | (second % 60 / 2);
    (time as u16, (((year - 1980) << 9) | (month << 5) | day) as u16)
}

fn from_dos_time(time: u16, date: u16) -> SimTime {
    let (time, date) = (i64::from(time), i64::from(date));
    let days = days_of(1980 + (date >> 9), (date >> 5 & 15).clamp(1, 12), (date & 31).max(1));
    let seconds = (time >> 11) * 3600 + (time >> 5 & 63) * 60 + (time & 31) * 2;
    SimTime((days * 86_400 + seconds) * 1000)
}

/// Days since 1970 of a date of the calendar, and back, by counting eras of 400 years from a March.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * shifted + 2) / 5 + 1, (shifted + 2) % 12 + 1);
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, text: &str) -> Entry {
        Entry {
            path: path.to_owned(),
            bytes: text.into(),
            modified: SimTime(1_767_268_801_000),
            is_utc: true,
        }
    }

    /// An archive with one entry whose bytes are changed before it is read.
    fn spoilt(path: &str, text: &str, spoil: impl Fn(&mut Vec<u8>)) -> String {
        let mut bytes = write(&[entry(path, text)]);
        spoil(&mut bytes);
        read(&bytes).expect_err("it is spoilt")
    }

    /// Where the central directory begins.
    fn directory(bytes: &[u8]) -> usize {
        Fields(&bytes[bytes.len() - END_BYTES..]).whole(16).expect("the end record is whole") as usize
    }

    #[test]
    fn what_is_written_is_read() {
        let entries = [entry("w/", ""), entry("w/in/a.json", "{\"id\":1}\n"), entry("w/ä b", "")];
        assert_eq!(read(&write(&entries)), Ok(entries.to_vec()));
        assert_eq!(read(&write(&[])), Ok(vec![]));
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_day_of_the_calendar_goes_there_and_back() {
        for (text, millis) in [("1980-01-01", 315_532_800_000), ("2024-02-29", 1_709_164_800_000)] {
            let (year, month, day) = civil(millis / 86_400_000);
            assert_eq!(format!("{year:04}-{month:02}-{day:02}"), text);
            assert_eq!(days_of(year, month, day) * 86_400_000, millis);
            let (time, date) = dos_time(SimTime(millis + 3_723_000));
            assert_eq!(from_dos_time(time, date), SimTime(millis + 3_722_000));
        }
    }

    #[test]
    fn deflated_entries_are_read_and_a_bomb_stops_where_it_promised() {
        let text = "x".repeat(100_000);
        let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6);
        let deflated = |promised: u32| {
            let mut bytes = write(&[Entry { bytes: packed.clone(), ..entry("a", "") }]);
            let at = directory(&bytes);
            bytes[at + 10] = DEFLATED as u8;
            bytes[at + 16..at + 20].copy_from_slice(&crc32(text.as_bytes()).to_le_bytes());
            bytes[at + 24..at + 28].copy_from_slice(&promised.to_le_bytes());
            read(&bytes)
        };
        assert_eq!(deflated(100_000).map(|all| all[0].bytes.len()), Ok(100_000));
        assert_eq!(deflated(10), Err("a does not unpack to the 10 bytes that it promises".to_owned()));
        assert_eq!(deflated(u32::MAX), Err("it holds more than 64 MB when it is unpacked".to_owned()));
    }

    #[test]
    fn hostile_archives_are_refused_by_name() {
        for (path, why) in [
            ("../x", "the path ../x leaves its folder"),
            ("a/../../x", "the path a/../../x leaves its folder"),
            ("/etc/passwd", "the path /etc/passwd leaves its folder"),
            ("a//b", "the path a//b leaves its folder"),
            ("a\\b", "the path a\\b holds what no path here may hold"),
            ("C:/x", "the path C:/x holds what no path here may hold"),
            ("a\n", "the path a holds what no path here may hold"),
        ] {
            assert_eq!(read(&write(&[entry(path, "x")])), Err(why.to_owned()));
        }
        let twice = read(&write(&[entry("a", "1"), entry("a", "2")]));
        assert_eq!(twice, Err("a is there twice".to_owned()));
        let many: Vec<Entry> = (0..=ENTRIES_MAX).map(|n| entry(&n.to_string(), "")).collect();
        assert_eq!(read(&write(&many)), Err("it has 5001 entries, and 5000 are the limit".to_owned()));
        assert_eq!(read(b"PK"), Err("it is no zip archive, or only a part of one".to_owned()));
        assert_eq!(
            read(&vec![0; ARCHIVE_BYTES_MAX + 1]),
            Err("it has 16 MB, and 16 MB are the limit".to_owned())
        );
    }

    #[test]
    fn damaged_archives_are_refused() {
        let in_directory = |offset: usize, value: u8| {
            move |bytes: &mut Vec<u8>| {
                let at = directory(bytes);
                bytes[at + offset] = value;
            }
        };
        assert_eq!(spoilt("a", "text", |bytes| bytes[40] ^= 1), "a is damaged");
        assert_eq!(spoilt("a", "text", in_directory(0, 0)), "a part of it is missing");
        assert_eq!(spoilt("a", "text", in_directory(8, 1)), "a is encrypted");
        assert_eq!(
            spoilt("a", "text", in_directory(41, 0o120_000_u32.to_le_bytes()[1])),
            "a is a link to another file"
        );
        assert_eq!(spoilt("a", "text", in_directory(20, 200)), "a part of it is missing");
        assert_eq!(spoilt("a", "text", in_directory(44, 200)), "a part of it is missing");
        assert_eq!(
            spoilt("a", "text", in_directory(10, 12)),
            "a is packed by method 12, and only stored and deflated are read"
        );
    }

    #[test]
    fn what_desktops_add_is_left_out() {
        let entries = [entry("__MACOSX/._a", "x"), entry("w/.DS_Store", "x"), entry("w/a", "x")];
        let paths: Vec<String> =
            read(&write(&entries)).into_iter().flatten().map(|entry| entry.path).collect();
        assert_eq!(paths, ["w/a"]);
    }
}
