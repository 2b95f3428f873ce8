//! Texts that have the shape of a credential: shown redacted on cards (VIE-4), never typed under a
//! grant (COV-3).

use super::{digits, groups, opaque};
use crate::classify::bare_text;

/// What introduces a secret when a colon or an equals sign follows, in bare small letters.
const SECRET_NAMES: [&str; 46] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pin",
    "pin code",
    "otp",
    "cvv",
    "cvc",
    "secret",
    "token",
    "api key",
    "api-key",
    "api_key",
    "apikey",
    "access key",
    "access_key",
    "accesskey",
    "access-key",
    "private key",
    "private_key",
    "privatekey",
    "secret key",
    "secretkey",
    "accountkey",
    "sharedaccesskey",
    "sharedaccesssignature",
    "clientsecret",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "authorization",
    "recovery code",
    "backup code",
    "seed phrase",
    "recovery phrase",
    "passwort",
    "kennwort",
    "mot de passe",
    "contrasena",
    "senha",
    "wachtwoord",
    "haslo",
    "пароль",
];
/// Words between the name of a secret and the secret itself in a sentence.
const IS: [&str; 8] = ["is", "was", "ist", "lautet", "war", "est", "es", "e"];
/// Characters from which on what follows `Bearer` or `Basic` can be a credential (RFC 6750, RFC 7617).
const SCHEME_CHARACTERS_MIN: usize = 8;
/// Dashes that open a line which frames a key (RFC 7468 has five).
const FRAME_DASHES_MIN: usize = 3;
/// Beginnings of key files that have no such line, in small letters.
const KEY_FILES: [&str; 4] = ["putty-user-key-file", "ssh-rsa aaaa", "ssh-ed25519 aaaa", "ecdsa-sha2-nistp"];

/// Whether a text has the shape of a credential.
pub(super) fn looks_like_credential(text: &str) -> bool {
    let plain = bare_text(text);
    let lower = plain.to_lowercase();
    is_framed_key(&lower)
        || KEY_FILES.iter().any(|beginning| lower.contains(beginning))
        || introduces_secret(&lower)
        || follows_scheme(&plain)
        || digits::is_card_like(&lower)
        || groups::is_seed_phrase(&lower)
        || groups::is_spaced_code(&plain)
        || plain.split_whitespace().any(opaque::is_opaque)
}

/// `-----BEGIN`, with whatever dashes an editor made of it.
fn is_framed_key(lower: &str) -> bool {
    lower.match_indices("begin").any(|(at, word)| {
        let before = lower.get(..at).unwrap_or_default().trim_end();
        let dashes = before.chars().rev().take_while(|c| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')).count();
        let ends_word = lower.get(at + word.len()..).and_then(|rest| rest.chars().next()).is_none_or(|c| !c.is_alphanumeric());
        dashes >= FRAME_DASHES_MIN && ends_word
    })
}

fn introduces_secret(lower: &str) -> bool {
    let named = |name: &str| lower.match_indices(name).any(|(at, name)| is_given(lower, at, at + name.len()));
    SECRET_NAMES.iter().any(|name| named(name)) || is_cookie(lower)
}

/// Whether the name of a secret from `at` to `end` stands as a word and a value follows it.
fn is_given(lower: &str, at: usize, end: usize) -> bool {
    let starts_word = lower.get(..at).and_then(|before| before.chars().last()).is_none_or(|c| !c.is_alphanumeric());
    let after = lower.get(end..).unwrap_or_default().trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ']'));
    let assigned = after.strip_prefix([':', '=']).is_some_and(|value| value.chars().any(char::is_alphanumeric));
    let mut words = after.split_whitespace();
    let verb = words.next().is_some_and(|word| IS.contains(&word.trim_end_matches(':')));
    let told = verb && words.next().is_some_and(|word| word.chars().any(char::is_numeric));
    starts_word && (assigned || told)
}

/// The header fields that carry a session (RFC 6265).
fn is_cookie(lower: &str) -> bool {
    lower.split_once("cookie:").is_some_and(|(_, value)| value.contains('='))
}

/// `Bearer` and `Basic` before what no word looks like.
fn follows_scheme(plain: &str) -> bool {
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.windows(2).any(|two| {
        let [scheme, value] = two else { return false };
        let named = scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("basic");
        let coded = value.chars().any(|c| c.is_ascii_digit() || c == '=') || value.chars().skip(1).any(|c| c.is_ascii_uppercase());
        named && coded && value.chars().count() >= SCHEME_CHARACTERS_MIN
    })
}
