//! How pages are painted on a machine without a GPU.
//!
//! WebKitGTK paints with OpenGL. Where Mesa plays the GPU on the CPU, that costs the web process some 35 MiB for caches
//! of a GPU that is not there; painting on the CPU outright is smaller and makes the same picture. Layers are still put
//! together by OpenGL: turning that off as well (`WEBKIT_DISABLE_COMPOSITING_MODE`) saves more, but its screenshots hang.

use std::path::Path;

use gtk::glib;

/// Read by the web process when it starts, `WEBKIT_SKIA_…` as WebKitGTK 2.46 and later know it.
const ON_CPU: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

/// Where the kernel lists what draws.
const DEVICES: &str = "/dev/dri";

/// Has pages painted on the CPU where no GPU can be used. What the person set in the environment stays.
/// Before the first web view, and before the first thread.
pub(crate) fn suit_machine() {
    if has_gpu(Path::new(DEVICES)) {
        return;
    }
    if let Err(error) = glib::setenv(ON_CPU, "1", false) {
        tracing::warn!(%error, "pages are painted with OpenGL although there is no GPU");
    }
}

/// Whether this user may draw with a GPU: one of the render nodes in `devices` opens
/// (<https://docs.kernel.org/gpu/drm-uapi.html#render-nodes>). Proprietary drivers make one too.
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
