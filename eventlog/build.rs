//! Compiles the stored shapes and lists the migrations, so that neither `protoc` nor a second copy
//! of the SQL is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    compile_shapes(&root.join("proto"))?;
    let migrations = root.join("../migrations").canonicalize()?;
    println!("cargo::rerun-if-changed={}", migrations.display());
    let sqlite = list(&migrations.join("sqlite"))?;
    let postgres = list(&migrations.join("postgres"))?;
    let names = |files: &[PathBuf]| files.iter().map(|file| file.file_name().map(ToOwned::to_owned)).collect::<Vec<_>>();
    if names(&sqlite) != names(&postgres) {
        return Err("migrations/sqlite and migrations/postgres must hold files of the same names".into());
    }
    let mut code = String::new();
    write_list(&mut code, "SQLITE", &sqlite)?;
    write_list(&mut code, "POSTGRES", &postgres)?;
    fs::write(out.join("migrations.rs"), code)?;
    Ok(())
}

fn compile_shapes(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let shapes = protox::compile(files(folder, "proto")?, [folder])?;
    prost_build::Config::new().compile_fds(shapes)?;
    Ok(())
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = files(folder, "sql")?;
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok(files)
}

/// Writes `const NAME: &[(version, description, sql)]` for files named `0001_what_it_does.sql`.
fn write_list(code: &mut String, name: &str, files: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    writeln!(code, "const {name}: &[(i64, &str, &str)] = &[")?;
    for file in files {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).ok_or("a migration's name is not text")?;
        let (number, description) = stem.split_once('_').ok_or("a migration is named 0001_what_it_does.sql")?;
        let number: i64 = number.parse()?;
        writeln!(code, "    ({number}, {:?}, include_str!({:?})),", description.replace('_', " "), file.display().to_string())?;
    }
    writeln!(code, "];")?;
    Ok(())
}
