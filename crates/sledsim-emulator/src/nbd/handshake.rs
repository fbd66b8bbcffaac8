//! The handshake before the first request: greeting, client flags and options.

use super::error::Broken;
use super::export::Export;
use super::input::Input;
use super::options::{answer, too_big, Then};
use super::output::Output;
use super::protocol::{handshake_flag, option, GREETING_MAGIC, OPTION_MAGIC};

/// Maximum length in bytes of the data of an option. An option with more data is skipped and refused.
const MOST_OPTION_BYTES: u32 = 4096;
/// Maximum number of bytes of data that are skipped. An option with more data ends the connection.
const MOST_SKIPPED_BYTES: u32 = 1 << 20;
/// Maximum number of options before the export is opened.
const MOST_OPTIONS: u32 = 128;
const HEADER_BYTES: usize = 16;
const SERVER_FLAGS: u16 = handshake_flag::FIXED_NEWSTYLE | handshake_flag::NO_ZEROES;

// An option that is not refused for its length fits into the input buffer.
const _: () = assert!(HEADER_BYTES + MOST_OPTION_BYTES as usize <= Input::BYTES);

pub(super) struct Handshake {
    at: At,
    no_zeroes: bool,
    options: u32,
}

/// The item that the client must send next.
enum At {
    Flags,
    Option,
    /// The remaining data of an option that has too much data.
    Skip {
        option: u32,
        left: u32,
    },
}

/// The result of a step of the handshake.
pub(super) enum Step {
    /// Input must arrive or output must be sent before the next step.
    Wait,
    /// The next step can be done immediately.
    Again,
    /// The export is open: requests follow.
    Open,
    /// The client ended the connection.
    End,
}

impl Handshake {
    /// Begin the handshake: put the greeting into `output`.
    pub(super) fn new(output: &mut Output) -> Self {
        let mut greeting = GREETING_MAGIC.to_be_bytes().to_vec();
        greeting.extend(OPTION_MAGIC.to_be_bytes());
        greeting.extend(SERVER_FLAGS.to_be_bytes());
        output.say(greeting);
        Self { at: At::Flags, no_zeroes: false, options: 0 }
    }

    /// Return true if an answer in `output` must be sent before the next option is read. The server keeps only
    /// one unsent answer.
    pub(super) fn is_blocked(&self, output: &Output) -> bool {
        matches!(self.at, At::Option) && !output.is_empty()
    }

    /// Process the input up to the end of the next option.
    pub(super) fn step(
        &mut self,
        export: &Export,
        input: &mut Input,
        output: &mut Output,
    ) -> Result<Step, Broken> {
        if self.is_blocked(output) {
            return Ok(Step::Wait);
        }
        match &mut self.at {
            At::Flags => self.flags(input),
            At::Option => self.option(export, input, output),
            At::Skip { option, left } => {
                let come = input.waiting().len().min(*left as usize);
                input.take(come);
                *left -= come as u32;
                if *left > 0 {
                    return Ok(Step::Wait);
                }
                output.say(too_big(*option));
                self.at = At::Option;
                Ok(Step::Again)
            }
        }
    }

    fn flags(&mut self, input: &mut Input) -> Result<Step, Broken> {
        let Some(bytes) = input.first() else { return Ok(Step::Wait) };
        let flags = u32::from_be_bytes(bytes);
        if flags & !u32::from(SERVER_FLAGS) != 0 {
            return Err(Broken::ClientFlags(flags));
        }
        input.take(bytes.len());
        self.no_zeroes = flags & u32::from(handshake_flag::NO_ZEROES) != 0;
        self.at = At::Option;
        Ok(Step::Again)
    }

    fn option(&mut self, export: &Export, input: &mut Input, output: &mut Output) -> Result<Step, Broken> {
        let Some(header) = input.first::<HEADER_BYTES>() else { return Ok(Step::Wait) };
        let [magic, number_and_bytes] =
            [0, 8].map(|at| u64::from_be_bytes(header[at..at + 8].try_into().expect("eight bytes")));
        if magic != OPTION_MAGIC {
            return Err(Broken::OptionMagic(magic));
        }
        let (number, bytes) = ((number_and_bytes >> 32) as u32, number_and_bytes as u32);
        if self.options == MOST_OPTIONS {
            return Err(Broken::TooManyOptions(MOST_OPTIONS));
        }
        if bytes > MOST_OPTION_BYTES {
            // The protocol allows no refusal of an export name except closing.
            let most = if number == option::EXPORT_NAME { MOST_OPTION_BYTES } else { MOST_SKIPPED_BYTES };
            if bytes > most {
                return Err(Broken::OptionTooLong { option: number, most, found: bytes });
            }
            input.take(HEADER_BYTES);
            self.options += 1;
            self.at = At::Skip { option: number, left: bytes };
            return Ok(Step::Again);
        }
        let end = HEADER_BYTES + bytes as usize;
        let Some(data) = input.waiting().get(HEADER_BYTES..end) else { return Ok(Step::Wait) };
        let (bytes, then) = answer(number, data, export, self.no_zeroes)?;
        output.say(bytes);
        input.take(end);
        self.options += 1;
        Ok(match then {
            Then::Option => Step::Again,
            Then::Open => Step::Open,
            Then::End => Step::End,
        })
    }
}
