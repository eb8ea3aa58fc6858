//! What several targets share: how pages are cut, and what holds for every page.

use std::sync::OnceLock;

use victor_core::markup::{Markup, Mode, Names};
use victor_core::page::{Elements, Page};

/// The three modes, with the tags of victorpy/markup.py and one more that the table does not know.
pub fn markups() -> &'static [Markup; 3] {
    static MARKUPS: OnceLock<[Markup; 3]> = OnceLock::new();
    MARKUPS.get_or_init(|| [Mode::Victor, Mode::Block, Mode::Line].map(|mode| Markup::new(mode, &names())))
}

fn names() -> Names {
    let [others, deleted, apart, parting, block] = [OTHERS, DELETED, APART, PARTING, BLOCK]
        .map(|names| names.split_whitespace().map(String::from).collect::<Vec<_>>());
    Names { others, deleted, apart, parting: [parting, block.clone()].concat(), block }
}

const OTHERS: &str = "isindex x-note";
const DELETED: &str =
    "applet audio canvas embed frame iframe noembed noframes object script style svg template title video \
    x-note";
const APART: &str = "a abbr button cite img input label select small span time";
const PARTING: &str = "br hr img input select button textarea object video audio canvas iframe";
const BLOCK: &str = "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt \
    fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex legend li main \
    menu nav noscript ol optgroup option p pre search section select summary table tbody td textarea tfoot th thead title \
    tr ul";

/// Panics where the columns of a page contradict one another.
pub fn check_page(page: &Page) {
    check_elements(&page.elements, page.tree.len());
    check_blocks(page);
    check_runs(page);
}

fn check_elements(elements: &Elements, all: usize) {
    let count = elements.len();
    assert!(count > 0 && elements.ends[0] as usize == count);
    assert!([elements.origin.len(), elements.parents.len(), elements.depths.len()] == [count; 3]);
    assert!([elements.ends.len(), elements.roles.len()] == [count; 2]);
    assert!(elements.origin[0] == 0 && elements.origin.windows(2).all(|pair| pair[0] < pair[1]));
    assert!((elements.origin[count - 1] as usize) < all);
    for element in 1..count {
        let parent = elements.parents[element] as usize;
        assert!(parent < element && elements.ends[element] as usize > element);
        assert!(elements.ends[element] <= elements.ends[parent]);
        assert_eq!(elements.depths[element], elements.depths[parent] + 1);
    }
}

fn check_blocks(page: &Page) {
    let count = page.len();
    assert!([page.ends.len(), page.lengths.len(), page.element.len()] == [count; 3]);
    assert!([page.is_spaced.len(), page.is_new_line.len(), page.first_runs.len()] == [count, count, count + 1]);
    let mut behind = 0;
    for block in 0..count {
        let text = page.block(block);
        // One line end stands before, between and behind the blocks.
        assert_eq!(&page.text[behind..page.begins[block] as usize], "\n");
        assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
        assert_eq!(page.lengths[block] as usize, text.chars().count());
        assert!(page.first_runs[block] < page.first_runs[block + 1]);
        assert!((page.element[block] as usize) < page.elements.len());
        behind = page.ends[block] as usize;
    }
    assert_eq!(&page.text[behind..], "\n");
}

fn check_runs(page: &Page) {
    let (runs, count) = (&page.runs, page.runs.element.len());
    assert!([runs.place.len(), runs.block.len(), runs.start.len(), runs.begin.len()] == [count; 4]);
    assert_eq!((page.first_runs[0], page.first_runs[page.len()] as usize), (0, count));
    for run in 0..count {
        let (block, element) = (runs.block[run] as usize, runs.element[run] as usize);
        assert!((page.first_runs[block]..page.first_runs[block + 1]).contains(&(run as u32)));
        assert!((page.begins[block]..page.ends[block]).contains(&runs.begin[run]));
        let before = &page.text[page.begins[block] as usize..runs.begin[run] as usize];
        assert_eq!(runs.start[run] as usize, before.chars().count());
        assert!((page.elements.opening(element) + 1..=page.elements.closing(element)).contains(&runs.place[run]));
        let common = page.element[block] as usize;
        assert!((common..page.elements.ends[common] as usize).contains(&element));
    }
    for run in 1..count {
        // Only lines of a <pre> share a place, and then also the element.
        assert!(runs.place[run - 1] <= runs.place[run] && runs.begin[run - 1] < runs.begin[run]);
        assert!(runs.place[run - 1] < runs.place[run] || runs.element[run - 1] == runs.element[run]);
    }
}
