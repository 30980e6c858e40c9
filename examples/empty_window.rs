//! An empty window with the same Tauri and web view but none of Adjutant's code, to compare the app's start-up time and
//! idle memory with (tests/e2e/measure.mjs).

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!(
        "examples/empty_window/tauri.conf.json"
    ))
}
