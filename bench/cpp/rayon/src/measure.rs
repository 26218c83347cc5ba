//! measure.h again, for Rust: options, samples, and the one JSON line per measure.

use std::time::Instant;

pub struct Options {
    pub threads: usize,
    pub seconds: f64,
    pub min_samples: usize,
    pub max_seconds: f64,
    pub idle_us: u64,
    pub size: u32,
    pub sized: bool,
    pub what: String,
    pub variant: String,
    pub file: String,
    pub scale: u32,
}

impl Options {
    /// Exits with 2 on anything unknown, as the C programs do.
    pub fn parse() -> Options {
        let mut options = Options {
            threads: cpus(),
            seconds: 0.5,
            min_samples: 5,
            max_seconds: 0.0,
            idle_us: 0,
            size: 30,
            sized: false,
            what: String::from("forkjoin"),
            variant: String::new(),
            file: String::new(),
            scale: 1,
        };
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        for pair in arguments.chunks(2) {
            let known = pair.len() == 2
                && match pair[0].as_str() {
                    "--threads" => set(&mut options.threads, &pair[1]),
                    "--seconds" => set(&mut options.seconds, &pair[1]),
                    "--min-samples" => set(&mut options.min_samples, &pair[1]),
                    "--max-seconds" => set(&mut options.max_seconds, &pair[1]),
                    "--idle-us" => set(&mut options.idle_us, &pair[1]),
                    "--size" => {
                        options.sized = true;
                        set(&mut options.size, &pair[1])
                    }
                    "--variant" => set(&mut options.variant, &pair[1]),
                    "--file" => set(&mut options.file, &pair[1]),
                    "--scale" => set(&mut options.scale, &pair[1]),
                    "--what" => set(&mut options.what, &pair[1]),
                    _ => false,
                };
            if !known {
                eprintln!("usage: [--what forkjoin|loop|idle] [--threads N] [--seconds S] ...");
                std::process::exit(2);
            }
        }
        if options.max_seconds <= 0.0 {
            options.max_seconds = 6.0 * options.seconds;
        }
        options
    }
}

fn set<T: std::str::FromStr>(place: &mut T, text: &str) -> bool {
    match text.parse() {
        Ok(value) => {
            *place = value;
            true
        }
        Err(_) => false,
    }
}

pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let position = fraction * (sorted.len() - 1) as f64;
    let below = position as usize;
    if below + 1 >= sorted.len() {
        return sorted[sorted.len() - 1];
    }
    sorted[below] + (position - below as f64) * (sorted[below + 1] - sorted[below])
}

/// Prints one measure; `extra` is "" or more JSON members, each preceded by a comma.
pub fn print(name: &str, unit: &str, options: &Options, mut values: Vec<f64>, extra: &str) {
    values.sort_by(f64::total_cmp);
    println!(
        "{{\"measure\":\"{}\",\"threads\":{},\"unit\":\"{}\",\"median\":{},\"min\":{},\"p90\":{},\"samples\":{},\"batch\":1,\"library\":\"rayon\"{}}}",
        name,
        options.threads,
        unit,
        quantile(&values, 0.5),
        values[0],
        quantile(&values, 0.9),
        values.len(),
        extra
    );
}

/// Calls `sample` (which returns a value in the measure's unit) until the time is used up.
pub fn collect(options: &Options, mut sample: impl FnMut() -> f64) -> Vec<f64> {
    let mut values = Vec::new();
    let start = Instant::now();
    loop {
        values.push(sample());
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= options.max_seconds || values.len() >= 1_000_000 {
            return values;
        }
        if elapsed >= options.seconds && values.len() >= options.min_samples {
            return values;
        }
    }
}
