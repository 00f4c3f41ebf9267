//! Prefetching: loads memory ahead of its use, on x86-64 only.

/// Starts to load the cache line at which `value` begins.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code, reason = "prefetching is an intrinsic on a pointer")]
pub(crate) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the pointer comes from a reference, and a prefetch reads nothing. SSE is part of
    // every x86-64.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn prefetch<T>(_: &T) {}
