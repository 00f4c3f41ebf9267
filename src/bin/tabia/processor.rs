//! Check that the processor has the instructions that this build uses.
//!
//! The compiler may use them in any function. The check and its message do without: they compute
//! with integers only, and a test runs them on an emulated processor (`tests/platforms`).
//! Both `unsafe` blocks stay: `is_x86_feature_detected!` is constant for the features of a build,
//! which are the ones to check, and Rust 1.89 has no safe CPUID.
//! Source of the bits: <https://docs.amd.com/v/u/en-US/24594_3.37>, appendix E

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::ensure_supported;

/// No-op: builds for other processors use only what all of them have.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn ensure_supported() {}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    #![expect(unsafe_code, reason = "instructions that describe the processor")]

    use std::arch::x86_64::{__cpuid_count, _xgetbv};
    use std::io::{self, Write as _};
    use std::process;

    /// Words of CPUID: leaf 1 ECX, leaf 7 EBX, leaf 0x8000_0001 ECX.
    const WORDS: usize = 3;

    struct Feature {
        name: &'static str,
        /// True if the compiler may use it.
        is_used: bool,
        word: usize,
        bit: u32,
        /// True if it needs an operating system that saves the wide registers.
        is_wide: bool,
    }

    macro_rules! features {
        ($($name:tt $word:literal $bit:literal $is_wide:literal,)*) => {
            [$(Feature {
                name: $name,
                is_used: cfg!(target_feature = $name),
                word: $word,
                bit: $bit,
                is_wide: $is_wide,
            }),*]
        };
    }

    /// Features of x86-64-v2 to v4. `make native` may use others, which are not checked.
    static FEATURES: [Feature; 23] = features![
        "sse3" 0 0 false,
        "ssse3" 0 9 false,
        "sse4.1" 0 19 false,
        "sse4.2" 0 20 false,
        "cmpxchg16b" 0 13 false,
        "popcnt" 0 23 false,
        "lzcnt" 2 5 false,
        "movbe" 0 22 false,
        "bmi1" 1 3 false,
        "bmi2" 1 8 false,
        "avx" 0 28 true,
        "avx2" 1 5 true,
        "f16c" 0 29 true,
        "fma" 0 12 true,
        "avx512f" 1 16 true,
        "avx512dq" 1 17 true,
        "avx512ifma" 1 21 true,
        "avx512cd" 1 28 true,
        "avx512bw" 1 30 true,
        "avx512vl" 1 31 true,
        "aes" 0 25 false,
        "pclmulqdq" 0 1 false,
        "adx" 1 19 false,
    ];

    /// Ends the process with a message if the processor lacks an instruction of this build.
    #[inline(never)]
    pub(crate) fn ensure_supported() {
        const USED: [u32; WORDS] = bits(false);
        if USED == [0; WORDS] {
            return;
        }
        let words = words();
        for word in 0..WORDS {
            if words[word] & USED[word] != USED[word] {
                reject(words);
            }
        }
    }

    /// Returns the bits of the used features, or only of the wide ones.
    const fn bits(is_wide: bool) -> [u32; WORDS] {
        let mut bits = [0; WORDS];
        let mut at = 0;
        while at < FEATURES.len() {
            let Feature { is_used, word, bit, is_wide: needs_system, .. } = FEATURES[at];
            if is_used && (needs_system || !is_wide) {
                bits[word] |= 1 << bit;
            }
            at += 1;
        }
        bits
    }

    /// Returns the features that processor and operating system support.
    fn words() -> [u32; WORDS] {
        const WIDE: [u32; WORDS] = bits(true);
        const OSXSAVE: u32 = 1 << 27;
        // Darwin enables the state of AVX-512 on first use, so it is not asked for there.
        const IS_WIDE: bool = cfg!(all(target_feature = "avx512f", not(target_vendor = "apple")));
        // States of the XMM and YMM registers, and of those of AVX-512.
        const STATES: u64 = if IS_WIDE { 0xe6 } else { 0x06 };
        #[expect(unused_unsafe, reason = "the call is safe in newer versions of Rust only")]
        // SAFETY: every x86-64 processor has CPUID.
        let cpuid = |leaf| unsafe { __cpuid_count(leaf, 0) };
        let mut words = [
            cpuid(1).ecx,
            if cpuid(0).eax >= 7 { cpuid(7).ebx } else { 0 },
            cpuid(0x8000_0001).ecx,
        ];
        // SAFETY: OSXSAVE is set only if XGETBV exists and the system has enabled it; register 0
        // then always exists.
        let saves_wide = words[0] & OSXSAVE != 0 && unsafe { _xgetbv(0) } & STATES == STATES;
        if !saves_wide {
            for word in 0..WORDS {
                words[word] &= !WIDE[word];
            }
        }
        words
    }

    #[cold]
    #[inline(never)]
    fn reject(words: [u32; WORDS]) -> ! {
        let mut stderr = io::stderr();
        // The exit code reports the failure too.
        let mut write = |text: &str| _ = stderr.write_all(text.as_bytes());
        write("error: this processor lacks instructions that this build of Tabia uses:");
        for Feature { name, is_used, word, bit, .. } in &FEATURES {
            if *is_used && words[*word] >> bit & 1 == 0 {
                write(" ");
                write(name);
            }
        }
        write("\nUse the file for every x86-64 processor, or build one: 'make baseline', or\n");
        write("'cargo build --release' with RUSTFLAGS set to '-C target-cpu=generic'\n");
        process::exit(1)
    }
}
