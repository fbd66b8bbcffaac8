//! The bytes that a client sends, and a conversation between a client and a connection. The constants of the
//! protocol are repeated here, so that the tests do not use those of the code.

use std::sync::Arc;

use sledsim_emulator::nbd::{Broken, Connection, Event, Export, Kind, Request};

pub const EXPORT_BYTES: u64 = 1 << 30;

pub fn export() -> Export {
    Export::new("sled", "a sled", EXPORT_BYTES).unwrap()
}

pub const CLIENT_FLAGS: [u8; 4] = [0, 0, 0, 3];
pub const GREETING: &[u8; 18] = b"NBDMAGICIHAVEOPT\x00\x03";

pub fn option(number: u32, data: &[u8]) -> Vec<u8> {
    [b"IHAVEOPT", &number.to_be_bytes()[..], &(data.len() as u32).to_be_bytes(), data].concat()
}

/// Return the data of the options `NBD_OPT_INFO` and `NBD_OPT_GO`.
pub fn about(name: &str, infos: &[u16]) -> Vec<u8> {
    let mut data = (name.len() as u32).to_be_bytes().to_vec();
    data.extend(name.as_bytes());
    data.extend((infos.len() as u16).to_be_bytes());
    data.extend(infos.iter().flat_map(|info| info.to_be_bytes()));
    data
}

pub fn option_reply(number: u32, kind: u32, data: &[u8]) -> Vec<u8> {
    let magic = [0x00, 0x03, 0xe8, 0x89, 0x04, 0x55, 0x65, 0xa9];
    let length = (data.len() as u32).to_be_bytes();
    [&magic[..], &number.to_be_bytes(), &kind.to_be_bytes(), &length, data].concat()
}

/// Numbers of the commands in requests.
pub const READ: u16 = 0;
pub const WRITE: u16 = 1;
pub const DISCONNECT: u16 = 2;
pub const FLUSH: u16 = 3;
pub const TRIM: u16 = 4;
pub const WRITE_ZEROES: u16 = 6;

pub fn request(flags: u16, command: u16, cookie: u64, offset: u64, bytes: u32) -> Vec<u8> {
    let magic = [0x25, 0x60, 0x95, 0x13];
    let [flags, command] = [flags, command].map(u16::to_be_bytes);
    let [cookie, offset] = [cookie, offset].map(u64::to_be_bytes);
    [&magic[..], &flags, &command, &cookie, &offset, &bytes.to_be_bytes()].concat()
}

pub fn reply(errno: u32, cookie: u64) -> Vec<u8> {
    [&[0x67, 0x44, 0x66, 0x98], &errno.to_be_bytes()[..], &cookie.to_be_bytes()].concat()
}

/// Return the bytes with which a client opens the export by `NBD_OPT_GO`.
pub fn opening() -> Vec<u8> {
    [&CLIENT_FLAGS[..], &option(7, &about("", &[]))].concat()
}

/// A conversation with a client that reads all output immediately.
pub struct Talk {
    pub connection: Connection,
    /// Output that the test has not taken yet.
    pub said: Vec<u8>,
}

impl Talk {
    /// Begin a conversation with a client that has received the greeting.
    pub fn new(export: Export) -> Self {
        let mut talk = Self { connection: Connection::new(Arc::new(export)), said: Vec::new() };
        assert_eq!(talk.heard(), GREETING);
        talk
    }

    /// Begin a conversation with a client that has opened the export.
    pub fn opened(export: Export) -> Self {
        let mut talk = Self::new(export);
        assert_eq!(talk.hear(&opening()), [Event::Opened]);
        talk.heard();
        talk
    }

    /// Pass bytes of the client to the connection. Return the events, and the violation of the protocol, if any.
    pub fn try_hear(&mut self, mut bytes: &[u8]) -> (Vec<Event>, Option<Broken>) {
        let mut events = Vec::new();
        loop {
            let taken = self.connection.receive(bytes);
            bytes = &bytes[taken..];
            let before = events.len();
            loop {
                let event = self.connection.next_event();
                let sent = self.send();
                match event {
                    Ok(Some(event)) => events.push(event),
                    Ok(None) if sent => {}
                    Ok(None) => break,
                    Err(broken) => return (events, Some(broken)),
                }
            }
            if bytes.is_empty() || (taken == 0 && events.len() == before) {
                return (events, None);
            }
        }
    }

    /// Pass valid bytes of the client to the connection. Return the events.
    pub fn hear(&mut self, bytes: &[u8]) -> Vec<Event> {
        let (events, broken) = self.try_hear(bytes);
        assert_eq!(broken, None);
        events
    }

    /// Pass the bytes of one valid request to the connection. Return the request.
    pub fn request(&mut self, bytes: &[u8]) -> Request {
        let mut events = self.hear(bytes);
        assert_eq!(events.len(), 1, "{events:?}");
        match events.remove(0) {
            Event::Request(request) => request,
            event => panic!("{event:?}"),
        }
    }

    /// Send all output. Return true if any byte was sent.
    pub fn send(&mut self) -> bool {
        let before = self.said.len();
        self.said.extend(self.connection.output().flatten());
        self.connection.sent(self.said.len() - before);
        self.said.len() > before
    }

    /// Return the output since the previous call.
    pub fn heard(&mut self) -> Vec<u8> {
        self.send();
        std::mem::take(&mut self.said)
    }
}

/// Return the contents of the export in the range of `bytes` bytes from `offset` on.
pub fn contents(offset: u64, bytes: u32) -> Vec<u8> {
    (offset / 512..).take(bytes as usize / 512).flat_map(|sector| [sector as u8; 512]).collect()
}

/// Return the bytes of the answer to a successful request.
pub fn answer(request: &Request) -> Vec<u8> {
    match request.kind {
        Kind::Read => contents(request.offset, request.bytes),
        _ => Vec::new(),
    }
}

/// Generator of pseudorandom numbers (Steele et al., Fast splittable pseudorandom number generators, 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
