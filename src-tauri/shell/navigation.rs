//! Restricts windows to the app's own pages. Links in answers open in the system's browser after the person has seen
//! their host. A page cannot navigate away by itself.

use tauri::Url;

/// The development server of `tauri dev` (`devUrl` in tauri.conf.json).
#[cfg(dev)]
const DEV_ORIGIN: &str = "http://localhost:1420";

/// Tells whether an address is a page of this app. On Windows pages have a special host, elsewhere a special scheme.
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
