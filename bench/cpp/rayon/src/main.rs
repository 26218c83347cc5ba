//! Rayon, measured as the C++ competitors are: fork-join by join(), the start of a loop with one
//! iteration per worker, and the CPU an idle pool uses. The definitions are those of
//! ../forkjoin/config.hpp and ../loop/config.hpp.

mod measure;

use measure::Options;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (left, right) = rayon::join(|| fib(n - 1), || fib(n - 2));
    left + right
}

fn spawns_of(n: u32) -> u64 {
    if n < 2 {
        0
    } else {
        1 + spawns_of(n - 1) + spawns_of(n - 2)
    }
}

fn forkjoin(options: &Options, pool: &rayon::ThreadPool) {
    let spawns = spawns_of(options.size) as f64;
    let once = || {
        let start = Instant::now();
        std::hint::black_box(pool.install(|| fib(std::hint::black_box(options.size))));
        start.elapsed().as_secs_f64() * 1e9 / spawns
    };
    once();
    let values = measure::collect(options, once);
    measure::print("spawn", "ns", options, values, &format!(",\"size\":{}", options.size));
}

#[repr(align(128))]
struct Padded(AtomicU64);

/// A counter cheap enough to stamp events 100 ns apart.
fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction has no preconditions.
    unsafe {
        core::arch::x86_64::_rdtsc()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        use std::sync::OnceLock;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }
}

fn ticks_per_second() -> f64 {
    let (start, first) = (Instant::now(), ticks());
    while start.elapsed() < Duration::from_millis(50) {}
    (ticks() - first) as f64 / start.elapsed().as_secs_f64()
}

/// Runs `body(each worker)` once on every worker, as far as stealing allows.
fn start_all(workers: usize, body: impl Fn(usize) + Sync + Send) {
    (0..workers).into_par_iter().with_max_len(1).for_each(body);
}

fn loop_start(options: &Options, pool: &rayon::ThreadPool) {
    let rate = ticks_per_second();
    let deadline = (0.02 * rate) as u64;
    let oversubscribed = options.threads > measure::cpus();
    let stamps: Vec<Padded> = (0..options.threads).map(|_| Padded(AtomicU64::new(0))).collect();
    let arrived = AtomicUsize::new(0);
    let mut missed = 0;
    // Inside the pool: the caller is then a worker itself, which is Rayon's cheapest way to start a
    // loop.
    let values = pool.install(|| {
        let once = || {
            arrived.store(0, Ordering::Relaxed); // published by the fork
            let call = ticks();
            start_all(options.threads, |index| {
                let now = ticks();
                stamps[index].0.store(now, Ordering::Relaxed); // published by `arrived`
                arrived.fetch_add(1, Ordering::Release);
                while arrived.load(Ordering::Acquire) < options.threads {
                    if ticks() - now > deadline {
                        return;
                    }
                    if oversubscribed {
                        std::thread::yield_now();
                    }
                }
            });
            stamps
                .iter()
                .map(|stamp| stamp.0.load(Ordering::Relaxed).saturating_sub(call))
                .max()
                .unwrap_or(0)
        };
        for _ in 0..100 {
            once();
        }
        measure::collect(options, || {
            if options.idle_us > 0 {
                let start = Instant::now();
                while start.elapsed() < Duration::from_micros(options.idle_us) {}
            }
            let took = once();
            if took > deadline {
                missed += 1;
            }
            took as f64 / rate * 1e9
        })
    });
    let name = if options.idle_us > 0 { "loop-start-idle" } else { "loop-start" };
    measure::print(name, "ns", options, values, &format!(",\"missed\":{missed}"));
}

/// CPU seconds of this process so far, from the kernel's own accounts (clock ticks of 10 ms).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or("");
    let fields: Vec<f64> =
        after.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    fields.get(11..13).map_or(0.0, |times| times.iter().sum::<f64>() / 100.0)
}

fn idle(options: &Options, pool: &rayon::ThreadPool) {
    pool.broadcast(|_| {});
    for (name, seconds) in [("idle-first", 0.1), ("idle", options.seconds.max(0.2))] {
        let (cpu, start) = (cpu_seconds(), Instant::now());
        std::thread::sleep(Duration::from_secs_f64(seconds));
        let percent = (cpu_seconds() - cpu) / start.elapsed().as_secs_f64() * 100.0;
        measure::print(name, "% CPU", options, vec![percent], "");
    }
}

fn main() {
    let options = Options::parse();
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.threads).build().expect("a pool");
    match options.what.as_str() {
        "forkjoin" => forkjoin(&options, &pool),
        "loop" => loop_start(&options, &pool),
        "idle" => idle(&options, &pool),
        other => {
            eprintln!("unknown measure {other}");
            std::process::exit(2);
        }
    }
}
