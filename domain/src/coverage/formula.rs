//! Chemical formulae, whose letters and digits alternate as those of keys do.

/// The symbols of the elements (IUPAC periodic table of 2016), hydrogen to oganesson.
const ELEMENTS: &str = " H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo \
    Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn \
    Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og ";
/// Characters of the longest formula that is taken for one.
const FORMULA_CHARACTERS_MAX: usize = 24;
/// Digits of one number in it.
const NUMBER_DIGITS_MAX: usize = 2;

/// Whether a word is a row of element symbols with numbers behind them, as in C6H12O6, after the
/// number that multiplies it.
pub(super) fn is_formula(word: &str) -> bool {
    let mut rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || word.len() > FORMULA_CHARACTERS_MAX || word.len() - rest.len() > NUMBER_DIGITS_MAX {
        return false;
    }
    while !rest.is_empty() {
        let Some(after) = symbol_end(rest).and_then(|end| rest.get(end..)) else { return false };
        let tail = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() - tail.len() > NUMBER_DIGITS_MAX {
            return false;
        }
        rest = tail;
    }
    true
}

/// Where the symbol ends that the text begins with: a capital with its small letter, if it has one.
fn symbol_end(text: &str) -> Option<usize> {
    let mut letters = text.chars();
    let capital = letters.next().filter(char::is_ascii_uppercase)?;
    let end = capital.len_utf8() + letters.next().filter(char::is_ascii_lowercase).map_or(0, char::len_utf8);
    text.get(..end).filter(|symbol| ELEMENTS.contains(&format!(" {symbol} "))).map(|_| end)
}
