//! Reads bytes as a file of a format, as `adjutant import` does.

use std::sync::Arc;

use adjutant_domain::ports::Entropy;
use adjutant_interchange::{Seed, open};

struct Same;

impl Entropy for Same {
    fn bits(&self) -> u64 {
        7
    }
}

pub fn read(ending: &str, data: &[u8]) {
    let path = std::env::temp_dir().join(format!("adjutant-fuzz-{}.{ending}", std::process::id()));
    std::fs::write(&path, data).expect("the folder for temporary files can be written");
    let now = "2026-01-12T09:00:00+01:00[Europe/Paris]"
        .parse()
        .expect("a time");
    let seed = Seed {
        now,
        entropy: Arc::new(Same),
        owner: Vec::new(),
    };
    if let Ok(items) = open(&path, &seed) {
        for item in items {
            if let Ok(incoming) = item {
                assert!(!incoming.record.id().as_str().is_empty());
            }
        }
    }
}
