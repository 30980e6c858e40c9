//! Decides which addresses are on the public internet.
//!
//! An address named by a page, a redirect or a server must not lead anywhere else (this machine, the local network,
//! ranges that translate to them), because devices there trust local clients.
//!
//! Ranges: the IANA special-purpose address registries for IPv4 and IPv6.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Non-public ranges of IPv4: first address and prefix length.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network; 0.0.0.0 is this machine
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // carrier-grade NAT
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, and the metadata of clouds
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // 6to4 relays
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// Non-public ranges within IPv6 global unicast (2000::/3).
const SPECIAL_V6: &[([u16; 2], u32)] = &[
    ([0x2001, 0x0000], 23), // protocol assignments: Teredo, benchmarks, ORCHID
    ([0x2001, 0x0db8], 32), // documentation
    ([0x2002, 0x0000], 16), // 6to4: an IPv4 address inside
    ([0x3fff, 0x0000], 20), // documentation
];

/// Prefix under which an IPv6-only network reaches IPv4 (RFC 6052). The last 32 bits are the IPv4 address.
const NAT64: [u16; 6] = [0x64, 0xff9b, 0, 0, 0, 0];

/// Returns whether an address is on the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !SPECIAL_V4.iter().any(|(first, length)| {
        let first = u32::from(Ipv4Addr::from(*first));
        (bits ^ first) >> (32 - length) == 0
    })
}

/// Only global unicast counts as public. That excludes ::1, ::, IPv4-mapped and IPv4-compatible addresses, fe80::/10,
/// fc00::/7, ff00::/8 and unassigned ranges.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    if segments[..6] == NAT64 {
        let [.., a, b, c, d] = address.octets();
        return is_public_v4(Ipv4Addr::new(a, b, c, d));
    }
    let bits = u32::from(segments[0]) << 16 | u32::from(segments[1]);
    let special = SPECIAL_V6.iter().any(|(first, length)| {
        let first = u32::from(first[0]) << 16 | u32::from(first[1]);
        (bits ^ first) >> (32 - length) == 0
    });
    segments[0] >> 13 == 0b001 && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap_or_else(|_| panic!("{text}")))
    }

    #[test]
    fn each_special_range_is_refused_to_its_edges_and_not_beyond() {
        // First and last of a range, then the neighbours outside, where those are public.
        for (first, last, before, after) in [
            ("0.0.0.0", "0.255.255.255", None, Some("1.0.0.0")),
            (
                "10.0.0.0",
                "10.255.255.255",
                Some("9.255.255.255"),
                Some("11.0.0.0"),
            ),
            (
                "100.64.0.0",
                "100.127.255.255",
                Some("100.63.255.255"),
                Some("100.128.0.0"),
            ),
            (
                "127.0.0.0",
                "127.255.255.255",
                Some("126.255.255.255"),
                Some("128.0.0.0"),
            ),
            (
                "169.254.0.0",
                "169.254.255.255",
                Some("169.253.255.255"),
                Some("169.255.0.0"),
            ),
            (
                "172.16.0.0",
                "172.31.255.255",
                Some("172.15.255.255"),
                Some("172.32.0.0"),
            ),
            (
                "192.0.0.0",
                "192.0.0.255",
                Some("191.255.255.255"),
                Some("192.0.1.0"),
            ),
            (
                "192.0.2.0",
                "192.0.2.255",
                Some("192.0.1.255"),
                Some("192.0.3.0"),
            ),
            (
                "192.88.99.0",
                "192.88.99.255",
                Some("192.88.98.255"),
                Some("192.88.100.0"),
            ),
            (
                "192.168.0.0",
                "192.168.255.255",
                Some("192.167.255.255"),
                Some("192.169.0.0"),
            ),
            (
                "198.18.0.0",
                "198.19.255.255",
                Some("198.17.255.255"),
                Some("198.20.0.0"),
            ),
            (
                "198.51.100.0",
                "198.51.100.255",
                Some("198.51.99.255"),
                Some("198.51.101.0"),
            ),
            (
                "203.0.113.0",
                "203.0.113.255",
                Some("203.0.112.255"),
                Some("203.0.114.0"),
            ),
            (
                "224.0.0.0",
                "239.255.255.255",
                Some("223.255.255.255"),
                None,
            ),
            ("240.0.0.0", "255.255.255.255", None, None),
            ("::", "::", None, None),
            ("::1", "::1", None, None),
            // IPv4-compatible, IPv4-mapped and IPv4-translated, public or not.
            ("::8.8.8.8", "::192.168.0.1", None, None),
            ("::ffff:0.0.0.0", "::ffff:255.255.255.255", None, None),
            ("::ffff:8.8.8.8", "::ffff:127.0.0.1", None, None),
            ("::ffff:0:8.8.8.8", "::ffff:0:10.0.0.1", None, None),
            // NAT64 of this machine and of private ranges, and the prefix for local use.
            (
                "64:ff9b::127.0.0.1",
                "64:ff9b::10.1.2.3",
                Some("64:ff9b::8.8.8.8"),
                None,
            ),
            (
                "64:ff9b:1::",
                "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
                None,
                None,
            ),
            ("100::", "100::ffff:ffff:ffff:ffff", None, None),
            (
                "2001::",
                "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
                None,
                Some("2001:200::"),
            ),
            (
                "2001:db8::",
                "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
                Some("2001:db7::"),
                Some("2001:db9::"),
            ),
            (
                "2002::",
                "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                Some("2001:ffff::"),
                Some("2003::"),
            ),
            (
                "3fff::",
                "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
                Some("3ffe:ffff::"),
                Some("3fff:1000::"),
            ),
            ("4000::", "fbff::", Some("3fff:ffff::"), None),
            ("5f00::", "5f00:ffff::", None, None),
            ("fc00::", "fdff:ffff::", None, None),
            ("fe80::", "febf:ffff::", None, None),
            ("fec0::", "feff:ffff::", None, None),
            ("ff00::", "ff02::1", None, None),
        ] {
            assert!(!public(first) && !public(last), "{first} to {last}");
            for outside in [before, after].into_iter().flatten() {
                assert!(public(outside), "{outside}");
            }
        }
    }

    #[test]
    fn usual_servers_are_public() {
        for address in [
            "8.8.8.8",
            "93.184.216.34",
            "2606:4700::1111",
            "2a00:1450:4001::",
        ] {
            assert!(public(address), "{address}");
        }
    }
}
