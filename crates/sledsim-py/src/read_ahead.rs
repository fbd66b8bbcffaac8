//! Read ahead: one thread decompresses a file while another thread parses its requests.

use std::io::{self, Read};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// Number of bytes in a piece of data that is passed to the other thread.
const PIECE_BYTES: usize = 256 << 10;
const PIECES: usize = 4;
/// Time for which a reader waits for data. It then returns without data, so that its caller can check for
/// signals.
const PATIENCE: Duration = Duration::from_millis(100);

type Piece = io::Result<Vec<u8>>;

/// Return a reader that yields the bytes of `reader`. A thread reads ahead from `reader`, and ends when the
/// returned reader is dropped.
pub(crate) fn ahead(reader: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    let (sender, pieces) = sync_channel(PIECES);
    thread::spawn(move || send_all(reader, &sender));
    Box::new(Ahead { pieces, piece: Vec::new(), at: 0 })
}

/// Send all data of `reader`, in pieces, to the thread that parses them; after an I/O error, send the error.
fn send_all(mut reader: Box<dyn Read + Send>, sender: &SyncSender<Piece>) {
    loop {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        let read = reader.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece);
        let is_last = piece.len() < PIECE_BYTES;
        let is_unwanted = sender.send(Ok(piece)).is_err();
        if let Err(fault) = read {
            // Ignore a closed channel: the reader was dropped.
            let _ = sender.send(Err(fault));
            return;
        }
        if is_last || is_unwanted {
            return;
        }
    }
}

/// A reader of the data that the other thread has read ahead.
struct Ahead {
    pieces: Receiver<Piece>,
    piece: Vec<u8>,
    /// Number of bytes of the current piece that were already returned.
    at: usize,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            let piece = match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => piece,
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
            (self.piece, self.at) = (piece?, 0);
        }
        let count = (&self.piece[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}
