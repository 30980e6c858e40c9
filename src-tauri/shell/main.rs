//! Adjutant's desktop app: opens windows, shows what the engine reports, and stays in the tray. The engine decides
//! everything; this program contains only windows, the tray, notifications and the bridge.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod autostart;
mod bridge;
mod desk;
mod display;
mod due;
mod finished;
mod listen;
mod navigation;
mod notifications;
#[cfg(target_os = "linux")]
mod painting;
mod presence;
mod profiles;
mod quick_ask;
mod system;
mod tray;
mod waiting;
mod windows;

use std::path::PathBuf;
use std::process::ExitCode;

use adjutant::session::Options;
use clap::Parser;
use jiff::Zoned;
use tauri::webview::PageLoadEvent;
use tauri::{Manager, RunEvent, WindowEvent};

/// How the app can be started. Where the profile lies and which clock holds is said as on the command line.
#[derive(Clone, Debug, Parser)]
#[command(name = "adjutant-desktop", version, about)]
struct Arguments {
    /// Start in the tray, without a window (what starting with the system does).
    #[arg(long)]
    hidden: bool,
    /// Show quick-ask, also in an Adjutant that runs already: for a shortcut of the desktop's own.
    #[arg(long)]
    quick_ask: bool,
    /// Where Adjutant keeps its profiles.
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// Which profile to open.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// A fixed clock, such as 2026-01-12T09:00:00-05:00[America/New_York].
    #[arg(long, value_name = "INSTANT")]
    now: Option<Zoned>,
}

impl Arguments {
    fn options(&self) -> Options {
        Options {
            home: self.home.clone(),
            profile: self.profile.clone(),
            now: self.now.clone(),
            door: Some(adjutant_domain::gate::Channel::Window),
            ..Options::default()
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Log warnings to standard error, and measure the stages of turns for Settings.
    if let Err(problem) = adjutant_observe::init(&adjutant_observe::Setup::default()) {
        eprintln!("Adjutant cannot write logs: {problem}.");
    }
    if let Err(advice) = display::check() {
        eprintln!("{advice}");
        return ExitCode::FAILURE;
    }
    match build(arguments) {
        Ok(app) => {
            app.run(on_event);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!(
                "The window could not be opened: {error}\nRun `adjutant doctor` to see what is missing."
            );
            ExitCode::FAILURE
        }
    }
}

fn build(arguments: Arguments) -> tauri::Result<tauri::App> {
    tauri::Builder::default()
        // Must come first, so that a second instance exits before it opens anything.
        .plugin(tauri_plugin_single_instance::init(|app, words, _folder| {
            windows::second_start(app, &words);
        }))
        .plugin(
            tauri_plugin_opener::Builder::new()
                .open_js_links_on_click(false)
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(windows::remember())
        .plugin(autostart::plugin())
        .plugin(quick_ask::shortcut_plugin())
        .manage(quick_ask::QuickAsk::default())
        .manage(bridge::Bridge::default())
        .on_page_load(|webview, load| {
            if load.event() == PageLoadEvent::Started {
                listen::forget(webview.app_handle(), webview.label());
                let bridge = webview.state::<bridge::Bridge>();
                bridge.begin_page(webview.label());
            }
        })
        .invoke_handler(tauri::generate_handler![
            bridge::call,
            listen::subscribe,
            listen::unsubscribe,
            profiles::profiles,
            profiles::switch_profile,
            system::open_link,
            system::choose_paths,
            system::save_text,
            system::copy_text,
            system::show_path,
            windows::open_main,
            windows::hide_window,
            windows::set_window_height,
        ])
        .setup(move |app| {
            let app = app.handle();
            // Begin opening first, so that it continues while the window is painted.
            bridge::open(app, arguments.options());
            if !arguments.hidden {
                windows::show_main(app, None)?;
            }
            tray::build(app)?;
            desk::follow(app);
            due::follow(app);
            notifications::follow_clicks(app)?;
            if arguments.quick_ask {
                quick_ask::show(app);
            }
            Ok(())
        })
        .build(tauri::generate_context!())
}

fn on_event(app: &tauri::AppHandle, event: RunEvent) {
    match event {
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::CloseRequested { api, .. },
            ..
        } => {
            // Closing the window keeps the app in the tray, so that reminders and waiting approvals continue.
            api.prevent_close();
            windows::hide(app, &label);
        }
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::Destroyed,
            ..
        } => listen::forget(app, &label),
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::Focused(focused),
            ..
        } if label == quick_ask::LABEL => quick_ask::focus_changed(app, focused),
        // Without a window the app continues in the tray; only "Quit" ends it, with an exit code.
        RunEvent::ExitRequested {
            api, code: None, ..
        } => api.prevent_exit(),
        _ => {}
    }
}
