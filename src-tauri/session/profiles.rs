//! Lists the profiles in a home.

use std::path::Path;

use adjutant_api::Fault;
use adjutant_domain::faults::io_reason;

use super::{Options, location_fault};
use crate::profile::ProfileLocation;
use crate::profile::place::DEFAULT_PROFILE;

/// Maximum number of profiles listed; nobody chooses from a longer list.
pub const PROFILES_MAX: usize = 100;

/// Returns the names of the profiles in the home that `options` selects: the default profile first, the others by name,
/// at most [`PROFILES_MAX`]. Opens none of them.
///
/// # Errors
/// Returns a fault if there is no home or its folder cannot be read.
pub fn profiles(options: &Options) -> Result<Vec<String>, Fault> {
    let place = ProfileLocation::find(options.home.as_deref(), None).map_err(location_fault)?;
    let mut names = match place.dir().parent().map(folders) {
        None => Vec::new(),
        Some(Ok(names)) => names,
        Some(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Some(Err(error)) => {
            return Err(Fault {
                code: "profile".into(),
                message: format!(
                    "The profiles' folder cannot be read: {}.",
                    io_reason(&error)
                ),
                hint: format!("Check {}.", place.home().display()),
            });
        }
    };
    names.retain(|name| place.sibling(name).is_ok());
    names.sort_by_key(|name| (name != DEFAULT_PROFILE, name.to_lowercase()));
    names.truncate(PROFILES_MAX);
    Ok(names)
}

fn folders(dir: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.path().is_dir()
            && let Ok(name) = entry.file_name().into_string()
        {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_a_name_for_a_profile_are_listed_the_usual_one_first() {
        let home = tempfile::tempdir().unwrap();
        let options = Options {
            home: Some(home.path().to_path_buf()),
            ..Options::default()
        };
        assert!(profiles(&options).unwrap().is_empty());
        let all = home.path().join("profiles");
        for name in ["work", "default", "Archive", "not a profile"] {
            std::fs::create_dir_all(all.join(name)).unwrap();
        }
        std::fs::write(all.join("notes"), "a file").unwrap();
        assert_eq!(profiles(&options).unwrap(), ["default", "Archive", "work"]);
    }
}
