//! Rayon in the loop suite: the benchmarks of bench/suite with Rayon's parallel iterators. The work
//! itself is the C functions that all competitors call; the scan's few instructions are written
//! here, as they are inlined everywhere.
//!
//! Variants: "adaptive", Rayon's own splitting, and "single", down to one iteration a task.

#[path = "../measure.rs"]
mod measure;

use measure::Options;
use rayon::prelude::*;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

type Problem = *mut c_void;

extern "C" {
    fn spmv_make(shape: i32, width: i64, threads: i32) -> Problem;
    fn spmv_make_rows(shape: i32, width: i64, rows: i64) -> Problem;
    fn spmv_free(problem: Problem);
    fn spmv_rows(problem: Problem) -> i64;
    fn spmv_row(problem: Problem, row: i64);
    fn spmv_forget(problem: Problem);
    fn spmv_wrong(problem: Problem) -> i64;
    fn reduce_make(size: i64, block: i64) -> Problem;
    fn reduce_free(problem: Problem);
    fn reduce_blocks(problem: Problem) -> i64;
    fn reduce_block(problem: Problem, block: i64);
    fn reduce_total(problem: Problem) -> u64;
    fn reduce_forget(problem: Problem);
    fn reduce_expected(problem: Problem) -> u64;
    fn mmultiply_make(order: i64) -> Problem;
    fn mmultiply_free(problem: Problem);
    fn mmultiply_cell(problem: Problem, row: i64, column: i64);
    fn mmultiply_forget(problem: Problem);
    fn mmultiply_wrong(problem: Problem) -> i64;
    fn inner_make(places: i64) -> Problem;
    fn inner_free(problem: Problem);
    fn inner_step(problem: Problem, place: i64, i: i64);
    fn inner_forget(problem: Problem);
    fn inner_right(problem: Problem, steps: i64, turns: i64) -> i32;
    fn mtranspose_make(order: i64) -> Problem;
    fn mtranspose_free(problem: Problem);
    fn mtranspose_block(problem: Problem, row: i64, column: i64);
    fn mtranspose_forget(problem: Problem);
    fn mtranspose_wrong(problem: Problem) -> i64;
    fn spmv_read(path: *const std::ffi::c_char) -> Problem;
    fn spmv_entries(problem: Problem) -> i64;
    fn mandelbrot_make(size: i64) -> Problem;
    fn mandelbrot_free(problem: Problem);
    fn mandelbrot_rows(problem: Problem) -> i64;
    fn mandelbrot_row(problem: Problem, row: i64);
    fn mandelbrot_forget(problem: Problem);
    fn mandelbrot_wrong(problem: Problem) -> i64;
    fn nbody_make(particles: i64) -> Problem;
    fn nbody_free(problem: Problem);
    fn nbody_cells(problem: Problem) -> i64;
    fn nbody_cell(problem: Problem, cell: i64);
    fn nbody_forget(problem: Problem);
    fn nbody_wrong(problem: Problem) -> i64;
    fn wavefront_make(size: i64) -> Problem;
    fn wavefront_free(problem: Problem);
    fn wavefront_block(problem: Problem, row: i64, column: i64);
    fn wavefront_forget(problem: Problem);
    fn wavefront_wrong(problem: Problem) -> i64;
    fn tree_child(parent: u64, child: i64) -> u64;
    fn tree_children(node: u64) -> i64;
    fn tree_count(node: u64) -> i64;
}

/// A problem that iterations of a loop may share: the C functions say which calls may be
/// concurrent.
#[derive(Clone, Copy)]
struct Shared(Problem);
// SAFETY: each iteration writes elements of its own.
unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}
impl Shared {
    fn get(&self) -> Problem {
        self.0
    }
}

struct Suite {
    options: Options,
    single: bool,
}

impl Suite {
    fn each(&self, count: i64, body: impl Fn(i64) + Sync + Send) {
        if self.single {
            (0..count as usize).into_par_iter().with_max_len(1).for_each(|i| body(i as i64));
        } else {
            (0..count as usize).into_par_iter().for_each(|i| body(i as i64));
        }
    }

    fn warm_up(&self) {
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

    fn sizes(&self, few: &[i64], usual: &[i64], all: &[i64]) -> Vec<i64> {
        match self.options.scale {
            _ if self.options.size > 0 && self.options.sized => vec![self.options.size.into()],
            0 => few.to_vec(),
            1 => usual.to_vec(),
            _ => all.to_vec(),
        }
    }

    /// Microseconds per operation.
    fn sample(&self, size: i64, operation: impl Fn()) {
        self.sample_as(size, "us", 1e6, operation);
    }

    /// Batches of operations that take at least 100 us, as measure_run() of measure.h does.
    fn sample_as(&self, size: i64, unit: &str, scale: f64, operation: impl Fn()) {
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

    fn verify(&self, right: bool) {
        if !right {
            eprintln!("{} {}: wrong result", self.options.what, self.options.variant);
            std::process::exit(1);
        }
    }

    fn checked(
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

    fn spmv(&self, shape: i32) {
        let usual = [1024, 2048, 4096, 8192, 16384, 32768];
        for width in self.sizes(&[1024, 32768], &usual, &usual) {
            // SAFETY: the functions are used as spmv.h says; freed once, when nothing uses it any
            // more.
            unsafe {
                let problem = Shared(spmv_make(shape, width, self.options.threads as i32));
                let rows = spmv_rows(problem.get());
                let multiply = || self.each(rows, move |row| spmv_row(problem.get(), row));
                self.checked(
                    width,
                    multiply,
                    || spmv_forget(problem.get()),
                    || spmv_wrong(problem.get()) < 0,
                );
                spmv_free(problem.get());
            }
        }
    }

    fn rows(&self, shape: i32) {
        let usual = [1000, 2000, 4000, 8000, 16000];
        for rows in self.sizes(&[1000, 16000], &usual, &usual) {
            // SAFETY: as spmv.h says.
            unsafe {
                let problem = Shared(spmv_make_rows(shape, 64 * 128, rows));
                let multiply = || self.each(rows, move |row| spmv_row(problem.get(), row));
                self.checked(
                    rows,
                    multiply,
                    || spmv_forget(problem.get()),
                    || spmv_wrong(problem.get()) < 0,
                );
                spmv_free(problem.get());
            }
        }
    }

    fn reduce(&self) {
        let k = 1024;
        let all = [16 * k, 64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k, 65536 * k];
        for size in self.sizes(&[256 * k, 4096 * k], &all[1..6], &all) {
            self.sum_up(size, size, k);
        }
    }

    fn blocks(&self) {
        let all: Vec<i64> = (10..=17).map(|bits| 1i64 << bits).collect();
        let usual = [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 17];
        for block in self.sizes(&[1 << 10, 1 << 17], &usual, &all) {
            self.sum_up(block, 1 << 21, block);
        }
    }

    fn sum_up(&self, size: i64, numbers: i64, block: i64) {
        // SAFETY: as reduce.h says.
        unsafe {
            let problem = Shared(reduce_make(numbers, block));
            let blocks = reduce_blocks(problem.get());
            let sum = || {
                self.each(blocks, move |block| reduce_block(problem.get(), block));
                std::hint::black_box(reduce_total(problem.get()));
            };
            let right = || reduce_total(problem.get()) == reduce_expected(problem.get());
            self.checked(size, sum, || reduce_forget(problem.get()), right);
            reduce_free(problem.get());
        }
    }

    fn scan_once(&self, numbers: *mut u32, size: i64) {
        #[derive(Clone, Copy)]
        struct Numbers(*mut u32);
        // SAFETY: iterations of one loop touch different elements.
        unsafe impl Send for Numbers {}
        unsafe impl Sync for Numbers {}
        impl Numbers {
            /// The last element of pair number `i` and the last of its left half.
            fn pair(&self, i: i64, half: i64) -> (*mut u32, *mut u32) {
                // SAFETY: inside the array, because there are size / (2 * half) pairs.
                unsafe {
                    let last = self.0.offset(((i + 1) * 2 * half - 1) as isize);
                    (last, last.offset(-half as isize))
                }
            }
        }
        let all = Numbers(numbers);
        let mut half = 1;
        while half < size {
            self.each(size / (2 * half), move |i| {
                let (last, left) = all.pair(i, half);
                // SAFETY: no other iteration touches these two.
                unsafe { *last = (*last).wrapping_add(*left) }
            });
            half *= 2;
        }
        // SAFETY: the last element.
        unsafe { *numbers.offset(size as isize - 1) = 0 };
        half = size / 2;
        while half > 0 {
            self.each(size / (2 * half), move |i| {
                let (last, left) = all.pair(i, half);
                // SAFETY: no other iteration touches these two.
                unsafe {
                    let before = *left;
                    *left = *last;
                    *last = (*last).wrapping_add(before);
                }
            });
            half /= 2;
        }
    }

    fn scan(&self) {
        let all: Vec<i64> = (10..=24).step_by(2).map(|bits| 1i64 << bits).collect();
        for size in self.sizes(&[1 << 10, 1 << 14, 1 << 18], &all[..7], &all) {
            let mut number = 1u32;
            let input: Vec<u32> = (0..size)
                .map(|_| {
                    number = number.wrapping_mul(1664525).wrapping_add(1013904223);
                    number >> 16
                })
                .collect();
            let numbers = std::cell::RefCell::new(input.clone());
            let pointer = numbers.borrow_mut().as_mut_ptr();
            let right = || {
                let mut total = 0u32;
                numbers.borrow().iter().zip(&input).all(|(found, each)| {
                    let expected = total;
                    total = total.wrapping_add(*each);
                    *found == expected
                })
            };
            let forget = || numbers.borrow_mut().copy_from_slice(&input);
            self.checked(size, || self.scan_once(pointer, size), forget, right);
        }
    }

    fn matrix(&self) {
        let path = std::ffi::CString::new(self.options.file.as_str()).expect("a path without NUL");
        // SAFETY: as spmv.h says.
        unsafe {
            let problem = Shared(spmv_read(path.as_ptr()));
            if problem.get().is_null() {
                std::process::exit(2);
            }
            let rows = spmv_rows(problem.get());
            let multiply = || self.each(rows, move |row| spmv_row(problem.get(), row));
            let size = spmv_entries(problem.get());
            self.checked(
                size,
                multiply,
                || spmv_forget(problem.get()),
                || spmv_wrong(problem.get()) < 0,
            );
            spmv_free(problem.get());
        }
    }

    fn mandelbrot(&self) {
        let all = [32, 64, 128, 256, 512, 1024];
        for size in self.sizes(&[128], &all[..4], &all) {
            // SAFETY: as mandelbrot.h says.
            unsafe {
                let problem = Shared(mandelbrot_make(size));
                let rows = mandelbrot_rows(problem.get());
                let draw = || self.each(rows, move |row| mandelbrot_row(problem.get(), row));
                self.checked(
                    size,
                    draw,
                    || mandelbrot_forget(problem.get()),
                    || mandelbrot_wrong(problem.get()) < 0,
                );
                mandelbrot_free(problem.get());
            }
        }
    }

    fn nbody(&self) {
        let all = [500, 2000, 8000, 32000];
        for size in self.sizes(&[2000], &all[..3], &all) {
            // SAFETY: as nbody.h says.
            unsafe {
                let problem = Shared(nbody_make(size));
                let cells = nbody_cells(problem.get());
                let forces = || self.each(cells, move |cell| nbody_cell(problem.get(), cell));
                self.checked(
                    size,
                    forces,
                    || nbody_forget(problem.get()),
                    || nbody_wrong(problem.get()) < 0,
                );
                nbody_free(problem.get());
            }
        }
    }

    fn wavefront(&self) {
        let all = [4, 8, 16, 32, 64];
        for size in self.sizes(&[16], &all[..4], &all) {
            // SAFETY: as wavefront.h says: the blocks of an anti-diagonal are independent.
            unsafe {
                let problem = Shared(wavefront_make(size));
                let sweep = || {
                    for diagonal in 0..2 * size - 1 {
                        let top = (diagonal - size + 1).max(0);
                        let bottom = diagonal.min(size - 1);
                        self.each(bottom - top + 1, move |i| {
                            wavefront_block(problem.get(), top + i, diagonal - top - i)
                        });
                    }
                };
                self.checked(
                    size,
                    sweep,
                    || wavefront_forget(problem.get()),
                    || wavefront_wrong(problem.get()) < 0,
                );
                wavefront_free(problem.get());
            }
        }
    }

    fn fib(&self) {
        let expected = |n: i64| (0..n).fold((0u64, 1u64), |(before, now), _| (now, before + now)).0;
        for n in self.sizes(&[20], &[16, 20, 24, 28], &[12, 16, 20, 24, 28, 32]) {
            self.verify(fork_fib(n) == expected(n));
            let spawns = (expected(n + 1) - 1) as f64;
            self.sample_as(n, "ns", 1e9 / spawns, || {
                std::hint::black_box(fork_fib(std::hint::black_box(n)));
            });
        }
    }

    fn tree(&self) {
        for size in self.sizes(&[512], &[64, 512, 4096], &[64, 512, 4096, 32768]) {
            // SAFETY: pure functions.
            let expected =
                1 + (0..size).map(|i| unsafe { tree_count(tree_child(0, i)) }).sum::<i64>();
            self.verify(1 + search_children(0, 0, size) == expected);
            self.sample_as(size, "ns", 1e9 / expected as f64, || {
                std::hint::black_box(search_children(0, 0, size));
            });
        }
    }

    fn mmultiply(&self) {
        let all = [64, 128, 256, 512, 1024];
        for order in self.sizes(&[256], &all[..4], &all) {
            // SAFETY: as mmultiply.h says.
            unsafe {
                let problem = Shared(mmultiply_make(order));
                let multiply = || {
                    self.each(order, move |row| {
                        self.each(order, move |column| mmultiply_cell(problem.get(), row, column))
                    })
                };
                self.checked(
                    order,
                    multiply,
                    || mmultiply_forget(problem.get()),
                    || mmultiply_wrong(problem.get()) < 0,
                );
                mmultiply_free(problem.get());
            }
        }
    }

    fn inner(&self) {
        let places = self.options.threads as i64;
        let all = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
        for steps in self.sizes(&[8, 512], &[1, 8, 64, 512, 4096], &all) {
            let turns = (100000 / steps).clamp(100, 1000);
            // SAFETY: as inner.h says.
            unsafe {
                let problem = Shared(inner_make(places));
                let all_places = || {
                    self.each(places, move |place| {
                        for _ in 0..turns {
                            self.each(steps, move |i| inner_step(problem.get(), place, i));
                        }
                    })
                };
                for last in [false, true] {
                    inner_forget(problem.get());
                    all_places();
                    self.verify(inner_right(problem.get(), steps, turns) != 0);
                    if !last {
                        self.sample_as(steps, "ns", 1e9 / turns as f64, all_places);
                    }
                }
                inner_free(problem.get());
            }
        }
    }

    fn mtranspose(&self) {
        let all = [64, 128, 256, 512, 1024, 2048, 4096];
        for order in self.sizes(&[256, 1024], &all[..6], &all) {
            // SAFETY: as mtranspose.h says.
            unsafe {
                let problem = Shared(mtranspose_make(order));
                let transpose = || {
                    self.each(16, move |row| {
                        self.each(16, move |column| mtranspose_block(problem.get(), row, column))
                    })
                };
                self.checked(
                    order,
                    transpose,
                    || mtranspose_forget(problem.get()),
                    || mtranspose_wrong(problem.get()) < 0,
                );
                mtranspose_free(problem.get());
            }
        }
    }
}

fn fork_fib(n: i64) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (left, right) = rayon::join(|| fork_fib(n - 1), || fork_fib(n - 2));
    left + right
}

fn search_children(node: u64, first: i64, last: i64) -> i64 {
    if last - first == 1 {
        // SAFETY: pure functions.
        let (child, children) = unsafe {
            let child = tree_child(node, first);
            (child, tree_children(child))
        };
        return if children == 0 { 1 } else { 1 + search_children(child, 0, children) };
    }
    let middle = first + (last - first) / 2;
    let (left, right) = rayon::join(
        || search_children(node, first, middle),
        || search_children(node, middle, last),
    );
    left + right
}

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
