//! Benchmarks of one loop.

use crate::problems::*;
use crate::session::Suite;

impl Suite {
    pub fn spmv(&self, shape: i32) {
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

    pub fn rows(&self, shape: i32) {
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

    pub fn reduce(&self) {
        let k = 1024;
        let all = [16 * k, 64 * k, 256 * k, 1024 * k, 4096 * k, 16384 * k, 65536 * k];
        for size in self.sizes(&[256 * k, 4096 * k], &all[1..6], &all) {
            self.sum_up(size, size, k);
        }
    }

    pub fn blocks(&self) {
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

    pub fn matrix(&self) {
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

    pub fn mandelbrot(&self) {
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

    pub fn nbody(&self) {
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
}
