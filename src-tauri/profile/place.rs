//! Where a profile lies.

use std::path::{Path, PathBuf};

use adjutant_domain::faults::io_reason;

/// The profile that is used when none is named.
pub const DEFAULT_PROFILE: &str = "default";
/// The profile of the sample data.
pub const SAMPLE_PROFILE: &str = "sample";
/// Characters of a profile's name.
pub const NAME_CHARS_MAX: usize = 40;
/// Environment variable for the folder of all profiles.
pub const HOME_VARIABLE: &str = "ADJUTANT_HOME";

/// The folder of one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    home: PathBuf,
    name: String,
}

/// A profile cannot be found or made.
#[derive(Debug, thiserror::Error)]
pub enum PlaceFault {
    /// The name has other letters than allowed.
    #[error("“{0}” cannot name a profile; use letters, digits, - and _, at most 40")]
    Name(String),
    /// The system has no data folder.
    #[error("this system tells no folder for data; choose one with --home")]
    NoHome,
    /// The folder cannot be made.
    #[error("{path} cannot be made: {}", io_reason(.source))]
    Make {
        /// Path.
        path: String,
        /// Reason.
        source: std::io::Error,
    },
}

impl Place {
    /// The place of a profile: `home` as given, or `ADJUTANT_HOME`, or the platform's data folder.
    ///
    /// # Errors
    /// When the name is not allowed or there is no data folder.
    pub fn find(home: Option<&Path>, name: Option<&str>) -> Result<Self, PlaceFault> {
        let name = name.unwrap_or(DEFAULT_PROFILE);
        let fits = !name.is_empty()
            && name.len() <= NAME_CHARS_MAX
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !fits {
            return Err(PlaceFault::Name(
                name.chars().take(NAME_CHARS_MAX).collect(),
            ));
        }
        let home = match home.map(Path::to_path_buf).or_else(home_variable) {
            Some(home) => std::path::absolute(&home).unwrap_or(home),
            None => directories::ProjectDirs::from("org", "Adjutant", "Adjutant")
                .ok_or(PlaceFault::NoHome)?
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

    /// The folder of all profiles.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The profile's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Another profile of the same home.
    ///
    /// # Errors
    /// As [`Place::find`].
    pub fn sibling(&self, name: &str) -> Result<Self, PlaceFault> {
        Self::find(Some(&self.home), Some(name))
    }

    /// Makes the folder, readable by this user alone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(&self) -> Result<PathBuf, PlaceFault> {
        let dir = self.dir();
        let fault = |source| PlaceFault::Make {
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
