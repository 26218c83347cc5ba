//! Benchmarks of loops in loops and of tasks that fork.

use crate::problems::*;
use crate::session::Suite;

impl Suite {
    pub fn wavefront(&self) {
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

    pub fn fib(&self) {
        let expected = |n: i64| (0..n).fold((0u64, 1u64), |(before, now), _| (now, before + now)).0;
        for n in self.sizes(&[20], &[16, 20, 24, 28], &[12, 16, 20, 24, 28, 32]) {
            self.verify(fork_fib(n) == expected(n));
            let spawns = (expected(n + 1) - 1) as f64;
            self.sample_as(n, "ns", 1e9 / spawns, || {
                std::hint::black_box(fork_fib(std::hint::black_box(n)));
            });
        }
    }

    pub fn tree(&self) {
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

    pub fn mmultiply(&self) {
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

    pub fn inner(&self) {
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

    pub fn mtranspose(&self) {
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
