//! Chooses how pages are painted on a machine without a GPU.
//!
//! WebKitGTK paints with OpenGL. If Mesa emulates the GPU on the CPU, this costs the web process about 35 MiB for
//! caches of a GPU that does not exist. Painting directly on the CPU takes less memory and gives the same picture.
//! Layers are still composited with OpenGL: disabling that too (`WEBKIT_DISABLE_COMPOSITING_MODE`) saves more, but then
//! screenshots hang.

use std::path::Path;

use gtk::glib;

/// Environment variable that the web process reads when it starts; supported by WebKitGTK 2.46 and later.
const ON_CPU: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

/// Folder in which the kernel lists graphics devices.
const DEVICES: &str = "/dev/dri";

/// Makes pages paint on the CPU if no GPU is usable. Keeps a value that the person set in the environment. Must run
/// before the first web view and before the first thread.
pub(crate) fn suit_machine() {
    if has_gpu(Path::new(DEVICES)) {
        return;
    }
    if let Err(error) = glib::setenv(ON_CPU, "1", false) {
        tracing::warn!(%error, "pages are painted with OpenGL although there is no GPU");
    }
}

/// Tells whether this user can draw with a GPU, which is the case if a render node in `devices` can be opened
/// (<https://docs.kernel.org/gpu/drm-uapi.html#render-nodes>). Proprietary drivers provide render nodes too.
fn has_gpu(devices: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(devices) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        name.as_encoded_bytes().starts_with(b"renderD") && std::fs::File::open(entry.path()).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::has_gpu;

    #[test]
    fn a_gpu_is_a_render_node_that_opens() {
        let devices = tempfile::tempdir().expect("a folder");
        assert!(!has_gpu(&devices.path().join("missing")));
        std::fs::write(devices.path().join("card0"), "").expect("a file");
        assert!(!has_gpu(devices.path()), "a screen alone draws nothing");
        std::fs::write(devices.path().join("renderD128"), "").expect("a file");
        assert!(has_gpu(devices.path()));
    }
}
