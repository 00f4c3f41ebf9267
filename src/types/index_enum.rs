//! Macros for field-less enums numbered from zero without gaps.

macro_rules! index_enum {
    ($(#[$doc:meta])* $name:ident, $count:literal { $($variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "the variants are standard chess terms")]
        pub enum $name { $($variant),+ }

        impl $name {
            /// The number of values.
            pub const COUNT: usize = $count;
            /// All values in index order.
            pub const ALL: [Self; $count] = [$(Self::$variant),+];

            /// Returns the number of this value, below [`Self::COUNT`].
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns the value with this number, `None` from [`Self::COUNT`] on.
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
            }
        }

        impl crate::types::Indexed for $name {
            #[inline]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pub(super) use index_enum;

/// Adds the unchecked conversion from a number.
macro_rules! from_index_unchecked {
    ($name:ident) => {
        impl $name {
            /// Returns the value with this number.
            ///
            /// # Safety
            /// The number must be below [`Self::COUNT`].
            #[inline]
            const unsafe fn from_index_unchecked(index: u8) -> Self {
                debug_assert!((index as usize) < Self::COUNT);
                // SAFETY: the enum is `repr(u8)` and its variants are numbered from 0 to COUNT - 1
                // without gaps, since none has an explicit discriminant. The caller guarantees
                // that the number is below COUNT.
                unsafe { std::mem::transmute(index) }
            }
        }
    };
}
pub(super) use from_index_unchecked;
