//! How the browser is told to behave: capabilities, command line switches and preferences.
//!
//! Each entry closes a way out of the fence or keeps the browser from talking on its own account.
//! What Chromium really runs with is read back ([`are_effective`]); the start-up self-test then
//! measures that it works.

use super::Launch;
use fantoccini::wd::Capabilities;
use serde_json::{Value, json};

/// Features that would load documents where the fence cannot see them, keep old documents alive, or
/// open windows without a request. Only the last `--disable-features` on a command line counts.
const DISABLED_FEATURES: [&str; 15] = [
    "ServiceWorkerAutoPreload",
    "SpeculativeServiceWorkerWarmUp",
    "ServiceWorkerStaticRouter",
    "Prerender2",
    "PrefetchProxy",
    "LoadingPredictorPrefetch",
    "NavigationPredictor",
    "BackForwardCache",
    "DocumentPictureInPictureAPI",
    "OptimizationHints",
    "MediaRouter",
    "Translate",
    "AutofillServerCommunication",
    "InterestFeedContentSuggestions",
    "CertificateTransparencyComponentUpdater",
];

/// Switches that hold for every browser.
const SWITCHES: [&str; 24] = [
    "--headless=new",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-search-engine-choice-screen",
    "--disable-external-intent-requests",
    "--deny-permission-prompts",
    "--metrics-recording-only",
    "--mute-audio",
    "--noerrdialogs",
    "--password-store=basic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--window-size=1280,900",
    "--lang=en-US",
];

/// Chromium refuses to sandbox for root. Anybody else gets the sandbox.
pub const NO_SANDBOX: &str = "--no-sandbox";

/// The capabilities of one session (W3C WebDriver, section 7). `trusted_key` is for the self-test's
/// browser alone.
#[must_use]
pub fn capabilities(launch: &Launch, trusted_key: Option<&str>) -> Capabilities {
    let mut arguments: Vec<String> = SWITCHES.iter().map(|switch| (*switch).to_owned()).collect();
    arguments.push(format!("--user-data-dir={}", launch.profile_dir.display()));
    if rustix::process::geteuid().is_root() {
        arguments.push(NO_SANDBOX.to_owned());
    }
    if let Some(key) = trusted_key {
        arguments.push(format!("--ignore-certificate-errors-spki-list={key}"));
    }
    arguments.push(disable_features());
    let wanted = json!({
        "browserName": "chrome",
        // The bounded settling of our own tells when a page is ready, and that it was not.
        "pageLoadStrategy": "none",
        // A dialog is the page's question to the owner: nobody here answers it.
        "unhandledPromptBehavior": "ignore",
        "timeouts": { "implicit": 0, "pageLoad": 20_000, "script": 5_000 },
        "goog:chromeOptions": {
            "binary": launch.chromium,
            "args": arguments,
            // ChromeDriver would let pages open windows at will.
            "excludeSwitches": ["disable-popup-blocking", "enable-logging"],
            "prefs": preferences(),
        },
    });
    match wanted {
        Value::Object(capabilities) => capabilities,
        _ => Capabilities::new(),
    }
}

/// Whether the browser's own command line says that our feature list is the one in effect and that
/// the switches stand.
#[must_use]
pub fn are_effective(arguments: &[String]) -> bool {
    let last_list = arguments.iter().rev().find_map(|argument| argument.strip_prefix("--disable-features="));
    let disabled: Vec<&str> = last_list.unwrap_or_default().split(',').collect();
    let enabled: Vec<&str> = arguments
        .iter()
        .filter_map(|argument| argument.strip_prefix("--enable-features="))
        .flat_map(|list| list.split(','))
        .filter_map(|feature| feature.split(['<', ':']).next())
        .collect();
    let features_off = DISABLED_FEATURES.iter().all(|feature| disabled.contains(feature) && !enabled.contains(feature));
    let switches_on = SWITCHES.iter().all(|switch| arguments.iter().any(|argument| argument == switch));
    let blocking_off = arguments.iter().any(|argument| argument == "--disable-popup-blocking" || argument == "--disable-web-security");
    let sandboxed = rustix::process::geteuid().is_root() || !arguments.iter().any(|argument| argument == NO_SANDBOX);
    features_off && switches_on && !blocking_off && sandboxed
}

fn disable_features() -> String {
    format!("--disable-features={}", DISABLED_FEATURES.join(","))
}

fn preferences() -> Value {
    // 2 is "block" for each content setting.
    let settings = [
        "notifications",
        "geolocation",
        "media_stream_mic",
        "media_stream_camera",
        "automatic_downloads",
        "midi_sysex",
        "clipboard",
        "background_sync",
        "usb_guard",
        "serial_guard",
        "hid_guard",
        "bluetooth_guard",
        "bluetooth_scanning",
        "file_system_write_guard",
        "file_system_read_guard",
        "sensors",
        "payment_handler",
        "idle_detection",
        "window_placement",
        "local_fonts",
        "storage_access",
        "auto_picture_in_picture",
    ];
    let mut contents: serde_json::Map<String, Value> = settings.iter().map(|name| ((*name).to_owned(), json!(2))).collect();
    // 1 is "allow": the fence keeps new windows empty. Chromium's own blocker takes them away while
    // their first request is held, which sometimes lets it go (measured: 2 of 36).
    contents.insert("popups".to_owned(), json!(1));
    json!({
        // 2 is "never": no prefetch, preconnect or prerender, whatever a page's speculation rules say.
        "net": { "network_prediction_options": 2 },
        "credentials_enable_service": false,
        "credentials_enable_autosignin": false,
        "profile": { "password_manager_enabled": false, "default_content_setting_values": contents },
        "autofill": { "profile_enabled": false, "credit_card_enabled": false },
        "payments": { "can_make_payment_enabled": false },
        // 3 is "block all".
        "download_restrictions": 3,
        "safebrowsing": { "enabled": false },
        "search": { "suggest_enabled": false },
        "translate": { "enabled": false },
        "alternate_error_pages": { "enabled": false },
        "custom_handlers": { "enabled": false },
        "signin": { "allowed": false },
    })
}

#[cfg(test)]
mod tests {
    use super::{SWITCHES, are_effective, disable_features};

    fn told() -> Vec<String> {
        SWITCHES.iter().map(|switch| (*switch).to_owned()).chain([disable_features()]).collect()
    }

    /// RUN-14: only the last feature list counts, so one that follows ours must be noticed.
    #[test]
    fn a_later_feature_list_is_noticed() {
        assert!(are_effective(&told()));
        let mut earlier = vec!["--disable-features=Other".to_owned()];
        earlier.extend(told());
        assert!(are_effective(&earlier), "an earlier list is without effect");
        let mut later = told();
        later.push("--disable-features=Other".to_owned());
        assert!(!are_effective(&later));
        let mut enabled = told();
        enabled.push("--enable-features=Fine,Prerender2:mode/all".to_owned());
        assert!(!are_effective(&enabled));
    }

    /// RUN-10: a driver that lets pages open windows is not what was asked for.
    #[test]
    fn a_dropped_or_added_switch_is_noticed() {
        let dropped: Vec<String> = told().into_iter().filter(|switch| switch != "--deny-permission-prompts").collect();
        assert!(!are_effective(&dropped));
        let mut added = told();
        added.push("--disable-popup-blocking".to_owned());
        assert!(!are_effective(&added));
    }
}
