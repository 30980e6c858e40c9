//! Where a window may go: to the app's own pages and nowhere else. Links of answers open in the system's browser, after the
//! person has seen their host; a page that goes elsewhere by itself stays where it is.

use tauri::Url;

/// The development server of `tauri dev` (`devUrl` in tauri.conf.json).
#[cfg(dev)]
const DEV_ORIGIN: &str = "http://localhost:1420";

/// Whether an address is a page of this app. Windows serves them from a host of its own, the others from a scheme.
pub(crate) fn is_own(url: &Url) -> bool {
    #[cfg(dev)]
    if url.origin().ascii_serialization() == DEV_ORIGIN {
        return true;
    }
    let host = url.host_str().unwrap_or_default();
    let plain = url.port().is_none() && url.username().is_empty() && url.password().is_none();
    match url.scheme() {
        "tauri" => plain && host == "localhost",
        "http" | "https" => plain && host == "tauri.localhost" && cfg!(target_os = "windows"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn only_pages_of_the_app_are_its_own() {
        let own = |url: &str| is_own(&url.parse().expect("an address"));
        assert!(own("tauri://localhost"));
        assert!(own("tauri://localhost/index.html#/chat/main"));
        assert!(own("tauri://localhost/index.html?opening=2#/quick-ask"));
        for elsewhere in [
            "https://evil.example/",
            "https://tauri.localhost.evil.example/",
            "tauri://evil.example/",
            "tauri://user@localhost/",
            "http://localhost:8080/",
            "file:///etc/passwd",
            "data:text/html,<p>x</p>",
            "javascript:alert(1)",
            "about:blank",
            "ipc://localhost/call",
        ] {
            assert!(!own(elsewhere), "{elsewhere}");
        }
    }
}
