//! An empty window of the same Tauri and the same web view, with none of our code: what the app's start-up time and
//! idle memory are compared with (tests/e2e/measure.mjs).

fn main() -> tauri::Result<()> {
    tauri::Builder::default().run(tauri::generate_context!(
        "examples/empty_window/tauri.conf.json"
    ))
}
