//! Identifiers: short, typeable, opaque strings with a prefix that names what they identify.

use serde::{Deserialize, Serialize};

/// Letters of an identifier: Crockford's base 32, which leaves out i, l, o and u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Characters after the prefix; 5 bits each, so 60 bits of randomness.
pub const ID_CHARS: usize = 12;

/// Renders `prefix_xxxxxxxxxxxx` from random bits (the lower 60 are used).
#[must_use]
pub fn render(prefix: &str, bits: u64) -> String {
    let mut id = String::with_capacity(prefix.len() + 1 + ID_CHARS);
    id.push_str(prefix);
    id.push('_');
    for place in (0..ID_CHARS).rev() {
        let letter = (bits >> (place * 5)) & 31;
        id.push(char::from(ALPHABET[letter as usize]));
    }
    id
}

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The prefix of every identifier of this type.
            pub const PREFIX: &'static str = $prefix;

            /// Creates an identifier from random bits.
            #[must_use]
            pub fn from_bits(bits: u64) -> Self {
                Self(render(Self::PREFIX, bits))
            }

            /// Returns the identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    };
}

id_type!(
    /// A conversation. People may choose it on the command line; the default is `main`.
    ConversationId, "conv"
);
id_type!(
    /// One turn: a message and everything that follows from it.
    TurnId, "turn"
);
id_type!(
    /// A plan.
    PlanId, "plan"
);
id_type!(
    /// An action that waits, or waited, for approval.
    ActionId, "act"
);
id_type!(
    /// One effect in the activity log.
    EffectId, "eff"
);
id_type!(
    /// A step of a plan, unique inside it (`s1`, `s2`, …).
    StepKey, "s"
);
id_type!(
    /// A stored record of any kind; the prefix comes from [`crate::record::Kind::prefix`].
    RecordId, "rec"
);
id_type!(
    /// An account at a provider; [`AccountId::local`] is what is only on this computer.
    AccountId, "acc"
);
id_type!(
    /// A calendar, mailbox, task list or address book of an account.
    CollectionId, "col"
);
id_type!(
    /// A job: something due later, or that takes long.
    JobId, "job"
);
id_type!(
    /// A run of a research.
    RunId, "res"
);

id_type!(
    /// A standing grant.
    GrantId, "grant"
);

impl Default for AccountId {
    fn default() -> Self {
        Self::local()
    }
}

impl AccountId {
    /// Identifier of the account for everything that exists only on this computer.
    pub const LOCAL: &'static str = "local";

    /// Creates the identifier of the account for everything that exists only on this computer.
    #[must_use]
    pub fn local() -> Self {
        Self(Self::LOCAL.to_owned())
    }

    /// Returns whether this is the account of this computer.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.0 == Self::LOCAL
    }
}

/// A provider's identifier of a record: a resource path, an event id or a message number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RemoteId(pub String);

/// A provider's mark for one version of a record (an HTTP ETag, verbatim including quotes).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Etag(pub String);

impl Etag {
    /// Returns whether the mark is strong, so that it identifies exact bytes. A weak one covers all versions the server
    /// considers equivalent.
    #[must_use]
    pub fn is_strong(&self) -> bool {
        !self.0.starts_with("W/")
    }
}

/// Both identifiers of a collection: ours and the provider's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectionRef {
    /// Our identifier.
    pub id: CollectionId,
    /// The provider's identifier.
    pub remote_id: RemoteId,
}
