//! How a profile is opened.

use std::path::PathBuf;

use adjutant_domain::gate::Channel;
use adjutant_domain::ports::Clock as _;
use adjutant_settings::System;
use jiff::{Zoned, tz::TimeZone};

use crate::clock::{SystemClock, system_zone};
use crate::locale;

/// How a profile is opened: the common flags of the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of all profiles.
    pub home: Option<PathBuf>,
    /// Name of the profile.
    pub profile: Option<String>,
    /// A fixed clock.
    pub now: Option<Zoned>,
    /// The zone, over what settings and system say.
    pub tz: Option<TimeZone>,
    /// Nothing but loopback.
    pub offline: bool,
    /// Shows what is there and changes nothing; set by `Session::open` where the medium allows no more.
    pub read_only: bool,
    /// The door through which this front end's approvals come; the command line unless it says otherwise.
    pub door: Option<Channel>,
}

impl Options {
    /// The zone in force where the setting `time_zone` says `setting`: the flag, else the fixed clock's, else the setting,
    /// else the system's.
    #[must_use]
    pub fn zone(&self, setting: &str) -> TimeZone {
        self.tz
            .clone()
            .or_else(|| self.now.as_ref().map(|now| now.time_zone().clone()))
            .or_else(|| {
                (!setting.is_empty())
                    .then(|| TimeZone::get(setting).ok())
                    .flatten()
            })
            .unwrap_or_else(system_zone)
    }

    /// What the system says besides; nothing beside a fixed clock, which stands for a run that is the same everywhere.
    pub(crate) fn system(&self) -> System {
        match self.now {
            Some(_) => System::default(),
            None => locale::system(),
        }
    }

    /// The time in `zone`: that of the fixed clock, else of the system.
    #[must_use]
    pub fn time(&self, zone: &TimeZone) -> Zoned {
        match &self.now {
            Some(now) => now.with_time_zone(zone.clone()),
            None => SystemClock::new(zone.clone()).now(),
        }
    }
}
