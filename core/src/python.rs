//! What Python sees, and nothing else. Only `joined.rs` knows PyO3 besides.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytemuck::allocation::pod_collect_to_vec;
use bytemuck::NoUninit;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyRuntimeError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::columns::{self, Plan};
use crate::deadline::{self, OutOfTime};
use crate::decode::{self, Chances, Decoding, Method};
use crate::document::{self, Document};
use crate::formats::markdown::{self, Switches};
use crate::formats::{html, main_html};
use crate::given::{self, Given};
use crate::html::attributes;
use crate::html::tags::NAMES;
use crate::kernels::Kernel;
use crate::markup::{self, Mode, Names, ROLES};
use crate::metadata::candidates::{Candidate, Candidates};
use crate::metadata::{dates, facts, systems};
use crate::names::Classes;
use crate::network::{self, Output, Workspace};
use crate::networks::Networks;
use crate::outline::whole::{Shares, Thresholds};
use crate::outline::{self, Layout, Nodes, Outline, Places};
use crate::page::Page;
use crate::selectors::Selector;
use crate::{blocks, chain, joined, numeric, omission, scopes, sniff, words};

/// The bytes of JSON that Python gets at once.
const PART_SIZE: usize = 1 << 16;

/// Runs without Python's lock; a panic is a bug, but ends the page and not the process.
fn apart<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let in_time = || {
        deadline::check();
        work()
    };
    py.allow_threads(|| catch_unwind(AssertUnwindSafe(in_time))).map_err(|panic| {
        if panic.is::<OutOfTime>() {
            return out_of_time();
        }
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        PyRuntimeError::new_err(format!("the core failed: {}", said.unwrap_or("unknown")))
    })
}

fn out_of_time() -> PyErr {
    PyTimeoutError::new_err("the time is over")
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

/// A value, its evidence, and the names of its features.
type ListedCandidate = (String, String, Vec<String>);

#[pyclass(frozen, module = "victorpy._core", name = "Document")]
struct PyDocument {
    document: Document,
    /// The source of which another parser has given the tree; the places of its elements are lines.
    given: Option<String>,
    places: OnceLock<Places>,
}

impl PyDocument {
    fn new(document: Document, given: Option<String>) -> Self {
        Self { document, given, places: OnceLock::new() }
    }

    fn page(&self) -> &Page {
        &self.document.page
    }

    fn parsed(&self) -> &str {
        self.given.as_ref().unwrap_or(&self.page().tree.source)
    }

    /// Where its elements stand, computed once.
    fn places_in_page(&self) -> &Places {
        self.places.get_or_init(|| Places::new(self.page()))
    }

    /// The bytes before the source. The places in a tree of another parser are no bytes.
    fn offset(&self) -> Option<usize> {
        self.given.is_none().then_some(self.document.wrapper.len())
    }

    /// The line of each kept element, from 1.
    fn lines(&self) -> Vec<u32> {
        let page = self.page();
        let place = |element: u32| page.tree.places[page.elements.origin[element as usize] as usize];
        if self.given.is_some() {
            return (0..page.elements.len() as u32).map(place).collect();
        }
        let first = 1 + self.document.wrapper.matches('\n').count() as u32;
        let mut starts = memchr::memchr_iter(b'\n', page.tree.source.as_bytes()).peekable();
        // Elements that were moved stand before what they come from: their places go back and forth.
        let mut order: Vec<u32> = (0..page.elements.len() as u32).collect();
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

fn check_labels(document: &Document, labels: &[u8]) -> PyResult<()> {
    if labels.len() != document.page.len() || labels.iter().any(|&label| label > decode::OTHER) {
        return Err(PyValueError::new_err("one label from 0 to 4 is needed for each block"));
    }
    Ok(())
}

/// As they lie in memory.
fn bytes_of<T: NoUninit>(py: Python<'_>, values: &[T]) -> Py<PyBytes> {
    PyBytes::new(py, bytemuck::cast_slice(values)).unbind()
}

fn texts<'py>(py: Python<'py>, texts: &[String]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, texts.iter().map(|text| PyString::new(py, text)))
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
        let (tree, origin) = (&self.page().tree, &self.page().elements.origin);
        PyList::new(py, origin.iter().map(|&origin| PyString::intern(py, tree.name(origin as usize))))
    }

    /// The value of an attribute for each element, None where it has none.
    fn attributes<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let (tree, origin) = (&self.page().tree, &self.page().elements.origin);
        let values: Vec<_> = origin.iter().map(|&origin| tree.attribute(origin as usize, name)).collect();
        PyList::new(py, values)
    }

    /// The values of all attributes of each element that has one of these tags, None for the others.
    fn attribute_values<'py>(&self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyList>> {
        let (tree, origin) = (&self.page().tree, &self.page().elements.origin);
        let values = origin.iter().map(|&origin| {
            let is_named = names.iter().any(|name| name == tree.name(origin as usize));
            is_named.then(|| attributes::of(tree, origin as usize).map(|one| one.value()).collect::<Vec<_>>())
        });
        PyList::new(py, values)
    }

    /// The words of short blocks in small letters, a NUL behind those of each; and the numbers of these blocks.
    fn short_words<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Py<PyBytes>)> {
        let (words, blocks) = words::listed_blocks(self.page());
        Ok((texts(py, &words)?, bytes_of(py, &blocks)))
    }

    /// The words of the distinct classes near to blocks in small letters, a NUL behind those of each; the numbers of the
    /// classes near to each block, level by level; and the words of the page.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Py<PyBytes>, Bound<'py, PyList>)> {
        let (near, levels, whole) = Classes::new(self.page()).listed();
        Ok((texts(py, &near)?, bytes_of(py, &levels), texts(py, &whole)?))
    }

    /// For every block the nearest element of these tags around it, -1 where there is none.
    fn enclosing(&self, py: Python<'_>, tags: Vec<String>, markup: &PyMarkup) -> Py<PyBytes> {
        let page = self.page();
        let codes: Vec<u16> = tags.iter().map(|tag| markup.0.code_of(tag)).filter(|&code| code > 0).collect();
        let nearest = page.elements.nearest(&codes);
        let found = |&element: &u32| nearest[element as usize].map_or(-1, |found| found as i32);
        bytes_of(py, &page.element.iter().map(found).collect::<Vec<i32>>())
    }

    /// For every block whether a selector selects it, and how many elements it selects.
    fn selected(&self, py: Python<'_>, selector: &PySelector) -> PyResult<(Py<PyBytes>, usize)> {
        let (blocks, count) = apart(py, || selector.0.blocks(self.page()))?;
        Ok((bytes_of(py, &blocks), count))
    }

    /// What the elements say that a selector selects.
    fn selected_values(&self, py: Python<'_>, selector: &PySelector) -> PyResult<Vec<String>> {
        apart(py, || selector.0.values(self.page()))
    }

    /// What the page says of itself: for each fact its name, its values and where it stands. `fields` has the field of each
    /// block by its place among `FIELDS`, from 1.
    #[pyo3(signature = (url, fields=None))]
    fn metadata(
        &self,
        py: Python<'_>,
        url: &str,
        fields: Option<&[u8]>,
    ) -> PyResult<Vec<(&'static str, Vec<String>, String)>> {
        let found = apart(py, || crate::metadata::metadata(self.page(), url, fields.unwrap_or(&[])))?;
        Ok(found.into_iter().map(|(name, known)| (name, known.values, known.evidence)).collect())
    }

    /// The number of the content management system that made the page, from 1; 0 if it is not known.
    fn content_system(&self, py: Python<'_>) -> PyResult<usize> {
        apart(py, || systems::system_of(&self.page().tree).map_or(0, |(number, _)| number))
    }

    /// The values that title, authors and date may have, with what speaks for and against each.
    fn metadata_candidates(&self, py: Python<'_>, url: &str) -> PyResult<Vec<Vec<ListedCandidate>>> {
        let page = self.page();
        let found = apart(py, || Candidates::new(page, &facts::facts(page), url, true))?;
        let listed = |all: Vec<Candidate>| {
            all.into_iter().map(|one| (one.value, one.evidence, one.features.names.unwrap_or_default())).collect()
        };
        Ok(vec![listed(found.titles), listed(found.authors), listed(found.dates)])
    }

    /// The document that these labels make of the page, a byte each (their places among the five); `url` is the address
    /// by which links are resolved. A `lead` is a heading in front of it, and `language` replaces that of the page.
    #[pyo3(signature = (labels, url=None, *, lead="", language=None))]
    fn outline(
        this: &Bound<'_, Self>,
        labels: &[u8],
        url: Option<&str>,
        lead: &str,
        language: Option<String>,
    ) -> PyResult<PyOutline> {
        let document = &this.get().document;
        check_labels(document, labels)?;
        let url = url.unwrap_or(&document.url);
        let mut outline = apart(this.py(), || outline::outline(&document.page, labels, url))?;
        outline.language = language.unwrap_or(outline.language);
        let outline = if lead.is_empty() { outline } else { outline.with_lead(lead) }.printable();
        let is_kept = labels.iter().map(|&label| label < decode::OTHER).collect();
        Ok(PyOutline { outline, document: this.clone().unbind(), is_kept, url: url.to_string() })
    }

    /// The XPath of the element around each group of blocks, and the bytes in the document's `source` as UTF-8.
    fn places(&self, py: Python<'_>, groups: Vec<Vec<usize>>) -> PyResult<Vec<outline::BlockPlace>> {
        let page = self.page();
        if groups.iter().flatten().any(|&block| block >= page.len()) {
            return Err(PyValueError::new_err("no such block"));
        }
        apart(py, || outline::block_places(page, self.places_in_page(), &groups, self.offset()))
    }

    /// Labels by which tables, lists and listings are kept or dropped as wholes.
    #[pyo3(signature = (labels, shares=None))]
    fn whole_structures(&self, py: Python<'_>, labels: &[u8], shares: Option<[f64; 6]>) -> PyResult<Py<PyBytes>> {
        check_labels(&self.document, labels)?;
        let pair = |keep, drop| Shares { keep, drop };
        let thresholds = shares.map_or(Thresholds::default(), |[a, b, c, d, e, f]| Thresholds {
            table: pair(a, b),
            list: pair(c, d),
            code: pair(e, f),
        });
        let labels = apart(py, || outline::whole::whole(self.page(), labels, &thresholds))?;
        Ok(PyBytes::new(py, &labels).unbind())
    }

    /// The page without parts of the texts of blocks, each a block with its first character and the one behind the last;
    /// and for each block that is left the block that it was.
    fn without(&self, py: Python<'_>, parts: Vec<(u32, u32, u32)>, markup: &PyMarkup) -> PyResult<(Self, Py<PyBytes>)> {
        let parts: Vec<_> = parts.into_iter().map(|(block, start, end)| omission::Part { block, start, end }).collect();
        let (page, origins) = apart(py, || omission::without(self.page(), &parts, &markup.0))?;
        let before = &self.document;
        let (wrapper, url, title, read) =
            (before.wrapper.clone(), before.url.clone(), before.title.clone(), before.read.clone());
        let document = Document { page, wrapper, url, title, read };
        Ok((Self::new(document, self.given.clone()), bytes_of(py, &origins)))
    }

    /// A column of elements, runs or blocks, as bytes.
    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyBytes>> {
        let page = self.page();
        let (elements, runs) = (&page.elements, &page.runs);
        Ok(match name {
            "codes" => bytes_of(py, &elements.codes),
            "roles" => bytes_of(py, &elements.roles),
            "parents" => bytes_of(py, &elements.parents),
            "depths" => bytes_of(py, &elements.depths),
            "ends" => bytes_of(py, &elements.ends),
            "lines" => bytes_of(py, &self.lines()),
            "run.element" => bytes_of(py, &runs.element),
            "run.place" => bytes_of(py, &runs.place),
            "run.block" => bytes_of(py, &runs.block),
            "run.start" => bytes_of(py, &runs.start),
            "lengths" => bytes_of(py, &page.lengths),
            "element" => bytes_of(py, &page.element),
            "first-runs" => bytes_of(py, &page.first_runs[..page.len()]),
            "is-spaced" => bytes_of(py, &page.is_spaced),
            "is-new-line" => bytes_of(py, &page.is_new_line),
            _ => return Err(PyKeyError::new_err(name.to_string())),
        })
    }
}

/// A CSS selector or a plain XPath; what cannot be read is a ValueError with the reason and the column.
#[pyclass(frozen, module = "victorpy._core", name = "Selector")]
struct PySelector(Selector);

#[pymethods]
impl PySelector {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Selector::new(text).map(Self).map_err(|found| PyValueError::new_err((found.reason, found.column)))
    }
}

/// A page with labels as a document.
#[pyclass(frozen, module = "victorpy._core", name = "Outline")]
struct PyOutline {
    outline: Outline,
    document: Py<PyDocument>,
    is_kept: Vec<bool>,
    url: String,
}

#[pymethods]
impl PyOutline {
    /// GitHub's Markdown, without some of what it can say.
    #[pyo3(signature = (without=Vec::new()))]
    fn markdown(&self, py: Python<'_>, without: Vec<String>) -> PyResult<String> {
        let switches = Switches::without(&without).map_err(PyValueError::new_err)?;
        apart(py, || markdown::markdown(&self.outline, &switches))
    }

    /// A small document of its own.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        apart(py, || html::html(&self.outline))
    }

    /// The elements of the page that hold anything kept, as a document.
    fn main_html(&self, py: Python<'_>) -> PyResult<String> {
        let page = self.document.get().page();
        apart(py, || {
            let html = main_html::main_html(page, &self.is_kept, &self.url, &self.outline.language);
            outline::printable(&html).into_owned()
        })
    }

    /// All nodes with their spans and places. Ranges are bytes of the document's `source` as UTF-8; there are none where
    /// another parser has read the page.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        apart(py, || outline::json(self.source()))
    }

    /// The nodes of that JSON in parts, so that nobody holds all of it; with a line for each of the outermost nodes.
    fn json_parts(this: Bound<'_, Self>, has_lines: bool) -> PyOutlineParts {
        PyOutlineParts { outline: this.unbind(), has_lines, nodes: Mutex::default() }
    }
}

impl PyOutline {
    fn source(&self) -> outline::Source<'_> {
        let document = self.document.get();
        let (page, places, offset) = (document.page(), document.places_in_page(), document.offset());
        outline::Source { outline: &self.outline, page, places, offset }
    }
}

#[pyclass(frozen, module = "victorpy._core", name = "OutlineParts")]
struct PyOutlineParts {
    outline: Py<PyOutline>,
    has_lines: bool,
    nodes: Mutex<Nodes>,
}

#[pymethods]
impl PyOutlineParts {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let outline = self.outline.get();
        let layout = if self.has_lines { &Layout::LINES } else { &Layout::DENSE };
        apart(py, || {
            let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
            nodes.part(outline.source(), layout, PART_SIZE)
        })
    }
}

/// Features by their names, a row each.
#[pyclass(frozen, module = "victorpy._core", name = "Plan")]
struct PyPlan(Plan);

#[pymethods]
impl PyPlan {
    #[new]
    fn new(names: Vec<String>) -> PyResult<Self> {
        plan(&names).map(Self)
    }

    /// The rows for the blocks of a page, one behind the other.
    fn matrix(&self, py: Python<'_>, document: &PyDocument) -> PyResult<Py<PyBytes>> {
        let page = document.page();
        let matrix = apart(py, || columns::matrix(page, &self.0))?;
        let size = matrix.blocks * size_of::<f32>();
        let bytes = PyBytes::new_with(py, matrix.rows * size, |bytes| {
            for (number, row) in bytes.chunks_exact_mut(size.max(1)).enumerate() {
                row.copy_from_slice(bytemuck::cast_slice(matrix.row(number)));
            }
            Ok(())
        })?;
        Ok(bytes.unbind())
    }
}

fn plan(names: &[String]) -> PyResult<Plan> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Plan::new(&names).map_err(PyKeyError::new_err)
}

/// How labels are chosen.
#[pyclass(frozen, module = "victorpy._core", name = "Decoding")]
struct PyDecoding(Decoding);

#[pymethods]
impl PyDecoding {
    #[new]
    #[pyo3(signature = (method, *, bias, temperature, prior_characters, least_probability, threshold, repeat_probability))]
    fn new(
        method: &str,
        bias: f64,
        temperature: f64,
        prior_characters: f64,
        least_probability: f64,
        threshold: f64,
        repeat_probability: f64,
    ) -> PyResult<Self> {
        let method = match method {
            "expected-f1" => Method::ExpectedF1,
            "threshold" => Method::Threshold,
            "likeliest" => Method::Likeliest,
            _ => return Err(PyValueError::new_err(format!("no such method: {method}"))),
        };
        Ok(Self(Decoding {
            method,
            bias,
            temperature,
            prior_characters,
            least_probability,
            threshold,
            repeat_probability,
        }))
    }

    /// The label of each block, by its place among the five, and its probability of being content, from the
    /// probabilities of the five.
    fn labels(&self, py: Python<'_>, document: &PyDocument, marginals: &[u8]) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
        if marginals.len() != document.page().len() * size_of::<Chances>() {
            return Err(PyValueError::new_err("as many probabilities as blocks are needed"));
        }
        let chances: Vec<Chances> = pod_collect_to_vec(marginals);
        let (labels, probabilities) = apart(py, || decode::labels(document.page(), &chances, &self.0))?;
        Ok((PyBytes::new(py, &labels).unbind(), bytes_of(py, &probabilities)))
    }
}

/// Networks whose chances are averaged, and the memory that threads use in turn.
#[pyclass(frozen, module = "victorpy._core", name = "Network")]
struct PyNetwork {
    networks: Networks,
    kernel: Kernel,
    workspaces: Mutex<Vec<Workspace>>,
}

impl PyNetwork {
    /// What they say of all blocks, from figures or from what the core computes of the page.
    fn said(&self, page: &Page, figures: Option<&[f32]>) -> Output {
        let taken = self.workspaces.lock().ok().and_then(|mut kept| kept.pop());
        let mut workspace = taken.unwrap_or_else(|| Workspace::new(self.kernel));
        let output = self.networks.output(page, figures, &mut workspace);
        if let Ok(mut kept) = self.workspaces.lock() {
            kept.push(workspace);
        }
        output
    }

    /// The same from the figures that Python gives, as bytes.
    fn said_by(&self, py: Python<'_>, document: &PyDocument, figures: Option<&[u8]>) -> PyResult<Output> {
        let page = document.page();
        let wanted = self.networks.features().len() * page.len();
        if figures.map_or(!self.networks.is_native(), |figures| figures.len() != wanted * size_of::<f32>()) {
            return Err(PyValueError::new_err(format!("{wanted} figures are needed")));
        }
        // Bytes may begin where no number does.
        let figures: Option<Vec<f32>> = figures.map(pod_collect_to_vec);
        apart(py, || self.said(page, figures.as_deref()))
    }
}

#[pymethods]
impl PyNetwork {
    /// From the file of a model's weights: those of each network begin with one of the prefixes.
    #[new]
    #[pyo3(signature = (file, prefixes=vec!["network-".to_string()], kernel=None, scope=scopes::AUTO))]
    fn new(file: &[u8], prefixes: Vec<String>, kernel: Option<&str>, scope: &str) -> PyResult<Self> {
        let networks = Networks::read(file, &prefixes, scope).map_err(PyValueError::new_err)?;
        let kernel = match kernel {
            None => Kernel::best(),
            Some(name) => Kernel::named(name).ok_or_else(|| PyValueError::new_err(format!("no kernel {name} here")))?,
        };
        Ok(Self { networks, kernel, workspaces: Mutex::new(Vec::new()) })
    }

    /// All that they take.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.networks.features().to_vec()
    }

    /// What they are computed with.
    #[getter]
    fn kernel(&self) -> &str {
        self.kernel.name()
    }

    /// Does the core compute all that they see?
    #[getter]
    fn is_native(&self) -> bool {
        self.networks.is_native()
    }

    /// The fields that they have learned, besides the labels.
    #[getter]
    fn fields(&self) -> Vec<String> {
        self.networks.fields().to_vec()
    }

    /// The probabilities of the five labels (block × label), from the figures of all features (feature × block) where
    /// these are given.
    #[pyo3(signature = (document, figures=None))]
    fn marginals(&self, py: Python<'_>, document: &PyDocument, figures: Option<&[u8]>) -> PyResult<Py<PyBytes>> {
        Ok(bytes_of(py, &self.said_by(py, document, figures)?.labels))
    }

    /// The same, and the likeliest field of each block by its place among `FIELDS`, from 1; 0 where none is likely.
    #[pyo3(signature = (document, figures=None))]
    fn marginals_and_fields(
        &self,
        py: Python<'_>,
        document: &PyDocument,
        figures: Option<&[u8]>,
    ) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
        let output = self.said_by(py, document, figures)?;
        Ok((bytes_of(py, &output.labels), PyBytes::new(py, &self.networks.chosen_fields(&output)).unbind()))
    }

    /// The label of each block, its probability of being content, and its field as above.
    fn labels(
        &self,
        py: Python<'_>,
        document: &PyDocument,
        decoding: &PyDecoding,
    ) -> PyResult<(Py<PyBytes>, Py<PyBytes>, Py<PyBytes>)> {
        let page = document.page();
        if !self.networks.is_native() {
            return Err(PyValueError::new_err("the core does not compute all features of this network"));
        }
        let decided = || {
            let output = self.said(page, None);
            (decode::labels(page, &output.labels, &decoding.0), self.networks.chosen_fields(&output))
        };
        let ((labels, probabilities), fields) = apart(py, decided)?;
        Ok((PyBytes::new(py, &labels).unbind(), bytes_of(py, &probabilities), PyBytes::new(py, &fields).unbind()))
    }
}

/// The page that these bytes hold.
#[pyfunction]
#[pyo3(signature = (data, charset, markup))]
fn of_bytes(py: Python<'_>, data: &[u8], charset: Option<&str>, markup: &PyMarkup) -> PyResult<PyDocument> {
    check_memory(data.len())?;
    let document = apart(py, || document::of_bytes(data, charset, &markup.0))?;
    Ok(PyDocument::new(document, None))
}

/// The page of this text, given as UTF-8.
#[pyfunction]
fn of_utf8(py: Python<'_>, data: &[u8], markup: &PyMarkup) -> PyResult<PyDocument> {
    check_memory(data.len())?;
    let document = apart(py, || document::of_text(String::from_utf8_lossy(data).into_owned(), &markup.0))?;
    Ok(PyDocument::new(document, None))
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
    let given = Some(document.parsed().to_string());
    Ok(PyDocument::new(Document { page, wrapper, url, title, read }, given))
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

/// The first date of a text, in ISO 8601 with the time where it has one.
#[pyfunction]
fn date_of(py: Python<'_>, text: &str) -> PyResult<Option<String>> {
    let found = apart(py, || dates::date_of(text, dates::Order::DayFirst))?;
    Ok(found.map(|date| format!("{}{}", date.day, date.time.unwrap_or_default())))
}

/// The probability of every label of every block, by scores and transitions: arrays of double precision.
#[pyfunction]
fn chain_marginals(py: Python<'_>, scores: &[u8], transitions: &[u8], labels: usize) -> PyResult<Py<PyBytes>> {
    let row = labels * size_of::<f64>();
    if labels == 0 || !scores.len().is_multiple_of(row) || transitions.len() != labels * row {
        return Err(PyValueError::new_err("scores of each label and transitions between all labels are needed"));
    }
    let (scores, transitions): (Vec<f64>, Vec<f64>) = (pod_collect_to_vec(scores), pod_collect_to_vec(transitions));
    let found = apart(py, || chain::marginals(&scores, &transitions, labels))?;
    Ok(bytes_of(py, &found))
}

/// e to the power of each number in an array of double precision.
#[pyfunction]
fn exponentials(py: Python<'_>, values: &[u8]) -> Py<PyBytes> {
    each(py, values, numeric::power_of_e)
}

/// The natural logarithm of each number in an array of double precision, all of them normal and over 0.
#[pyfunction]
fn logarithms(py: Python<'_>, values: &[u8]) -> Py<PyBytes> {
    each(py, values, numeric::logarithm)
}

fn each(py: Python<'_>, values: &[u8], function: fn(f64) -> f64) -> Py<PyBytes> {
    let values: Vec<f64> = pod_collect_to_vec(values);
    bytes_of(py, &values.into_iter().map(function).collect::<Vec<_>>())
}

#[pyfunction]
fn calibrated(probability: f64, scale: f64, shift: f64) -> f64 {
    numeric::calibrated(probability, scale, shift)
}

#[pyfunction]
fn is_binary(py: Python<'_>, data: &[u8]) -> PyResult<bool> {
    apart(py, || sniff::is_binary(data))
}

/// From now on this thread has so many seconds for all that it asks of the core, which then raises TimeoutError.
#[pyfunction]
#[pyo3(signature = (seconds))]
fn set_deadline(seconds: Option<f64>) {
    deadline::set(seconds);
}

/// Raises TimeoutError if that time is over: for loops in Python, which ask the core for little.
#[pyfunction]
fn check_deadline() -> PyResult<()> {
    if deadline::is_over() {
        return Err(out_of_time());
    }
    Ok(())
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
    module.add("MARKDOWN_PARTS", markdown::NAMES.to_vec())?;
    module.add("FIELDS", network::FIELDS.to_vec())?;
    module.add("COLUMNS", columns::names().collect::<Vec<_>>())?;
    module.add("KERNELS", Kernel::all().into_iter().map(Kernel::name).collect::<Vec<_>>())?;
    let systems = systems::SYSTEMS.iter().map(|system| (system.name, system.content));
    module.add("CONTENT_SYSTEMS", systems.collect::<Vec<_>>())?;
    module.add_class::<PyPlan>()?;
    module.add_class::<PyDecoding>()?;
    module.add_class::<PyNetwork>()?;
    module.add_class::<PyMarkup>()?;
    module.add_class::<PyDocument>()?;
    module.add_class::<PySelector>()?;
    module.add_class::<PyOutline>()?;
    module.add_function(wrap_pyfunction!(of_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(of_utf8, module)?)?;
    module.add_function(wrap_pyfunction!(of_elements, module)?)?;
    module.add_function(wrap_pyfunction!(set_deadline, module)?)?;
    module.add_function(wrap_pyfunction!(check_deadline, module)?)?;
    module.add_function(wrap_pyfunction!(exit_without_memory, module)?)?;
    module.add_function(wrap_pyfunction!(decoded, module)?)?;
    module.add_function(wrap_pyfunction!(joined::joined, module)?)?;
    module.add_function(wrap_pyfunction!(date_of, module)?)?;
    module.add_function(wrap_pyfunction!(chain_marginals, module)?)?;
    module.add_function(wrap_pyfunction!(exponentials, module)?)?;
    module.add_function(wrap_pyfunction!(logarithms, module)?)?;
    module.add_function(wrap_pyfunction!(calibrated, module)?)?;
    module.add_function(wrap_pyfunction!(is_binary, module)?)
}
