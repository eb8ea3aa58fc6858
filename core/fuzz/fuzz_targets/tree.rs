//! Any text becomes a tree whose columns agree with one another.
#![no_main]

use libfuzzer_sys::fuzz_target;
use victor_core::html::{parse, Options};
use victor_core::tree::Tree;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).into_owned();
    for repairs in [false, true] {
        check(&parse(text.clone(), Options { repairs }));
    }
});

fn check(tree: &Tree) {
    let count = tree.len();
    assert!(count > 0 && tree.ends[0] as usize == count);
    for element in 1..count {
        let parent = tree.parents[element] as usize;
        assert!(parent < element && tree.ends[element] as usize > element);
        assert!(tree.ends[element] <= tree.ends[parent]);
        assert_eq!(tree.depths[element], tree.depths[parent] + 1);
        assert!(tree.places[element] as usize <= tree.source.len());
        tree.name(element);
        tree.attribute(element, "class");
    }
    let mut before = 0;
    for text in &tree.texts {
        assert!(text.place >= before && text.place < 2 * count as u32);
        before = text.place;
        let element = text.element as usize;
        assert!(text.place > 2 * text.element - tree.depths[element]);
        assert!(text.place < 2 * tree.ends[element] - tree.depths[element]);
        assert!(text.span.start <= text.span.end);
        tree.text(text);
    }
}
