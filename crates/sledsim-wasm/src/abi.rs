//! The functions that the WebAssembly module exports: a page allocates memory for input, makes a call, and
//! reads the answer.

// Memory is shared with the page, which the compiler cannot see.
#![allow(unsafe_code)]

use std::alloc::{alloc, dealloc, Layout};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::Session;

/// The session of this instance of the WebAssembly module, and the answer to the last call.
static HELD: LazyLock<Mutex<(Session, String)>> = LazyLock::new(Mutex::default);

fn layout(length: usize) -> Option<Layout> {
    Layout::array::<u8>(length.max(1)).ok()
}

/// Allocate `length` bytes and return their address, or 0 if the memory does not suffice.
#[no_mangle]
pub extern "C" fn sledsim_allocate(length: usize) -> *mut u8 {
    // SAFETY: the layout is not empty.
    layout(length).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Free the memory of `length` bytes at the address `start`.
///
/// # Safety
/// The memory must have been allocated by [`sledsim_allocate`] with the same `length`, and must not have been
/// freed yet.
#[no_mangle]
pub unsafe extern "C" fn sledsim_release(start: *mut u8, length: usize) {
    if let Some(layout) = layout(length) {
        // SAFETY: guaranteed by the caller, see above.
        unsafe { dealloc(start, layout) }
    }
}

/// Call the function with this name in the session. Its arguments are JSON and, for some functions, bytes.
/// Return the length of the answer in bytes.
///
/// # Safety
/// Each address and its length must describe memory that the caller has filled and does not change during the
/// call.
#[no_mangle]
pub unsafe extern "C" fn sledsim_call(
    name: *const u8,
    name_length: usize,
    arguments: *const u8,
    arguments_length: usize,
    bytes: *const u8,
    bytes_length: usize,
) -> usize {
    // SAFETY: guaranteed by the caller, see above.
    let given = |start, length| unsafe { std::slice::from_raw_parts(start, length) };
    let text = |start, length| String::from_utf8_lossy(given(start, length));
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let (session, answer) = &mut *held;
    let (name, arguments) = (text(name, name_length), text(arguments, arguments_length));
    *answer = session.call(&name, &arguments, given(bytes, bytes_length));
    answer.len()
}

/// Return the address of the last answer, which is valid until the next call.
#[no_mangle]
pub extern "C" fn sledsim_answer() -> *const u8 {
    HELD.lock().unwrap_or_else(PoisonError::into_inner).1.as_ptr()
}
