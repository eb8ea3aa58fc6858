//! How long each step takes from the bytes of a page to its labels: `page_speed WEIGHTS.npz FOLDER [COUNT]`, in
//! milliseconds a page: of the first pages of a folder, for each page and step the best of five rounds.

use std::time::Instant;

use victor_core::blocks;
use victor_core::columns::{Columns, Plan};
use victor_core::decode::{self, Decoding};
use victor_core::html::{self, Options};
use victor_core::kernels::Kernel;
use victor_core::markup::{Markup, Mode, Names};
use victor_core::network::{Figures, Network, Workspace};
use victor_core::npz;
use victor_core::sniff;

const ROUNDS: usize = 5;
const STEPS: [&str; 7] = ["decode", "parse", "cut", "columns", "words", "network", "labels"];

type Times = [f64; STEPS.len()];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [weights, folder] = &arguments[..2] else { return Err("usage: page_speed WEIGHTS.npz FOLDER [COUNT]".into()) };
    let count = arguments.get(2).map_or(Ok(250), |count| count.parse())?;
    let network = Network::new(&npz::read(&std::fs::read(weights)?, "network-")?)?;
    let features: Vec<&str> = network.features().iter().map(String::as_str).collect();
    let cleaner = Cleaner { plan: Plan::new(&features)?, network, markup: markup() };
    let pages = pages(folder, count)?;
    let mut best = vec![[f64::INFINITY; STEPS.len()]; pages.len()];
    let mut workspace = Workspace::new(Kernel::best());
    for _ in 0..ROUNDS {
        for (page, best) in pages.iter().zip(&mut best) {
            let times = cleaner.clean(page, &mut workspace);
            best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
        }
    }
    // The best of each page, so that it does not matter much what else the machine does.
    let best: Times = std::array::from_fn(|step| best.iter().map(|times| times[step]).sum());
    for (step, time) in STEPS.iter().zip(best) {
        println!("{step:8} {:.4}", 1e3 * time / pages.len() as f64);
    }
    println!("{:8} {:.4} ms a page, {} pages", "all", 1e3 * best.iter().sum::<f64>() / pages.len() as f64, pages.len());
    Ok(())
}

fn pages(folder: &str, count: usize) -> std::io::Result<Vec<Vec<u8>>> {
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().take(count).map(std::fs::read).collect()
}

struct Cleaner {
    markup: Markup,
    plan: Plan,
    network: Network,
}

impl Cleaner {
    fn clean(&self, bytes: &[u8], workspace: &mut Workspace) -> Times {
        let mut times = Times::default();
        let mut begin = Instant::now();
        let mut step = 0;
        let mut is_over = || {
            times[step] += begin.elapsed().as_secs_f64();
            (step, begin) = (step + 1, Instant::now());
        };
        let text = sniff::decode(bytes, None).text;
        is_over();
        let tree = html::parse(text, Options { repairs: true });
        is_over();
        let page = blocks::cut(tree, &self.markup);
        is_over();
        let matrix = Columns::new(&page, &self.plan).matrix(0..page.len());
        is_over();
        let words = self.network.words(&page);
        is_over();
        let figures = Figures::Given { values: &matrix.data, stride: matrix.stride, blocks: page.len() };
        let chances = self.network.output(figures, &page.lengths, &words, workspace).labels;
        is_over();
        std::hint::black_box(decode::labels(&page, &chances, &Decoding::default()));
        is_over();
        times
    }
}

/// That of the model `web`, roughly.
fn markup() -> Markup {
    let words = |text: &str| text.split(' ').map(String::from).collect();
    let names = Names {
        others: Vec::new(),
        deleted: words("embed frame iframe noembed noframes script style svg template title"),
        apart: words("a abbr button cite img input label select small span time"),
        parting: words("br hr img input select button textarea object video audio canvas iframe"),
        block: words(
            "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt \
             fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex \
             legend li main menu nav noscript ol optgroup option p pre search section select summary table tbody td \
             textarea tfoot th thead title tr ul",
        ),
    };
    Markup::new(Mode::Line, &names)
}
