//! Options for opening a profile.

use std::path::PathBuf;

use adjutant_domain::gate::Channel;
use adjutant_domain::ports::Clock as _;
use adjutant_settings::System;
use jiff::{Zoned, tz::TimeZone};

use crate::clock::{SystemClock, system_zone};
use crate::locale;

/// Options for opening a profile, from the common command-line flags.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of all profiles. `None`: `ADJUTANT_HOME`, or the platform's data folder.
    pub home: Option<PathBuf>,
    /// Name of the profile. `None`: [`place::DEFAULT_PROFILE`](super::place::DEFAULT_PROFILE).
    pub profile: Option<String>,
    /// A fixed time to use instead of the system clock (`--now`).
    pub now: Option<Zoned>,
    /// A time zone that overrides the setting and the system's zone (`--tz`).
    pub tz: Option<TimeZone>,
    /// Whether only loopback may be reached (`--offline`).
    pub offline: bool,
    /// Whether the profile is opened for reading only; `Session::open` sets this if the medium cannot be written.
    pub read_only: bool,
    /// The channel through which this front end's approvals arrive. `None`: the command line.
    pub door: Option<Channel>,
}

impl Options {
    /// Returns the time zone in force. In order of precedence: the `--tz` flag, the zone of a fixed clock, `setting`
    /// (the value of `time_zone`, ignored if empty or unknown), the system's zone.
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

    /// Returns the system's locale conventions. With a fixed clock it returns the defaults, so that such a run is the
    /// same on every machine.
    pub(crate) fn system(&self) -> System {
        match self.now {
            Some(_) => System::default(),
            None => locale::system(),
        }
    }

    /// Returns the current time in `zone`, from the fixed clock if there is one, else from the system.
    #[must_use]
    pub fn time(&self, zone: &TimeZone) -> Zoned {
        match &self.now {
            Some(now) => now.with_time_zone(zone.clone()),
            None => SystemClock::new(zone.clone()).now(),
        }
    }
}
