//! What Python sees, and nothing else: the only file that knows PyO3.

use std::panic::{catch_unwind, AssertUnwindSafe};

use pyo3::exceptions::{PyKeyError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::document::{self, Document};
use crate::given::{self, Given};
use crate::html::tags::NAMES;
use crate::markup::{self, Mode, Names, ROLES};
use crate::page::Page;
use crate::{blocks, sniff};

/// Runs without Python's lock; a panic is a bug, but ends the page and not the process.
fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.allow_threads(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        PyRuntimeError::new_err(format!("the core failed: {}", said.unwrap_or("unknown")))
    })
}

fn check_memory(size: usize) -> PyResult<()> {
    document::check_memory(size).map_err(|_| PyMemoryError::new_err("not enough memory for the page"))
}

#[pyclass(frozen, module = "victorpy._core", name = "Markup")]
struct PyMarkup(markup::Markup);

#[pymethods]
impl PyMarkup {
    #[new]
    #[pyo3(signature = (mode, *, others, deleted, apart, parting, block))]
    fn new(
        mode: &str,
        others: Vec<String>,
        deleted: Vec<String>,
        apart: Vec<String>,
        parting: Vec<String>,
        block: Vec<String>,
    ) -> PyResult<Self> {
        let mode = match mode {
            "victor" => Mode::Victor,
            "block" => Mode::Block,
            "line" => Mode::Line,
            _ => return Err(PyValueError::new_err(format!("no such mode: {mode}"))),
        };
        Ok(Self(markup::Markup::new(mode, &Names { others, deleted, apart, parting, block })))
    }
}

#[pyclass(frozen, module = "victorpy._core", name = "Document")]
struct PyDocument {
    document: Document,
    /// What another parser has given in place of the core's tree.
    given: Option<GivenSource>,
}

struct GivenSource {
    source: String,
    /// The line of each element; else lines are counted in the source.
    lines: Vec<u32>,
}

impl PyDocument {
    fn page(&self) -> &Page {
        &self.document.page
    }

    fn parsed(&self) -> &str {
        self.given.as_ref().map_or(&self.page().tree.source, |given| &given.source)
    }

    /// The line of each kept element, from 1.
    fn lines(&self) -> Vec<u32> {
        let page = self.page();
        if let Some(given) = &self.given {
            return page.elements.origin.iter().map(|&origin| given.lines[origin as usize]).collect();
        }
        let first = 1 + self.document.wrapper.matches('\n').count() as u32;
        let mut starts = memchr::memchr_iter(b'\n', page.tree.source.as_bytes()).peekable();
        // Elements that were moved stand before what they come from: their places go back and forth.
        let mut order: Vec<u32> = (0..page.elements.len() as u32).collect();
        let place = |element: u32| page.tree.places[page.elements.origin[element as usize] as usize];
        order.sort_by_key(|&element| place(element));
        let (mut lines, mut line) = (vec![0; order.len()], first);
        for element in order {
            while starts.next_if(|&start| start < place(element) as usize).is_some() {
                line += 1;
            }
            lines[element as usize] = line;
        }
        lines
    }
}

fn bytes_of<const N: usize, T: Copy>(py: Python<'_>, values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Py<PyBytes> {
    let flat: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
    PyBytes::new(py, &flat).unbind()
}

fn numbers(py: Python<'_>, values: &[u32]) -> Py<PyBytes> {
    bytes_of(py, values, u32::to_ne_bytes)
}

fn flags(py: Python<'_>, values: &[bool]) -> Py<PyBytes> {
    bytes_of(py, values, |value| [u8::from(value)])
}

#[pymethods]
impl PyDocument {
    /// How many blocks there are.
    fn __len__(&self) -> usize {
        self.page().len()
    }

    #[getter]
    fn encoding(&self) -> &str {
        self.document.read.as_ref().map_or("", |read| read.encoding)
    }

    #[getter]
    fn origin(&self) -> &str {
        self.document.read.as_ref().map_or("text", |read| read.origin.as_str())
    }

    #[getter]
    fn replaced(&self) -> usize {
        self.document.read.as_ref().map_or(0, |read| read.replaced)
    }

    #[getter]
    fn url(&self) -> &str {
        &self.document.url
    }

    #[getter]
    fn title(&self) -> &str {
        &self.document.title
    }

    /// The text that was parsed, with the wrapper in front of it.
    #[getter]
    fn source(&self) -> String {
        format!("{}{}", self.document.wrapper, self.parsed())
    }

    /// The text that was parsed, without the wrapper.
    #[getter(parsed)]
    fn get_parsed(&self) -> &str {
        self.parsed()
    }

    /// Is there nothing in the page at all?
    #[getter]
    fn is_blank(&self) -> bool {
        self.document.wrapper.is_empty() && self.parsed().trim().is_empty()
    }

    /// The text of each block.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let page = self.page();
        PyList::new(py, (0..page.len()).map(|number| PyString::new(py, page.block(number))))
    }

    /// The text of one block.
    fn text(&self, number: usize) -> PyResult<&str> {
        let page = self.page();
        if number < page.len() {
            Ok(page.block(number))
        } else {
            Err(PyValueError::new_err("no such block"))
        }
    }

    /// The name of each element.
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let page = self.page();
        let (tree, origin) = (&page.tree, &page.elements.origin);
        PyList::new(py, origin.iter().map(|&origin| PyString::intern(py, tree.name(origin as usize))))
    }

    /// The value of an attribute for each element, None where it has none.
    fn attributes<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let page = self.page();
        let (tree, origin) = (&page.tree, &page.elements.origin);
        let values: Vec<_> = origin.iter().map(|&origin| tree.attribute(origin as usize, name)).collect();
        PyList::new(py, values)
    }

    /// For every block the nearest element of these tags around it, -1 where there is none.
    fn enclosing(&self, py: Python<'_>, tags: Vec<String>, markup: &PyMarkup) -> Py<PyBytes> {
        let page = self.page();
        let codes: Vec<u16> = tags.iter().map(|tag| markup.0.code_of(tag)).filter(|&code| code > 0).collect();
        let nearest = page.elements.nearest(&codes);
        bytes_of(py, &page.element, |element| nearest[element as usize].map_or(-1, |found| found as i32).to_ne_bytes())
    }

    /// A column of elements, runs or blocks, as bytes.
    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyBytes>> {
        let page = self.page();
        let (elements, runs) = (&page.elements, &page.runs);
        Ok(match name {
            "codes" => bytes_of(py, &elements.codes, u16::to_ne_bytes),
            "roles" => bytes_of(py, &elements.roles, u8::to_ne_bytes),
            "parents" => numbers(py, &elements.parents),
            "depths" => numbers(py, &elements.depths),
            "ends" => numbers(py, &elements.ends),
            "lines" => numbers(py, &self.lines()),
            "run.element" => numbers(py, &runs.element),
            "run.place" => numbers(py, &runs.place),
            "run.block" => numbers(py, &runs.block),
            "run.start" => numbers(py, &runs.start),
            "lengths" => numbers(py, &page.lengths),
            "element" => numbers(py, &page.element),
            "first-runs" => numbers(py, &page.first_runs[..page.len()]),
            "is-spaced" => flags(py, &page.is_spaced),
            "is-new-line" => flags(py, &page.is_new_line),
            _ => return Err(PyKeyError::new_err(name.to_string())),
        })
    }
}

/// The page that these bytes hold.
#[pyfunction]
#[pyo3(signature = (data, charset, markup))]
fn of_bytes(py: Python<'_>, data: &[u8], charset: Option<&str>, markup: &PyMarkup) -> PyResult<PyDocument> {
    check_memory(data.len())?;
    let document = apart(py, || document::of_bytes(data, charset, &markup.0))?;
    Ok(PyDocument { document, given: None })
}

/// The page of this text, given as UTF-8.
#[pyfunction]
fn of_utf8(py: Python<'_>, data: &[u8], markup: &PyMarkup) -> PyResult<PyDocument> {
    check_memory(data.len())?;
    let document = apart(py, || document::of_text(String::from_utf8_lossy(data).into_owned(), &markup.0))?;
    Ok(PyDocument { document, given: None })
}

type GivenElement = (String, u32, u32, String, String, Vec<(String, String)>);

/// The same page by a tree that another parser has made of its source: of each element the tag, the number of its
/// children, its line, the text inside and behind it, and its attributes.
#[pyfunction]
fn of_elements(
    py: Python<'_>,
    document: &PyDocument,
    elements: Vec<GivenElement>,
    title: String,
    markup: &PyMarkup,
) -> PyResult<PyDocument> {
    let mut page = apart(py, || blocks::cut(given::tree(&given_elements(&elements)), &markup.0))?;
    let before = &document.document;
    page.title = if title.is_empty() { before.title.clone() } else { title };
    let (wrapper, url, title, read) =
        (before.wrapper.clone(), before.url.clone(), page.title.clone(), before.read.clone());
    let given = GivenSource {
        source: document.parsed().to_string(),
        lines: elements.iter().map(|element| element.2).collect(),
    };
    Ok(PyDocument { document: Document { page, wrapper, url, title, read }, given: Some(given) })
}

fn given_elements(elements: &[GivenElement]) -> Vec<Given<'_>> {
    elements.iter().map(given_element).collect()
}

fn given_element((name, children, line, text, tail, attributes): &GivenElement) -> Given<'_> {
    let attributes = attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Given { name, children: *children, line: *line, text, tail, attributes }
}

/// The text that bytes hold: with the encoding, where that is from, and how many characters were replaced.
#[pyfunction]
#[pyo3(signature = (data, charset=None))]
fn decoded(py: Python<'_>, data: &[u8], charset: Option<&str>) -> PyResult<(String, &'static str, String, usize)> {
    let decoded = apart(py, || sniff::decode(data, charset))?;
    Ok((decoded.text, decoded.encoding, decoded.origin.as_str().to_string(), decoded.replaced))
}

#[pyfunction]
fn is_binary(py: Python<'_>, data: &[u8]) -> PyResult<bool> {
    apart(py, || sniff::is_binary(data))
}

/// From now on a process that has no memory left ends with this status.
#[pyfunction]
fn exit_without_memory(status: i32) {
    crate::memory::exit_with(status);
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("TAGS", NAMES.to_vec())?;
    module.add("ROLES", ROLES.to_vec())?;
    module.add_class::<PyMarkup>()?;
    module.add_class::<PyDocument>()?;
    module.add_function(wrap_pyfunction!(of_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(of_utf8, module)?)?;
    module.add_function(wrap_pyfunction!(of_elements, module)?)?;
    module.add_function(wrap_pyfunction!(exit_without_memory, module)?)?;
    module.add_function(wrap_pyfunction!(decoded, module)?)?;
    module.add_function(wrap_pyfunction!(is_binary, module)?)
}
