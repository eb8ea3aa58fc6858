//! How long a network takes for a page: `network_time weights.npz [blocks] [rounds] [kernel]`, on figures that vary at random.

use std::time::Instant;

use victor_core::kernels::Kernel;
use victor_core::lexicon::Words;
use victor_core::network::{Figures, Network, Workspace};
use victor_core::npz;
use victor_core::scopes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let blocks = arguments.get(1).map_or(Ok(325), |blocks| blocks.parse())?;
    let rounds = arguments.get(2).map_or(Ok(1000), |rounds| rounds.parse())?;
    let file = std::fs::read(&arguments[0])?;
    let begin = Instant::now();
    let network = Network::new(&scopes::folded(npz::read(&file, "network-")?, scopes::AUTO)?)?;
    println!("loaded in {:?}", begin.elapsed());
    let rows = network.features().len();
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 1e6
    };
    let values: Vec<f32> = (0..rows * blocks).map(|_| random()).collect();
    let figures = || Figures::Given { values: &values, stride: blocks, blocks };
    let lengths: Vec<u32> = (0..blocks).map(|_| (random() * 50.0) as u32).collect();
    let chosen = arguments.get(3).map(|name| Kernel::named(name).ok_or("this CPU has no such kernel")).transpose()?;
    for kernel in chosen.map_or_else(Kernel::all, |kernel| vec![kernel]) {
        let mut workspace = Workspace::new(kernel);
        let mut times: Vec<u128> = (0..rounds)
            .map(|_| {
                let begin = Instant::now();
                std::hint::black_box(network.output(figures(), &lengths, &Words::default(), &mut workspace));
                begin.elapsed().as_nanos()
            })
            .collect();
        times.sort_unstable();
        println!("{:>8}: {:.1} µs (least {:.1})", kernel.name(), times[rounds / 2] as f64 / 1e3, times[0] as f64 / 1e3);
    }
    Ok(())
}
