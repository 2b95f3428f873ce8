//! Percent-encoding in path segments (RFC 3986, section 2.1).

/// Times that a segment is decoded before it is judged as it then stands.
const DECODINGS_MAX: usize = 3;

/// A segment decoded until nothing changes, at most three times over.
pub(crate) fn decoded(segment: &str) -> String {
    let mut text = segment.to_owned();
    for _ in 0..DECODINGS_MAX {
        let next = String::from_utf8_lossy(&decoded_once(&text).0).into_owned();
        if next == text {
            break;
        }
        text = next;
    }
    text
}

/// The bytes that a text encodes, and whether every percent sign in it begins an encoded byte.
pub(crate) fn decoded_once(text: &str) -> (Vec<u8>, bool) {
    let hex = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16)).and_then(|digit| u8::try_from(digit).ok());
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut well_formed = true;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(bytes.get(at + 1)), hex(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                plain.push(high * 16 + low);
                at += 3;
            }
            _ => {
                well_formed &= *byte != b'%';
                plain.push(*byte);
                at += 1;
            }
        }
    }
    (plain, well_formed)
}
