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

/// The system's allocator, which says when it has failed. On Linux, what is large is mapped by itself: it grows without
/// being copied, and is given back at once, which `malloc` does only until it has seen a few such pieces.
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

const LARGE: usize = 4 << 20;
/// Memory that is mapped begins at a multiple of this, or of more.
const LARGEST_ALIGNMENT: usize = 4096;

fn is_mapped(layout: Layout) -> bool {
    cfg!(target_os = "linux") && layout.size() >= LARGE && layout.align() <= LARGEST_ALIGNMENT
}

#[cfg(target_os = "linux")]
mod mapping {
    use std::ffi::c_void;
    use std::ptr::null_mut;

    fn place_or_null(place: *mut c_void) -> *mut u8 {
        if place == libc::MAP_FAILED {
            null_mut()
        } else {
            place.cast()
        }
    }

    /// So many bytes, all of them 0. Asks for pages of 2 MB, of which each new one costs time.
    pub fn map(size: usize) -> *mut u8 {
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping touches no other memory.
        let place = place_or_null(unsafe { libc::mmap(null_mut(), size, rights, flags, -1, 0) });
        if !place.is_null() {
            // SAFETY: this changes nothing but the size of pages. Where the system refuses, small ones do.
            unsafe { libc::madvise(place.cast(), size, libc::MADV_HUGEPAGE) };
        }
        place
    }

    /// SAFETY: `map` or `resize` has given the place for this size, and nobody uses it afterwards.
    pub unsafe fn resize(place: *mut u8, old: usize, new: usize) -> *mut u8 {
        place_or_null(libc::mremap(place.cast(), old, new, libc::MREMAP_MAYMOVE))
    }

    /// SAFETY: as `resize`.
    pub unsafe fn unmap(place: *mut u8, size: usize) {
        libc::munmap(place.cast(), size);
    }
}

#[cfg(not(target_os = "linux"))]
mod mapping {
    pub fn map(_: usize) -> *mut u8 {
        std::ptr::null_mut()
    }

    pub unsafe fn resize(_: *mut u8, _: usize, _: usize) -> *mut u8 {
        std::ptr::null_mut()
    }

    pub unsafe fn unmap(_: *mut u8, _: usize) {}
}

// SAFETY: what is mapped is told from what the system's allocator gives by its layout, which is the same in all calls
// for one piece; each goes to whom it is from, with the same arguments.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        checked(if is_mapped(layout) { mapping::map(layout.size()) } else { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        checked(if is_mapped(layout) { mapping::map(layout.size()) } else { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that this size fits the alignment.
        let wanted = Layout::from_size_align_unchecked(size, layout.align());
        match (is_mapped(layout), is_mapped(wanted)) {
            (false, false) => checked(System.realloc(place, layout, size)),
            (true, true) => checked(mapping::resize(place, layout.size(), size)),
            _ => {
                let moved = self.alloc(wanted);
                if !moved.is_null() {
                    // SAFETY: both pieces are at least as long, and the new one is apart from the old.
                    std::ptr::copy_nonoverlapping(place, moved, layout.size().min(size));
                    self.dealloc(place, layout);
                }
                moved
            }
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if is_mapped(layout) {
            mapping::unmap(place, layout.size());
        } else {
            System.dealloc(place, layout);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_and_shrinks_keeps_its_bytes() {
        let sizes = [1000, LARGE - 1, LARGE, 3 * LARGE, 2 * LARGE, LARGE / 2, 2 * LARGE, 10];
        let layout = |size| Layout::from_size_align(size, 8).unwrap();
        // SAFETY: every piece is used within its layout, and given back with it.
        unsafe {
            let mut place = Allocator.alloc(layout(sizes[0]));
            (0..10).for_each(|at| *place.add(at) = at as u8);
            for pair in sizes.windows(2) {
                place = Allocator.realloc(place, layout(pair[0]), pair[1]);
                *place.add(pair[1] - 1) = 9;
                assert!((0..9).all(|at| *place.add(at) == at as u8), "{pair:?}");
            }
            Allocator.dealloc(place, layout(10));
            let zeros = Allocator.alloc_zeroed(layout(LARGE));
            assert!((0..LARGE).all(|at| *zeros.add(at) == 0));
            Allocator.dealloc(zeros, layout(LARGE));
        }
    }
}
