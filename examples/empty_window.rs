//! An empty window of the same Tauri and the same web view, with none of our code: what start-up time and idle
//! memory of the app are compared with.
//!
//! The page reports its first contentful paint through the one command, and the program prints it.

/// Prints one milestone of the page: its name and the moment in milliseconds since 1970.
#[tauri::command]
fn mark(label: String, at: f64) {
    println!("MARK {label} {at:.1}");
}

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![mark])
        .run(tauri::generate_context!(
            "examples/empty_window/tauri.conf.json"
        ))
}
