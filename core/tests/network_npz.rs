//! Files of arrays, as numpy writes them and broken.

use victor_core::npz::{self, Values};

/// `numpy.savez`, once and with `_compressed`, of one array of each kind; `network_kinds.py` wrote it.
const STORED: &[u8] = include_bytes!("network_stored.npz");
const DEFLATED: &[u8] = include_bytes!("network_deflated.npz");

#[test]
fn arrays_of_all_kinds_are_read() {
    for file in [STORED, DEFLATED] {
        let arrays = npz::read(file, "").unwrap();
        let wholes = |name: &str| match &arrays[name].values {
            Values::Wholes(wholes) => wholes.clone(),
            other => panic!("{other:?}"),
        };

        assert_eq!(arrays["f4"].values, Values::Singles(vec![0.5, -1.5, 2.0, 3.0, 4.0, 5.0]));
        assert_eq!(arrays["f4"].shape, [2, 3]);
        assert_eq!(arrays["f8"].values, Values::Doubles(vec![0.1, -1e300]));
        assert_eq!(wholes("i4"), [-1, i64::from(i32::MAX)]);
        assert_eq!(wholes("i8"), [i64::MIN, 7]);
        assert_eq!((wholes("u1"), wholes("i1")), (vec![0, 255], vec![-128, 127]));
        assert_eq!((wholes("u2"), wholes("i2")), (vec![0, 65535], vec![-32768, 1]));
        assert_eq!(arrays["texts"].values, Values::Texts(vec!["a".into(), "größer".into(), "这是".into()]));
        assert_eq!((&arrays["none"].shape[..], &arrays["none"].values), (&[0, 4][..], &Values::Singles(vec![])));
        assert_eq!((&arrays["one"].shape[..], &arrays["one"].values), (&[][..], &Values::Doubles(vec![3.0])));
    }
}

#[test]
fn only_arrays_of_the_prefix_are_read() {
    let mut names: Vec<String> = npz::read(STORED, "f").unwrap().into_keys().collect();
    names.sort();

    assert_eq!(names, ["4", "8"]);
}

#[test]
fn other_arrays_are_refused_with_a_message() {
    let message = |name: &str| npz::read(include_bytes!("network_refused.npz"), name).unwrap_err();

    assert!(message("fortran").starts_with("'fortran.npy': not understood: {'descr': '<f4', 'fortran_order': True"));
    assert!(message("complex").starts_with("'complex.npy': not understood: {'descr': '<c8'"));
    assert!(message("big").starts_with("'big.npy': not understood: {'descr': '>f4'"));
    assert!(message("fields").starts_with("'fields.npy': not understood: {'descr': [('a', '<f4')]"));
}

#[test]
fn what_is_no_file_of_arrays_is_refused() {
    assert_eq!(npz::read(b"", "").unwrap_err(), "not a zip file: too short");
    assert_eq!(npz::read(&[0; 1000], "").unwrap_err(), "not a zip file: it has no end");
}

#[test]
fn a_changed_byte_gives_a_message_or_other_arrays_but_no_panic() {
    for file in [STORED, DEFLATED] {
        for place in 0..file.len() {
            for change in [1, 0x80, 0xff] {
                let mut broken = file.to_vec();
                broken[place] ^= change;
                let _ = npz::read(&broken, "");
            }
        }
    }
}

#[test]
fn a_file_that_was_cut_off_gives_a_message() {
    for file in [STORED, DEFLATED] {
        for end in 0..file.len() {
            assert!(npz::read(&file[..end], "").is_err(), "after {end} bytes");
        }
    }
}

#[test]
fn contents_that_overlap_are_refused() {
    let copies = |count: u16| npz::read(&overlapping(count), "");

    assert_eq!(copies(2).unwrap().len(), 2);
    assert_eq!(copies(99).unwrap_err(), "more in its table than in the file");
}

/// A file whose table says many times, under other names, that it holds one and the same array.
fn overlapping(count: u16) -> Vec<u8> {
    let place = |bytes: &[u8]| STORED.windows(4).position(|found| found == bytes).unwrap();
    let table = place(b"PK\x01\x02");
    let line = &STORED[table..table + 46 + "f4.npy".len()];
    let lines: Vec<u8> =
        (0..count).flat_map(|number| [&line[..46], format!("{number:02}.npy").as_bytes()].concat()).collect();
    let mut end = STORED[place(b"PK\x05\x06")..].to_vec();
    end[10..12].copy_from_slice(&count.to_le_bytes());
    [&STORED[..table], &lines, &end].concat()
}

#[test]
fn sizes_that_no_file_could_fill_are_refused() {
    // The size of the first entry, in the table at the end.
    let table = DEFLATED.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let with_size = |size: u32| {
        let mut broken = DEFLATED.to_vec();
        broken[table + 24..table + 28].copy_from_slice(&size.to_le_bytes());
        npz::read(&broken, "").unwrap_err()
    };

    assert_eq!(with_size(u32::MAX), "arrays of more than 1073741824 bytes");
    assert!(with_size(1 << 29).contains("bytes cannot be packed 536870912 bytes"));
}
