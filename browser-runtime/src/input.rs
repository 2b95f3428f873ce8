//! Trusted input through WebDriver actions (W3C WebDriver, section 15). Never an element click: that
//! command asks the page's own `elementFromPoint` where the element is, which a page can replace.

use fantoccini::Client;
use fantoccini::actions::{
    Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, WheelAction, WheelActions,
};
use fantoccini::error::CmdError;
use std::time::Duration;

const MOUSE: &str = "mouse";
const KEYBOARD: &str = "keyboard";
const WHEEL: &str = "wheel";
/// Characters in one actions command. Small enough that a lost lease cuts a long text short, large
/// enough that the round trip does not count.
const CHARACTERS_PER_COMMAND: usize = 64;

/// Mouse, keyboard and wheel of the one page. Coordinates are CSS pixels of the viewport.
#[derive(Clone, Debug)]
pub struct Input {
    client: Client,
}

/// Why input was not sent, or not known to be.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The key value is neither one character nor one of the named keys.
    #[error("no key is called that")]
    UnknownKey,
    /// ChromeDriver did not take it, so the page may have seen some of it.
    #[error("the driver did not confirm the input")]
    Driver(#[source] Box<CmdError>),
}

impl From<CmdError> for InputError {
    fn from(error: CmdError) -> Self {
        Self::Driver(Box::new(error))
    }
}

impl Input {
    /// Input into the session's current page.
    #[must_use]
    pub const fn new(client: Client) -> Self {
        Self { client }
    }

    /// Moves the mouse to a point at once, which hovers what is there.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn move_to(&self, x: f64, y: f64) -> Result<(), InputError> {
        self.pointer(PointerAction::MoveTo { duration: Some(Duration::ZERO), x, y }).await
    }

    /// Presses the primary button where the mouse is.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn press(&self) -> Result<(), InputError> {
        self.pointer(PointerAction::Down { button: MOUSE_BUTTON_LEFT }).await
    }

    /// Releases the primary button.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn release(&self) -> Result<(), InputError> {
        self.pointer(PointerAction::Up { button: MOUSE_BUTTON_LEFT }).await
    }

    /// Presses and releases in one command, for when nothing needs to be read in between.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn press_and_release(&self) -> Result<(), InputError> {
        let taps = MouseActions::new(MOUSE.to_owned())
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.perform(taps).await
    }

    /// Presses and releases one key, given as a UI Events key value (`Enter`, `ArrowLeft`, `a`).
    ///
    /// # Errors
    /// [`InputError::UnknownKey`] before anything is sent; [`InputError::Driver`].
    pub async fn key(&self, key: &str) -> Result<(), InputError> {
        let value = code_point(key).ok_or(InputError::UnknownKey)?;
        self.perform(stroke(KeyActions::new(KEYBOARD.to_owned()), value)).await
    }

    /// Presses one key while Control is held, for selecting a field's content.
    ///
    /// # Errors
    /// As [`Input::key`].
    pub async fn key_with_control(&self, key: &str) -> Result<(), InputError> {
        let value = code_point(key).ok_or(InputError::UnknownKey)?;
        let control = char::from(fantoccini::key::Key::Control);
        let held = KeyActions::new(KEYBOARD.to_owned()).then(KeyAction::Down { value: control });
        self.perform(stroke(held, value).then(KeyAction::Up { value: control })).await
    }

    /// Types a text, one key stroke a Unicode scalar value. A line feed is the Enter key.
    ///
    /// # Errors
    /// [`InputError::UnknownKey`] for a character that WebDriver reads as a special key, before
    /// anything is sent; [`InputError::Driver`].
    pub async fn type_text(&self, text: &str) -> Result<(), InputError> {
        let strokes: Vec<char> =
            text.chars().filter(|c| *c != '\r').map(typed_code_point).collect::<Option<_>>().ok_or(InputError::UnknownKey)?;
        for part in strokes.chunks(CHARACTERS_PER_COMMAND) {
            let keys = part.iter().fold(KeyActions::new(KEYBOARD.to_owned()), |keys, value| stroke(keys, *value));
            self.perform(keys).await?;
        }
        Ok(())
    }

    /// Turns the wheel at a point. Positive values scroll right and down.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn wheel(&self, x: i32, y: i32, dx: i32, dy: i32) -> Result<(), InputError> {
        let scroll = WheelAction::Scroll {
            duration: Some(Duration::ZERO),
            x: i64::from(x),
            y: i64::from(y),
            delta_x: i64::from(dx),
            delta_y: i64::from(dy),
        };
        self.perform(WheelActions::new(WHEEL.to_owned()).then(scroll)).await
    }

    /// Releases every key and button that is down, and forgets where the mouse was.
    ///
    /// # Errors
    /// [`InputError::Driver`].
    pub async fn release_all(&self) -> Result<(), InputError> {
        Ok(self.client.release_actions().await?)
    }

    async fn pointer(&self, action: PointerAction) -> Result<(), InputError> {
        self.perform(MouseActions::new(MOUSE.to_owned()).then(action)).await
    }

    async fn perform(&self, actions: impl Into<Actions>) -> Result<(), InputError> {
        Ok(self.client.perform_actions(actions).await?)
    }
}

fn stroke(keys: KeyActions, value: char) -> KeyActions {
    keys.then(KeyAction::Down { value }).then(KeyAction::Up { value })
}

/// WebDriver gives each special key a code point of the private use area (section 17.4.2, "keyboard
/// actions"), so a typed character from there would press a key instead.
const fn is_special(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{e05d}')
}

fn typed_code_point(c: char) -> Option<char> {
    match c {
        '\n' => code_point("Enter"),
        '\t' => None,
        _ if is_special(c) || c.is_control() => None,
        _ => Some(c),
    }
}

fn code_point(key: &str) -> Option<char> {
    let special = match key {
        "Enter" => '\u{e007}',
        "Tab" => '\u{e004}',
        "Escape" => '\u{e00c}',
        "Backspace" => '\u{e003}',
        "Delete" => '\u{e017}',
        "Home" => '\u{e011}',
        "End" => '\u{e010}',
        "PageUp" => '\u{e00e}',
        "PageDown" => '\u{e00f}',
        "ArrowLeft" => '\u{e012}',
        "ArrowUp" => '\u{e013}',
        "ArrowRight" => '\u{e014}',
        "ArrowDown" => '\u{e015}',
        "Insert" => '\u{e016}',
        "Space" | " " => ' ',
        _ => {
            let mut characters = key.chars();
            let (Some(only), None) = (characters.next(), characters.next()) else { return None };
            return if is_special(only) || only.is_control() { None } else { Some(only) };
        }
    };
    Some(special)
}

#[cfg(test)]
mod tests {
    use super::{code_point, typed_code_point};

    /// RUN-2: a key that has no name here, and text that would press keys, stop before the driver.
    #[test]
    fn only_known_keys_have_a_code_point() {
        assert_eq!(code_point("Enter"), Some('\u{e007}'));
        assert_eq!(code_point("é"), Some('é'));
        assert_eq!(code_point("𝄞"), Some('𝄞'));
        for bad in ["", "Enterr", "ab", "\u{e007}", "\u{7}", "F1"] {
            assert_eq!(code_point(bad), None, "{bad:?}");
        }
        assert_eq!(typed_code_point('\n'), Some('\u{e007}'));
        assert_eq!(typed_code_point('x'), Some('x'));
        assert_eq!(typed_code_point('\t'), None);
        assert_eq!(typed_code_point('\u{e007}'), None);
    }

    /// The domain's named keys are exactly what this input can press.
    #[test]
    fn every_named_key_of_the_domain_can_be_pressed() {
        for key in domain::browser::action::NAMED_KEYS {
            assert!(code_point(key).is_some(), "{key}");
        }
    }
}
