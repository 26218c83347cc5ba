//! The scan, whose few instructions are written here, as they are inlined everywhere.

use crate::session::Suite;

impl Suite {
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

    pub fn scan(&self) {
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
}
