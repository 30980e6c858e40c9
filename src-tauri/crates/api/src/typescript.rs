//! Renders the wire types as one TypeScript file. `make gen` writes the file, and a test compares it with the types.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

/// First lines of the generated file.
const HEAD: &str =
    "// Generated from the Rust crate `adjutant-api` by `make gen`. Do not edit.\n\n";

/// Returns the full text of `ui/src/gen/wire.ts`.
#[must_use]
pub fn typescript() -> String {
    let config = Config::new().with_large_int("number");
    let mut all = Declarations {
        config: &config,
        by_name: BTreeMap::new(),
    };
    all.visit::<crate::Request>();
    all.visit::<crate::Reply>();
    all.visit::<crate::Fault>();
    all.visit::<crate::WireEvent>();
    let mut out = String::from(HEAD);
    for declaration in all.by_name.into_values() {
        out.push_str(&declaration);
        out.push('\n');
    }
    out
}

struct Declarations<'a> {
    config: &'a Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(self.config);
        if self.by_name.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.by_name
            .insert(name, format!("{docs}export {}\n", T::decl(self.config)));
        T::visit_dependencies(self);
    }
}

#[cfg(test)]
mod tests {
    /// Writes the file if `ADJUTANT_GEN` is set, as `make gen` does. The committed file must equal the rendered types.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable by which `make gen` asks for a fresh file"
    )]
    fn the_generated_types_are_current() {
        let path = std::path::Path::new("../../../ui/src/gen/wire.ts");
        let fresh = super::typescript();
        if std::env::var_os("ADJUTANT_GEN").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder"))
                .expect("the folder can be made");
            std::fs::write(path, &fresh).expect("the file can be written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == fresh, "ui/src/gen/wire.ts is stale: run `make gen`");
    }
}
