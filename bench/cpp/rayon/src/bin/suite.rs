//! Rayon in the loop suite: the benchmarks of bench/suite with Rayon's parallel iterators. The work
//! itself is the C functions that all competitors call, but for the scan.
//!
//! Variants: "adaptive", Rayon's own splitting, and "single", down to one iteration a task.

#[path = "../suite/loops.rs"]
mod loops;
#[path = "../measure.rs"]
mod measure;
#[path = "../suite/nested.rs"]
mod nested;
#[path = "../suite/problems.rs"]
mod problems;
#[path = "../suite/scan.rs"]
mod scan;
#[path = "../suite/session.rs"]
mod session;

use measure::Options;
use session::Suite;

fn main() {
    let options = Options::parse();
    let single = match options.variant.as_str() {
        "adaptive" => false,
        "single" => true,
        other => {
            eprintln!("--variant must be adaptive or single, not {other}");
            std::process::exit(2);
        }
    };
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.threads).build().expect("a pool");
    let suite = Suite { options, single };
    pool.install(|| {
        suite.warm_up();
        match suite.options.what.as_str() {
            "spmv-balanced" => suite.spmv(0),
            "spmv-triangle" => suite.spmv(1),
            "spmv-hyperbolic" => suite.spmv(2),
            "rows-alike" => suite.rows(0),
            "rows-falling" => suite.rows(1),
            "reduce" => suite.reduce(),
            "blocks" => suite.blocks(),
            "scan" => suite.scan(),
            "mmultiply" => suite.mmultiply(),
            "inner" => suite.inner(),
            "mtranspose" => suite.mtranspose(),
            "fib" => suite.fib(),
            "tree" => suite.tree(),
            "matrix" => suite.matrix(),
            "mandelbrot" => suite.mandelbrot(),
            "nbody" => suite.nbody(),
            "wavefront" => suite.wavefront(),
            other => {
                eprintln!("Rayon does not run {other}");
                std::process::exit(2);
            }
        }
    });
}
