//! Messages of protocol buffers, as bytes.

/// A message in the making: fields with their numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// A field with a whole number.
    pub fn number(&mut self, field: u32, value: u64) -> &mut Self {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    /// A field with a whole number that may be negative, which then takes ten bytes.
    pub fn signed(&mut self, field: u32, value: i64) -> &mut Self {
        self.number(field, value as u64)
    }

    /// A field with a text.
    pub fn text(&mut self, field: u32, text: &str) -> &mut Self {
        self.bytes(field, text.as_bytes())
    }

    /// A field with a message.
    pub fn message(&mut self, field: u32, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    fn bytes(&mut self, field: u32, bytes: &[u8]) -> &mut Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Seven bits a byte, the lowest first; all bytes but the last have the eighth bit set.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// The bytes of the message.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Clears the message, and keeps its memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_specification() {
        // Examples from the description of the encoding of protocol buffers.
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
