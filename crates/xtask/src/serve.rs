//! A small static server for the release page: loopback only, right types, the page's own policy, no caching.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::command::root;
use crate::page;

/// A client that says nothing for so long is let go.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// The policy stands once, in the shell; the header repeats it, because a worker does not see the shell's.
const POLICY_START: &str = "http-equiv=\"Content-Security-Policy\" content=\"";

/// Builds the page and serves it until the process is stopped.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let port = parse_port(arguments)?;
    page::build()?;
    let folder = root().join("dist");
    let policy = read_policy(&folder)?;
    let listener =
        TcpListener::bind(("127.0.0.1", port)).with_context(|| format!("cannot listen on port {port}"))?;
    println!("\nTidemark is at http://{}/  (Ctrl+C ends it)", listener.local_addr()?);
    for stream in listener.incoming().filter_map(Result::ok) {
        let (folder, policy) = (folder.clone(), policy.clone());
        std::thread::spawn(move || {
            if let Err(error) = answer(&stream, &folder, &policy) {
                eprintln!("a request failed: {error:#}");
            }
        });
    }
    Ok(())
}

/// The port that was asked for; 0 lets the system choose a free one.
fn parse_port(arguments: &[String]) -> Result<u16> {
    match arguments {
        [] => Ok(0),
        [flag, port] if flag == "--port" => port.parse().with_context(|| format!("'{port}' is no port")),
        _ => bail!("usage: cargo xtask serve [--port N]"),
    }
}

fn read_policy(folder: &Path) -> Result<String> {
    let shell = folder.join("index.html");
    let text = std::fs::read_to_string(&shell).with_context(|| format!("cannot read {}", shell.display()))?;
    let start =
        text.find(POLICY_START).context("index.html has no Content-Security-Policy")? + POLICY_START.len();
    let policy = text[start..].split('"').next().unwrap_or_default();
    Ok(policy.to_owned())
}

fn answer(mut stream: &TcpStream, folder: &Path, policy: &str) -> Result<()> {
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = request.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(()) };
    let file = path_of(folder, target).filter(|path| path.is_file());
    let (status, kind, body) = match file {
        _ if !matches!(method, "GET" | "HEAD") => {
            ("405 Method Not Allowed", "text/plain", b"GET only".to_vec())
        }
        Some(path) => ("200 OK", media_type(&path), std::fs::read(&path)?),
        None => ("404 Not Found", "text/plain", b"not found".to_vec()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nContent-Security-Policy: {policy}\r\n\
         X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    Ok(())
}

/// The file below `folder` that a request names, or nothing if it leaves the folder.
fn path_of(folder: &Path, target: &str) -> Option<PathBuf> {
    let target = target.split(['?', '#']).next()?;
    let target = percent_decode(target.strip_prefix('/')?)?;
    let target = if target.is_empty() { "index.html".into() } else { target };
    let relative = Path::new(&target);
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("txt" | "md" | "py") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_stay_in_the_folder() {
        let table = [
            ("/", Some("dist/index.html")),
            ("/a/b.js?x=1", Some("dist/a/b.js")),
            ("/a%20b", Some("dist/a b")),
            ("/../secret", None),
            ("/a/%2e%2e/%2e%2e/secret", None),
            ("//etc/passwd", None),
            ("/%zz", None),
            ("nonsense", None),
        ];
        for (target, expected) in table {
            assert_eq!(path_of(Path::new("dist"), target), expected.map(PathBuf::from), "{target}");
        }
    }

    #[test]
    fn wasm_has_its_own_type() {
        assert_eq!(media_type(Path::new("dist/worker_bg.wasm")), "application/wasm");
    }
}
