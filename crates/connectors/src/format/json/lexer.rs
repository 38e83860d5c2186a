//! JSON text to tokens, with the tolerances that Spark's options name.
//!
//! The order of errors is that of a pull parser: a broken text is found when its token is asked for, and stays broken.

use crate::format::json::text;

/// What texts are taken beyond the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// `allowComments`.
    pub comments: bool,
    /// `allowUnquotedFieldNames`.
    pub unquoted_names: bool,
    /// `allowSingleQuotes`.
    pub single_quotes: bool,
    /// `allowNumericLeadingZeros`.
    pub leading_zeros: bool,
    /// `allowBackslashEscapingAnyCharacter`.
    pub any_escape: bool,
    /// `allowUnquotedControlChars`.
    pub control_chars: bool,
    /// `allowNonNumericNumbers`.
    pub non_numeric: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            comments: false,
            unquoted_names: false,
            single_quotes: true,
            leading_zeros: false,
            any_escape: false,
            control_chars: false,
            non_numeric: true,
        }
    }
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `{`
    StartObject,
    /// `}`
    EndObject,
    /// `[`
    StartArray,
    /// `]`
    EndArray,
    /// The name of a field, with its colon.
    Name,
    /// A string.
    Text,
    /// A number without fraction and exponent.
    Integer,
    /// Any other number.
    Float,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// The end of the text, outside of all containers.
    End,
}

/// The text is no JSON from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// How deep containers may lie in each other.
const MAX_DEPTH: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// A value.
    Value,
    /// A value or the end of the array.
    FirstValue,
    /// A name or the end of the object.
    FirstName,
    /// A comma or the end of the container.
    More,
}

/// Reads tokens from one text after another.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    rules: Rules,
    /// The open containers; true for an object.
    open: Vec<bool>,
    expect: Expect,
    token: Token,
    /// The token's text: a string's without its quotes.
    start: usize,
    end: usize,
    escaped: bool,
    broken: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer without a text.
    pub fn new(rules: Rules) -> Self {
        Lexer {
            text: b"",
            at: 0,
            rules,
            open: Vec::new(),
            expect: Expect::Value,
            token: Token::End,
            start: 0,
            end: 0,
            escaped: false,
            broken: false,
        }
    }

    /// Begins with another text.
    pub fn begin(&mut self, text: &'a [u8]) {
        self.text = text;
        self.at = 0;
        self.open.clear();
        self.expect = Expect::Value;
        self.token = Token::End;
        self.broken = false;
    }

    /// The token read last.
    pub fn token(&self) -> Token {
        self.token
    }

    /// The source text of the token read last: of a string or a name without its quotes.
    pub fn span(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    /// Whether the string or name read last has escapes in it.
    pub fn escaped(&self) -> bool {
        self.escaped
    }

    /// Where the token read last begins; for numbers, literals and containers.
    pub fn token_start(&self) -> usize {
        self.start
    }

    /// The source text from `start` to the end of what has been read.
    pub fn source(&self, start: usize) -> &'a [u8] {
        &self.text[start..self.at]
    }

    /// The next token.
    pub fn next_token(&mut self) -> Result<Token, Broken> {
        if self.broken {
            return Err(Broken);
        }
        match self.step() {
            Ok(token) => {
                self.token = token;
                Ok(token)
            }
            Err(Broken) => {
                self.broken = true;
                Err(Broken)
            }
        }
    }

    /// Goes to the end of the container that has just begun; does nothing after another token.
    pub fn skip_children(&mut self) -> Result<(), Broken> {
        if !matches!(self.token, Token::StartObject | Token::StartArray) {
            return Ok(());
        }
        self.leave_to(self.open.len() - 1)
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Goes on until no more than so many containers are open.
    pub fn leave_to(&mut self, depth: usize) -> Result<(), Broken> {
        while self.open.len() > depth {
            self.next_token()?;
        }
        Ok(())
    }

    /// Goes over the next value, whatever it is.
    pub fn skip_value(&mut self) -> Result<(), Broken> {
        self.next_token()?;
        self.skip_children()
    }

    fn step(&mut self) -> Result<Token, Broken> {
        let Some(byte) = self.next_byte()? else {
            return if self.open.is_empty() { Ok(Token::End) } else { Err(Broken) };
        };
        match self.expect {
            Expect::Value => self.value(byte),
            Expect::FirstValue if byte == b']' => Ok(self.close(Token::EndArray)),
            Expect::FirstValue => self.value(byte),
            Expect::FirstName if byte == b'}' => Ok(self.close(Token::EndObject)),
            Expect::FirstName => self.name(byte),
            Expect::More => match (self.open.last(), byte) {
                (None, _) => self.value(byte),
                (Some(true), b'}') => Ok(self.close(Token::EndObject)),
                (Some(false), b']') => Ok(self.close(Token::EndArray)),
                (Some(object), b',') => {
                    let object = *object;
                    self.at += 1;
                    let byte = self.next_byte()?.ok_or(Broken)?;
                    if object { self.name(byte) } else { self.value(byte) }
                }
                _ => Err(Broken),
            },
        }
    }

    /// The byte at the next place that is neither blank nor comment.
    fn next_byte(&mut self) -> Result<Option<u8>, Broken> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.rules.comments => self.comment()?,
                other => return Ok(other.copied()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Broken> {
        let rest = &self.text[self.at..];
        self.at += match rest.get(1) {
            Some(b'/') => memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
            Some(b'*') => memchr::memmem::find(&rest[2..], b"*/").ok_or(Broken)? + 4,
            _ => return Err(Broken),
        };
        Ok(())
    }

    fn close(&mut self, token: Token) -> Token {
        self.start = self.at;
        self.at += 1;
        self.end = self.at;
        self.open.pop();
        self.expect = Expect::More;
        token
    }

    fn open(&mut self, object: bool) -> Result<Token, Broken> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Broken);
        }
        self.start = self.at;
        self.at += 1;
        self.end = self.at;
        self.open.push(object);
        self.expect = if object { Expect::FirstName } else { Expect::FirstValue };
        Ok(if object { Token::StartObject } else { Token::StartArray })
    }

    fn value(&mut self, byte: u8) -> Result<Token, Broken> {
        match byte {
            b'{' => return self.open(true),
            b'[' => return self.open(false),
            _ => self.expect = Expect::More,
        }
        match byte {
            b'"' => self.string(byte),
            b'\'' if self.rules.single_quotes => self.string(byte),
            b'0'..=b'9' => self.number(),
            b'-' if self.text.get(self.at + 1) != Some(&b'I') => self.number(),
            b't' => self.literal(b"true", Token::True),
            b'f' => self.literal(b"false", Token::False),
            b'n' => self.literal(b"null", Token::Null),
            b'N' | b'I' | b'+' | b'-' if self.rules.non_numeric => self.non_numeric(byte),
            _ => Err(Broken),
        }
    }

    fn name(&mut self, byte: u8) -> Result<Token, Broken> {
        match byte {
            b'"' => self.string(byte)?,
            b'\'' if self.rules.single_quotes => self.string(byte)?,
            _ if self.rules.unquoted_names => self.unquoted_name()?,
            _ => return Err(Broken),
        };
        if self.text.get(self.at) == Some(&b':') || self.next_byte()? == Some(b':') {
            self.at += 1;
            self.expect = Expect::Value;
            return Ok(Token::Name);
        }
        Err(Broken)
    }

    fn unquoted_name(&mut self) -> Result<Token, Broken> {
        self.start = self.at;
        let rest = &self.text[self.at..];
        let length = rest
            .iter()
            .take_while(|b| is_name_byte(**b) || matches!(b, b'@' | b'#' | b'*' | b'-' | b'+'))
            .count();
        if length == 0 {
            return Err(Broken);
        }
        self.at += length;
        self.end = self.at;
        self.escaped = false;
        Ok(Token::Name)
    }

    fn string(&mut self, quote: u8) -> Result<Token, Broken> {
        let start = self.at + 1;
        let found = text::scan(self.text, start, quote, self.rules).ok_or(Broken)?;
        self.start = start;
        self.end = found.end;
        self.escaped = found.escaped;
        self.at = found.end + 1;
        Ok(Token::Text)
    }

    fn number(&mut self) -> Result<Token, Broken> {
        let text = self.text;
        self.start = self.at;
        let mut at = self.at + usize::from(text[self.at] == b'-');
        let digits = at;
        at = skip_digits(text, at);
        if at == digits || (text[digits] == b'0' && at > digits + 1 && !self.rules.leading_zeros) {
            return Err(Broken);
        }
        let mut token = Token::Integer;
        if text.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = skip_digits(text, fraction);
            if at == fraction {
                return Err(Broken);
            }
            token = Token::Float;
        }
        if let Some(b'e' | b'E') = text.get(at) {
            at += 1;
            at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
            let exponent = at;
            at = skip_digits(text, exponent);
            if at == exponent {
                return Err(Broken);
            }
            token = Token::Float;
        }
        self.at = at;
        self.end = at;
        Ok(token)
    }

    fn literal(&mut self, word: &[u8], token: Token) -> Result<Token, Broken> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(word) || rest.get(word.len()).is_some_and(|b| is_name_byte(*b)) {
            return Err(Broken);
        }
        self.start = self.at;
        self.at += word.len();
        self.end = self.at;
        Ok(token)
    }

    fn non_numeric(&mut self, byte: u8) -> Result<Token, Broken> {
        let words: &[&[u8]] = match byte {
            b'N' => &[b"NaN"],
            b'I' => &[b"Infinity"],
            b'+' => &[b"+Infinity", b"+INF"],
            _ => &[b"-Infinity", b"-INF"],
        };
        words.iter().find_map(|word| self.literal(word, Token::Float).ok()).ok_or(Broken)
    }
}

fn skip_digits(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, rules: Rules) -> String {
        let mut lexer = Lexer::new(rules);
        lexer.begin(text.as_bytes());
        let mut out = String::new();
        loop {
            match lexer.next_token() {
                Ok(Token::End) => return out,
                Ok(token) => {
                    let sign = match token {
                        Token::Name => ":",
                        Token::Text => "s",
                        Token::Integer => "i",
                        Token::Float => "f",
                        _ => "",
                    };
                    out.push_str(&format!("{}{sign} ", String::from_utf8_lossy(lexer.span())));
                }
                Err(Broken) => return out + "!",
            }
        }
    }

    #[test]
    fn reads_tokens() {
        let strict = Rules { single_quotes: false, non_numeric: false, ..Rules::default() };
        let loose = Rules {
            comments: true,
            unquoted_names: true,
            leading_zeros: true,
            any_escape: true,
            control_chars: true,
            ..Rules::default()
        };
        let default = Rules::default();
        let table = [
            ("", default, ""),
            ("  ", default, ""),
            (r#"{"a":1,"b":[true,null,-1.5e3]}"#, default, "{ a: 1i b: [ true null -1.5e3f ] } "),
            (r#"{"a":"x\"y"} tail"#, default, r#"{ a: x\"ys } !"#),
            ("{}[]", default, "{ } [ ] "),
            (r#"{"a":1,}"#, default, "{ a: 1i !"),
            ("[1,]", default, "[ 1i !"),
            (r#"{"a":2,"b":"#, default, "{ a: 2i b: !"),
            ("{'a':'it\\'s'}", default, "{ a: it\\'ss } "),
            ("{'a':1}", strict, "{ !"),
            ("{a:1}", default, "{ !"),
            ("{a-b:1}", loose, "{ a-b: 1i } "),
            ("{\"a\":1/*c*/,//x\n\"b\":2}", loose, "{ a: 1i b: 2i } "),
            ("{\"a\":1/*c*/}", default, "{ a: 1i !"),
            ("007", default, "!"),
            ("007", loose, "007i "),
            ("\"x\ty\"", default, "!"),
            ("\"x\ty\"", loose, "x\tys "),
            (r#""\q""#, default, "!"),
            (r#""\q""#, loose, "\\qs "),
            ("NaN", default, "NaNf "),
            ("NaN", strict, "!"),
            ("[-INF,+Infinity,-Infinity]", default, "[ -INFf +Infinityf -Infinityf ] "),
            ("INF", default, "!"),
            ("truex", default, "!"),
            ("1.", default, "!"),
            (".5", default, "!"),
            ("1e", default, "!"),
            ("-", default, "!"),
            (r#""\u00e9\ud83d""#, default, "\\u00e9\\ud83ds "),
            (r#""\u00g9""#, default, "!"),
            ("\"a long text, longer than a word\"", default, "a long text, longer than a words "),
        ];
        for (text, rules, expected) in table {
            assert_eq!(tokens(text, rules), expected, "{text}");
        }
    }

    #[test]
    fn skips_what_it_is_told() {
        let mut lexer = Lexer::new(Rules::default());
        lexer.begin(br#"{"a":{"x":[1,{"y":2}]},"b":3}"#);
        for expected in [Token::StartObject, Token::Name] {
            assert_eq!(lexer.next_token(), Ok(expected));
        }
        lexer.skip_value().expect("the value is well formed");
        assert_eq!(lexer.next_token(), Ok(Token::Name));
        assert_eq!(lexer.span(), b"b");
    }
}
