//! One run of the program: its options, its loops, and how an operation is checked and measured.

use crate::measure::{self, Options};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

pub struct Suite {
    pub options: Options,
    pub single: bool,
}

impl Suite {
    pub fn each(&self, count: i64, body: impl Fn(i64) + Sync + Send) {
        if self.single {
            (0..count as usize).into_par_iter().with_max_len(1).for_each(|i| body(i as i64));
        } else {
            (0..count as usize).into_par_iter().for_each(|i| body(i as i64));
        }
    }

    pub fn warm_up(&self) {
        for _ in 0..5 {
            let started = AtomicUsize::new(0);
            self.each(self.options.threads as i64, |_| {
                let start = Instant::now();
                started.fetch_add(1, Ordering::Relaxed); // only counted
                while started.load(Ordering::Relaxed) < self.options.threads
                    && start.elapsed().as_millis() < 20
                {
                    std::thread::yield_now();
                }
            });
        }
    }

    pub fn sizes(&self, few: &[i64], usual: &[i64], all: &[i64]) -> Vec<i64> {
        match self.options.scale {
            _ if self.options.size > 0 && self.options.sized => vec![self.options.size.into()],
            0 => few.to_vec(),
            1 => usual.to_vec(),
            _ => all.to_vec(),
        }
    }

    /// Microseconds per operation.
    pub fn sample(&self, size: i64, operation: impl Fn()) {
        self.sample_as(size, "us", 1e6, operation);
    }

    /// Batches of operations that take at least 100 us, as measure_run() of measure.h does.
    pub fn sample_as(&self, size: i64, unit: &str, scale: f64, operation: impl Fn()) {
        let timed = |batch: u64| {
            let start = Instant::now();
            for _ in 0..batch {
                operation();
            }
            start.elapsed().as_secs_f64()
        };
        let (mut batch, mut long_samples, start) = (1, 0, Instant::now());
        while long_samples < 3 || start.elapsed().as_secs_f64() < self.options.seconds * 0.1 {
            if timed(batch) >= 100e-6 {
                long_samples += 1;
                if start.elapsed().as_secs_f64() > self.options.seconds {
                    break;
                }
            } else {
                long_samples = 0;
                batch *= 2;
            }
        }
        let values = measure::collect(&self.options, || timed(batch) / batch as f64 * scale);
        let name = format!("{}/{}", self.options.what, size);
        measure::print(
            &name,
            unit,
            &self.options,
            values,
            &format!(",\"size\":{size},\"verified\":true"),
        );
    }

    pub fn verify(&self, right: bool) {
        if !right {
            eprintln!("{} {}: wrong result", self.options.what, self.options.variant);
            std::process::exit(1);
        }
    }

    pub fn checked(
        &self,
        size: i64,
        operation: impl Fn(),
        forget: impl Fn(),
        right: impl Fn() -> bool,
    ) {
        for last in [false, true] {
            forget();
            operation();
            self.verify(right());
            if !last {
                self.sample(size, &operation);
            }
        }
    }
}
