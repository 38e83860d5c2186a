//! The tools that a chore needs: looked for first, installed at their pinned versions only where they are missing.

use std::path::Path;

use anyhow::{Result, bail};

use crate::command::{Program, root};

/// A program that `cargo install` builds.
struct CargoTool {
    krate: &'static str,
    binary: &'static str,
    version: &'static str,
    /// Whether the lock that the crate brings is used.
    locked: bool,
    /// How much its compiler optimises: nothing, where the tool only copies and starts others.
    opt_level: &'static str,
    why: &'static str,
}

const WASM_BINDGEN: CargoTool = CargoTool {
    krate: "wasm-bindgen-cli",
    binary: "wasm-bindgen",
    version: "0.2.130",
    // Its lock names a version that is not served any more.
    locked: false,
    opt_level: "1",
    why: "joins wasm with JavaScript and runs wasm tests",
};
const WASM_PACK: CargoTool = CargoTool {
    krate: "wasm-pack",
    binary: "wasm-pack",
    version: "0.15.1",
    locked: true,
    opt_level: "0",
    why: "runs wasm tests in headless Chromium",
};
const TRUNK: CargoTool = CargoTool {
    krate: "trunk",
    binary: "trunk",
    version: "0.21.14",
    locked: true,
    opt_level: "0",
    why: "builds the release page",
};

/// Programs of Debian, each with its package.
const SYSTEM_TOOLS: [(&str, &str); 3] =
    [("chromium", "chromium"), ("chromedriver", "chromium-driver"), ("brotli", "brotli")];

/// All that the tests need.
pub(crate) fn install_all() -> Result<()> {
    install_page()?;
    install_system()?;
    install_cargo(&WASM_PACK)
}

/// All that building the release page needs.
pub(crate) fn install_page() -> Result<()> {
    install_rust()?;
    install_node()?;
    install_cargo(&WASM_BINDGEN)?;
    install_cargo(&TRUNK)
}

/// The wasm target, clippy and rustfmt of the pinned toolchain.
pub(crate) fn install_rust() -> Result<()> {
    let target = "wasm32-unknown-unknown";
    let targets = Program::new("rustup").args("target list --installed").probe();
    let Some(targets) = targets else {
        bail!(
            "rustup is missing; it installs the toolchain that rust-toolchain.toml names: https://rustup.rs"
        );
    };
    if !targets.lines().any(|line| line == target) {
        println!("installing the target {target}: the page and the engine are wasm");
        Program::new("rustup").args("target add").arg(target).run()?;
    }
    let components = Program::new("rustup").args("component list --installed").probe().unwrap_or_default();
    for component in ["clippy", "rustfmt"] {
        if !components.lines().any(|line| line.starts_with(component)) {
            println!("installing {component}: the lint stages use it");
            Program::new("rustup").args("component add").arg(component).run()?;
        }
    }
    Ok(())
}

/// The npm packages of the lock file. npm keeps a copy of the lock of what it installed; equal versions mean nothing to do.
pub(crate) fn install_node() -> Result<()> {
    let root = root();
    if installed_packages(&root.join("node_modules/.package-lock.json"))
        .is_some_and(|installed| Some(installed) == installed_packages(&root.join("package-lock.json")))
    {
        return Ok(());
    }
    println!("installing npm packages of package-lock.json: the editor, its bundler, the driver of journeys");
    Program::new("npm").args("ci --no-audit --no-fund --ignore-scripts").run()
}

/// The packages of a lock file with their versions, without the root and without packages for other machines.
fn installed_packages(lock: &Path) -> Option<Vec<(String, String)>> {
    let lock: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(lock).ok()?).ok()?;
    let packages = lock.get("packages")?.as_object()?.iter();
    let packages = packages.filter(|(path, package)| !path.is_empty() && package.get("optional").is_none());
    let mut packages: Vec<(String, String)> = packages
        .map(|(path, package)| {
            (path.clone(), package.get("version").map(ToString::to_string).unwrap_or_default())
        })
        .collect();
    packages.sort();
    Some(packages)
}

/// A tool of Cargo at its version, built with little optimisation: it runs for seconds, and compiling it is what takes time.
fn install_cargo(tool: &CargoTool) -> Result<()> {
    let found = Program::new(tool.binary).arg("--version").probe().unwrap_or_default();
    if found.split_whitespace().any(|word| word == tool.version) {
        return Ok(());
    }
    println!("installing {} {}: {}; this takes some minutes once", tool.krate, tool.version, tool.why);
    let mut install = Program::new("cargo")
        .args("install --force")
        .arg(tool.krate)
        .arg("--version")
        .arg(tool.version)
        .arg("--target-dir")
        .arg(target_dir()?.join("tools"))
        .env("CARGO_PROFILE_RELEASE_LTO", "false")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", tool.opt_level)
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    if tool.locked {
        install = install.arg("--locked");
    }
    install.run()
}

/// Debian's packages, with sudo where this is not root.
pub(crate) fn install_system() -> Result<()> {
    let missing: Vec<&str> = SYSTEM_TOOLS
        .iter()
        .filter(|(program, _)| Program::new(program).arg("--version").probe().is_none())
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}: tests in a browser, and sizes as a server would send them", missing.join(" "));
    let is_root = Program::new("id").arg("-u").probe().is_some_and(|id| id.trim() == "0");
    let apt = |arguments: &str| {
        let program = if is_root { Program::new("apt-get") } else { Program::new("sudo").arg("apt-get") };
        program.args(arguments).env("DEBIAN_FRONTEND", "noninteractive")
    };
    apt("update -q").run()?;
    apt("install -y -q --no-install-recommends").args(&missing.join(" ")).run()
}

/// Where Cargo puts what it builds.
pub(crate) fn target_dir() -> Result<std::path::PathBuf> {
    let metadata = Program::new("cargo").args("metadata --no-deps --format-version 1").probe();
    let metadata: Option<serde_json::Value> = metadata.and_then(|text| serde_json::from_str(&text).ok());
    match metadata.as_ref().and_then(|metadata| metadata.get("target_directory")?.as_str()) {
        Some(dir) => Ok(dir.into()),
        None => bail!("`cargo metadata` does not name the target directory"),
    }
}
