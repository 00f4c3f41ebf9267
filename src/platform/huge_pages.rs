//! Huge pages for large tables.
//!
//! Nearly every probe of a large table misses the CPU's cache of page addresses (TLB). With pages
//! of 2 MiB instead of 4 KiB the TLB covers 512 times as much memory.
//! Source: <https://www.kernel.org/doc/html/latest/admin-guide/mm/transhuge.html>

/// Asks Linux to back this memory, not yet used, with huge pages where whole ones fit. The system
/// may refuse.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "advice to the system is a call of C")]
pub(crate) fn advise_huge_pages<T>(memory: &mut [T]) {
    const HUGE_PAGE: usize = 2 << 20;
    let start = memory.as_mut_ptr().cast::<u8>();
    let before = start.align_offset(HUGE_PAGE);
    let length = size_of_val(memory).saturating_sub(before) / HUGE_PAGE * HUGE_PAGE;
    if length > 0 {
        // SAFETY: the range begins and ends on page boundaries within the slice, which is borrowed
        // exclusively. The advice changes how memory is mapped, not its contents.
        let refused =
            unsafe { libc::madvise(start.add(before).cast(), length, libc::MADV_HUGEPAGE) };
        if refused != 0 {
            log::debug!("no huge pages: {}", std::io::Error::last_os_error());
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn advise_huge_pages<T>(_: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_keeps_contents() {
        for length in [0, 1, (2 << 20) - 1, 9 << 20] {
            let mut memory: Vec<u8> = (0..length).map(|index| index as u8).collect();
            advise_huge_pages(&mut memory);
            assert!(memory.iter().enumerate().all(|(index, &byte)| byte == index as u8));
        }
    }
}
