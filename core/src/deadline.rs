//! The time by which a page must be cleaned, if its thread has one: long loops ask for it now and then.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// What unwinds the stack when the time is over. It is no panic: nothing is printed.
#[derive(Debug)]
pub struct OutOfTime;

/// From now on this thread has so many seconds; None is all the time there is.
pub fn set(seconds: Option<f64>) {
    let end = |duration| Instant::now().checked_add(duration);
    DEADLINE.set(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok()).and_then(end));
}

#[inline]
pub fn is_over() -> bool {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// Unwinds the stack if the time of this thread is over.
#[inline]
pub fn check() {
    if is_over() {
        resume_unwind(Box::new(OutOfTime));
    }
}

/// Asks once in so many turns of a loop, each of which takes nearly no time.
#[derive(Default)]
pub struct Turns(u32);

const TURNS: u32 = 1024;

impl Turns {
    #[inline]
    pub fn next(&mut self) {
        self.0 += 1;
        if self.0.is_multiple_of(TURNS) {
            check();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::document;
    use crate::markup::{Markup, Mode, Names};

    #[test]
    fn a_page_ends_with_the_time_of_its_thread_and_not_before() {
        let blocks = || {
            let markup = Markup::new(Mode::Block, &Names { block: vec!["p".to_string()], ..Names::default() });
            document::of_text("<p>quay".repeat(10_000), &markup).page.len()
        };
        set(Some(0.0));
        let ended = catch_unwind(blocks);
        let elsewhere = std::thread::spawn(blocks).join();
        set(Some(f64::INFINITY));
        let in_time = catch_unwind(blocks);
        set(None);

        assert!(ended.is_err_and(|payload| payload.is::<OutOfTime>()));
        assert_eq!((elsewhere.unwrap(), in_time.unwrap()), (10_000, 10_000));
    }
}
