//! Joins the pieces of a long text for Python, without a second copy of it.

use pyo3::ffi::PyUnicode_Append;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The pieces as one text, which grows in place. `join` holds all of it twice, and so does `+=` in a loop while a debugger
/// or a measurement of coverage traces the program.
#[pyfunction]
pub fn joined<'py>(pieces: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut text = PyString::new(pieces.py(), "").into_any();
    for piece in pieces.try_iter()? {
        text = longer(text, piece?.downcast::<PyString>()?)?;
    }
    Ok(text)
}

fn longer<'py>(text: Bound<'py, PyAny>, piece: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let mut place = text.into_ptr();
    // The call takes the reference that `place` owns, and leaves there one to the longer text, or null and an error.
    unsafe {
        PyUnicode_Append(&mut place, piece.as_ptr());
        Bound::from_owned_ptr_or_err(py, place)
    }
}
