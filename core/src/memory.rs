//! What happens when there is no memory left: a child process ends with a status that its parent knows.
//!
//! Rust ends a process by a signal then, which would look like a crash.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI32, Ordering};

/// The exit status, once there is one.
static STATUS: AtomicI32 = AtomicI32::new(0);

/// From now on a failed allocation ends the process with this status. It is meant for processes that clean pages for
/// another one; for all others Rust's own way stays.
pub fn exit_with(status: i32) {
    STATUS.store(status, Ordering::Relaxed);
}

/// The system's allocator, which says when it has failed.
pub struct Allocator;

fn checked(place: *mut u8) -> *mut u8 {
    let status = STATUS.load(Ordering::Relaxed);
    if place.is_null() && status != 0 {
        // Nothing that could want memory again may run, neither handlers nor destructors.
        // SAFETY: `_exit` takes any status and does not return.
        unsafe { libc::_exit(status) }
    }
    place
}

// SAFETY: every call goes to the system's allocator with the same arguments, and what it gives is given on unchanged.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        checked(System.alloc(layout))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        checked(System.alloc_zeroed(layout))
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        checked(System.realloc(place, layout, size))
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        System.dealloc(place, layout);
    }
}
