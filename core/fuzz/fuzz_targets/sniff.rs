//! Any bytes become text, whatever is said of their encoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use victor_core::sniff;

fuzz_target!(|data: &[u8]| {
    let said = data.first().map(|&first| ["utf-8", "gbk", "iso-2022-jp", "utf-16", "nonsense"][first as usize % 5]);
    sniff::is_binary(data);
    for charset in [None, said] {
        let decoded = sniff::decode(data, charset);
        assert!(decoded.text.len() <= 4 * data.len() + 8);
    }
});
