//! The C functions of bench/suite that do the work, and their problems.

use std::ffi::c_void;

pub type Problem = *mut c_void;

extern "C" {
    pub fn spmv_make(shape: i32, width: i64, threads: i32) -> Problem;
    pub fn spmv_make_rows(shape: i32, width: i64, rows: i64) -> Problem;
    pub fn spmv_free(problem: Problem);
    pub fn spmv_rows(problem: Problem) -> i64;
    pub fn spmv_row(problem: Problem, row: i64);
    pub fn spmv_forget(problem: Problem);
    pub fn spmv_wrong(problem: Problem) -> i64;
    pub fn reduce_make(size: i64, block: i64) -> Problem;
    pub fn reduce_free(problem: Problem);
    pub fn reduce_blocks(problem: Problem) -> i64;
    pub fn reduce_block(problem: Problem, block: i64);
    pub fn reduce_total(problem: Problem) -> u64;
    pub fn reduce_forget(problem: Problem);
    pub fn reduce_expected(problem: Problem) -> u64;
    pub fn mmultiply_make(order: i64) -> Problem;
    pub fn mmultiply_free(problem: Problem);
    pub fn mmultiply_cell(problem: Problem, row: i64, column: i64);
    pub fn mmultiply_forget(problem: Problem);
    pub fn mmultiply_wrong(problem: Problem) -> i64;
    pub fn inner_make(places: i64) -> Problem;
    pub fn inner_free(problem: Problem);
    pub fn inner_step(problem: Problem, place: i64, i: i64);
    pub fn inner_forget(problem: Problem);
    pub fn inner_right(problem: Problem, steps: i64, turns: i64) -> i32;
    pub fn mtranspose_make(order: i64) -> Problem;
    pub fn mtranspose_free(problem: Problem);
    pub fn mtranspose_block(problem: Problem, row: i64, column: i64);
    pub fn mtranspose_forget(problem: Problem);
    pub fn mtranspose_wrong(problem: Problem) -> i64;
    pub fn spmv_read(path: *const std::ffi::c_char) -> Problem;
    pub fn spmv_entries(problem: Problem) -> i64;
    pub fn mandelbrot_make(size: i64) -> Problem;
    pub fn mandelbrot_free(problem: Problem);
    pub fn mandelbrot_rows(problem: Problem) -> i64;
    pub fn mandelbrot_row(problem: Problem, row: i64);
    pub fn mandelbrot_forget(problem: Problem);
    pub fn mandelbrot_wrong(problem: Problem) -> i64;
    pub fn nbody_make(particles: i64) -> Problem;
    pub fn nbody_free(problem: Problem);
    pub fn nbody_cells(problem: Problem) -> i64;
    pub fn nbody_cell(problem: Problem, cell: i64);
    pub fn nbody_forget(problem: Problem);
    pub fn nbody_wrong(problem: Problem) -> i64;
    pub fn wavefront_make(size: i64) -> Problem;
    pub fn wavefront_free(problem: Problem);
    pub fn wavefront_block(problem: Problem, row: i64, column: i64);
    pub fn wavefront_forget(problem: Problem);
    pub fn wavefront_wrong(problem: Problem) -> i64;
    pub fn tree_child(parent: u64, child: i64) -> u64;
    pub fn tree_children(node: u64) -> i64;
    pub fn tree_count(node: u64) -> i64;
}

/// A problem that iterations of a loop may share: the C functions say which calls may be
/// concurrent.
#[derive(Clone, Copy)]
pub struct Shared(pub Problem);
// SAFETY: each iteration writes elements of its own.
unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}
impl Shared {
    pub fn get(&self) -> Problem {
        self.0
    }
}
