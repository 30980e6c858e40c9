//! Chooses which declarations of a `style` attribute are kept: listed properties whose values contain no address and
//! call no function except for colours.

/// Longest `style` attribute, in bytes, that is read.
const STYLE_BYTES_MAX: usize = 4096;

const PROPERTIES: &[&str] = &[
    "background",
    "background-color",
    "border",
    "border-bottom",
    "border-bottom-color",
    "border-bottom-style",
    "border-bottom-width",
    "border-collapse",
    "border-color",
    "border-left",
    "border-left-color",
    "border-left-style",
    "border-left-width",
    "border-radius",
    "border-right",
    "border-right-color",
    "border-right-style",
    "border-right-width",
    "border-spacing",
    "border-style",
    "border-top",
    "border-top-color",
    "border-top-style",
    "border-top-width",
    "border-width",
    "clear",
    "color",
    "direction",
    "display",
    "float",
    "font",
    "font-family",
    "font-size",
    "font-style",
    "font-variant",
    "font-weight",
    "height",
    "letter-spacing",
    "line-height",
    "list-style-type",
    "margin",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "overflow",
    "padding",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "table-layout",
    "text-align",
    "text-decoration",
    "text-indent",
    "text-transform",
    "vertical-align",
    "visibility",
    "white-space",
    "width",
    "word-break",
    "word-wrap",
    "overflow-wrap",
];

/// Functions that describe a colour.
const COLOURS: &[&str] = &["rgb", "rgba", "hsl", "hsla"];

/// Returns the declarations that are kept, and whether one of them sets a colour.
pub(super) fn safe(style: &str) -> (String, bool) {
    let (mut kept, mut coloured) = (String::new(), false);
    if style.len() > STYLE_BYTES_MAX {
        return (kept, coloured);
    }
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else {
            continue;
        };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        if !PROPERTIES.contains(&name.as_str()) || !is_plain(value) {
            continue;
        }
        coloured |= matches!(name.as_str(), "color" | "background" | "background-color");
        if !kept.is_empty() {
            kept.push_str("; ");
        }
        kept.push_str(&name);
        kept.push_str(": ");
        kept.push_str(value);
    }
    (kept, coloured)
}

/// Whether the declarations hide their element.
pub(super) fn hides(style: &str) -> bool {
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    let style = style.to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}

/// Whether a value consists of words, numbers, quoted names and colours, without an address, escape or other
/// function.
fn is_plain(value: &str) -> bool {
    let signs = |c: char| c.is_alphanumeric() || " #%.,!+-_'\"()/".contains(c);
    if !value.chars().all(signs) || value.contains("//") || value.contains("/*") {
        return false;
    }
    value.match_indices('(').all(|(at, _)| {
        let before = &value[..at];
        let from = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = &before[from.map_or(0, |from| from + 1)..];
        COLOURS.iter().any(|one| name.eq_ignore_ascii_case(one))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_sizes_stay_and_what_loads_or_calls_goes() {
        let kept = |style| safe(style).0;
        assert_eq!(
            kept("COLOR: rgb(1, 2,3) ; width:600px; font-family: \"Segoe UI\", Arial"),
            "color: rgb(1, 2,3); width: 600px; font-family: \"Segoe UI\", Arial"
        );
        for style in [
            "background: url(https://t.example/p.gif)",
            "background: u\\72l(x)",
            "background: image-set('x' 1x)",
            "width: expression(alert(1))",
            "color: var(--x)",
            "color: red/**/",
            "position: fixed",
            "behavior: none",
            "-moz-binding: none",
            "background-image: none",
            "color",
            "",
        ] {
            assert_eq!(kept(style), "", "{style}");
        }
        assert!(safe("color: red").1 && !safe("width: 1px").1);
        assert!(hides("display : NONE") && !hides("display: block"));
        assert_eq!(kept(&"color: red; ".repeat(400)), "");
    }
}
