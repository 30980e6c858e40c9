//! Location of a profile on disk.

use std::path::{Path, PathBuf};

use adjutant_domain::faults::io_reason;

/// Name of the profile to use if none is given.
pub const DEFAULT_PROFILE: &str = "default";
/// Name of the profile with sample data.
pub const SAMPLE_PROFILE: &str = "sample";
/// Maximum length of a profile name in characters.
pub const NAME_CHARS_MAX: usize = 40;
/// Environment variable that sets the folder of all profiles.
pub const HOME_VARIABLE: &str = "ADJUTANT_HOME";

/// Location of one profile: the home folder and the profile's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileLocation {
    home: PathBuf,
    name: String,
}

/// Why a profile cannot be located or its folder created.
#[derive(Debug, thiserror::Error)]
pub enum ProfileLocationFault {
    /// The name is empty, too long, or contains a character that is not allowed.
    #[error("“{0}” cannot be the name of a profile: use at most 40 letters, digits, - and _")]
    Name(String),
    /// The operating system reports no data folder.
    #[error("the system names no folder for data: choose one with --home")]
    NoHome,
    /// The profile folder cannot be created.
    #[error("{path} cannot be created: {}", io_reason(.source))]
    Make {
        /// Path of the folder.
        path: String,
        /// The underlying I/O error.
        source: std::io::Error,
    },
}

impl ProfileLocation {
    /// Locates a profile in `home`, else in `ADJUTANT_HOME`, else in the platform's data folder. Creates nothing.
    ///
    /// # Errors
    /// Returns [`ProfileLocationFault::Name`] if the name is not allowed and [`ProfileLocationFault::NoHome`] if there is no data folder.
    pub fn find(home: Option<&Path>, name: Option<&str>) -> Result<Self, ProfileLocationFault> {
        let name = name.unwrap_or(DEFAULT_PROFILE);
        let fits = !name.is_empty()
            && name.len() <= NAME_CHARS_MAX
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !fits {
            return Err(ProfileLocationFault::Name(
                name.chars().take(NAME_CHARS_MAX).collect(),
            ));
        }
        let home = match home.map(Path::to_path_buf).or_else(home_variable) {
            Some(home) => std::path::absolute(&home).unwrap_or(home),
            None => directories::ProjectDirs::from("org", "Adjutant", "Adjutant")
                .ok_or(ProfileLocationFault::NoHome)?
                .data_dir()
                .to_path_buf(),
        };
        Ok(Self {
            home,
            name: name.to_owned(),
        })
    }

    /// The folder of this profile.
    #[must_use]
    pub fn dir(&self) -> PathBuf {
        self.home.join("profiles").join(&self.name)
    }

    /// The folder of all profiles and of what they share.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The profile's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Locates another profile in the same home.
    ///
    /// # Errors
    /// Returns [`ProfileLocationFault::Name`] if the name is not allowed.
    pub fn sibling(&self, name: &str) -> Result<Self, ProfileLocationFault> {
        Self::find(Some(&self.home), Some(name))
    }

    /// Creates the profile folder, accessible to this user only on Unix, and returns its path. An existing folder is
    /// left as it is.
    ///
    /// # Errors
    /// Returns [`ProfileLocationFault::Make`] if the folder cannot be created.
    pub fn make(&self) -> Result<PathBuf, ProfileLocationFault> {
        let dir = self.dir();
        let fault = |source| ProfileLocationFault::Make {
            path: dir.display().to_string(),
            source,
        };
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&dir).map_err(fault)?;
        Ok(dir)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads where the profiles lie"
)]
fn home_variable() -> Option<PathBuf> {
    std::env::var_os(HOME_VARIABLE)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
