//! Messages in the binary format of Protocol Buffers.

/// A message that is being written: a list of fields, each with its number in the format.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Appends a field that contains a whole number of at least 0.
    pub fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    /// Appends a field that contains a whole number, which takes ten bytes if it is negative.
    pub fn signed(&mut self, field: u32, value: i64) -> &mut Self {
        self.number(field, value as u64)
    }

    /// Appends a field that contains the text `text`.
    pub fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    /// Appends a field that contains another message.
    pub fn message(&mut self, field: u32, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Appends a whole number as groups of seven bits, the lowest first; in all bytes except the
    /// last, the eighth bit is set.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// The bytes of the message so far.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Removes all fields from the message, and keeps its memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_specification() {
        // The examples are those of the description of the encoding of protocol buffers.
        let mut inner = Message::default();
        inner.number(1, 150);
        assert_eq!(inner.as_bytes(), [0x08, 0x96, 0x01]);
        let mut outer = Message::default();
        outer.message(3, &inner).text(2, "testing");
        assert_eq!(outer.as_bytes(), *b"\x1a\x03\x08\x96\x01\x12\x07testing");
    }

    #[test]
    fn a_negative_number_takes_ten_bytes() {
        let mut message = Message::default();
        message.signed(1, -2);
        assert_eq!(message.as_bytes(), b"\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    }
}
