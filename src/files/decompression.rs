//! Compressed files, recognised by their first bytes and not by their names.

use std::fmt;
use std::io::{self, BufRead, Read as _};

/// Number of bytes that show the format.
const MAX_SIGNATURE: u64 = 6;

/// Format of a compressed file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    Gzip,
    Zstandard,
    Bzip2,
    Xz,
    Zip,
    SevenZip,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zip => "zip",
            Self::SevenZip => "7z",
        })
    }
}

impl Compression {
    /// Returns the format of a file by its first bytes; `None` if it is not compressed.
    fn of(start: &[u8]) -> Option<Self> {
        Some(match *start {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..0x60, 0x2A, 0x4D, 0x18, ..] => Self::Zstandard,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Self::Bzip2,
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            [b'P', b'K', 3, 4, ..] => Self::Zip,
            [b'7', b'z', 0xBC, 0xAF, ..] => Self::SevenZip,
            _ => return None,
        })
    }

    /// Decompresses the rest of a file.
    ///
    /// # Errors
    /// If the program has no decoder for the format.
    fn decode(self, file: Box<dyn BufRead>) -> io::Result<Box<dyn BufRead>> {
        match self {
            #[cfg(feature = "cli")]
            Self::Gzip => {
                let decoder = flate2::bufread::MultiGzDecoder::new(file);
                Ok(Box::new(io::BufReader::new(decoder)))
            }
            #[cfg(feature = "cli")]
            Self::Zstandard => Ok(Box::new(io::BufReader::new(zstandard::Decoder::new(file)))),
            _ => {
                drop(file);
                Err(self.refused())
            }
        }
    }

    fn refused(self) -> io::Error {
        let message = format!("compressed with {self}: decompress it first");
        io::Error::new(io::ErrorKind::Unsupported, message)
    }
}

/// Decompresses a file if it is compressed.
///
/// # Errors
/// If it cannot be read, or the program has no decoder for its format.
pub(super) fn decompressed(mut file: Box<dyn BufRead>) -> io::Result<(Box<dyn BufRead>, bool)> {
    // A pipe may give one byte at a time.
    let mut start = Vec::new();
    file.by_ref().take(MAX_SIGNATURE).read_to_end(&mut start)?;
    let format = Compression::of(&start);
    let file = Box::new(io::Cursor::new(start).chain(file));
    match format {
        Some(format) => format.decode(file).map(|file| (file, true)),
        None => Ok((file, false)),
    }
}

/// Refuses the bytes of a compressed file.
///
/// # Errors
/// The name of the format.
pub(super) fn ensure_plain(bytes: &[u8]) -> io::Result<()> {
    Compression::of(bytes).map_or(Ok(()), |format| Err(format.refused()))
}

/// Decoder of Zstandard that reads several frames, one after the other.
#[cfg(feature = "cli")]
mod zstandard {
    use std::io::{self, BufRead, Read};

    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

    use crate::platform::Room;

    const MIB: u64 = 1 << 20;

    /// Maximum window in bytes, eight times that of level 19.
    const MAX_WINDOW: u64 = 64 * MIB;

    /// Last block of a frame, without content, and a checksum.
    const EMPTY_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

    pub(super) struct Decoder<R> {
        source: R,
        frame: FrameDecoder,
        /// Error that follows what was decoded before it.
        fault: Option<io::Error>,
    }

    impl<R: BufRead> Decoder<R> {
        pub(super) fn new(source: R) -> Self {
            let mut frame = FrameDecoder::new();
            // The buffer of a window has the next power of two. The smaller ones before it, which
            // the allocator may keep, take as much together.
            let room = Room::for_request(2 * MAX_WINDOW).parts_of(2);
            let window = room.checked_ilog2().map_or(0, |log| 1 << log);
            frame.set_max_window_size(MAX_WINDOW.min(window));
            Self { source, frame, fault: None }
        }

        fn begin_frame(&mut self) -> io::Result<()> {
            match self.frame.reset(&mut self.source) {
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut (&mut self.source).take(length.into()), &mut io::sink()).map(drop)
                }
                Err(FrameDecoderError::WindowSizeTooBig { requested, max }) => {
                    let reason = if max < MAX_WINDOW {
                        "out of memory".to_owned()
                    } else {
                        format!("above the maximum of {} MiB", MAX_WINDOW / MIB)
                    };
                    let window = requested.div_ceil(MIB);
                    Err(io::Error::other(format!("window of {window} MiB: {reason}")))
                }
                result => result.map_err(io::Error::other),
            }
        }

        /// Decodes a block. An error ends the frame, and is kept for the end of what was decoded.
        fn decode_block(&mut self) -> io::Result<()> {
            let one = || BlockDecodingStrategy::UptoBlocks(1);
            let Err(error) = self.frame.decode_blocks(&mut self.source, one()) else {
                return Ok(());
            };
            let is_cut_off = self.source.fill_buf()?.is_empty();
            self.fault = Some(if is_cut_off {
                io::ErrorKind::UnexpectedEof.into()
            } else {
                io::Error::other(error)
            });
            // The decoder keeps a window back until the frame ends.
            self.frame.decode_blocks(&EMPTY_BLOCK[..], one()).map(drop).map_err(io::Error::other)
        }
    }

    impl<R: BufRead> Read for Decoder<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                if self.frame.can_collect() > 0 {
                    return self.frame.read(buffer);
                }
                if !self.frame.is_finished() {
                    self.decode_block()?;
                } else if let Some(fault) = self.fault.take() {
                    return Err(fault);
                } else if self
                    .frame
                    .get_checksum_from_data()
                    .is_some_and(|sum| self.frame.get_calculated_checksum() != Some(sum))
                {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "wrong checksum"));
                } else if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                } else {
                    self.begin_frame()?;
                }
            }
        }
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<String> {
        let (mut file, _) = decompressed(Box::new(io::Cursor::new(bytes.to_vec())))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map(|_| text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Returns a frame with this window descriptor, and a block that is not compressed.
    fn zstandard(text: &str, window: u8) -> Vec<u8> {
        let header = (u32::try_from(text.len()).expect("short") << 3 | 1).to_le_bytes();
        let frame = [&[0x28, 0xB5, 0x2F, 0xFD, 0, window][..], &header[..3], text.as_bytes()];
        frame.concat()
    }

    #[test]
    fn members_are_read_one_after_the_other() {
        let text = "a game\n".repeat(1_000);
        let skipped = [&[0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let two = [zstandard(&text, 0x40), skipped.clone(), zstandard("end", 0x40)].concat();
        assert_eq!(read(&two).expect("two frames"), text.clone() + "end");
        assert_eq!(read(&[skipped, zstandard("end", 0x80)].concat()).expect("a frame"), "end");
        let two = [gzip(&text), gzip("end")].concat();
        assert_eq!(read(&two).expect("two members"), text + "end");
        assert_eq!(read(b"1. e4").expect("plain"), "1. e4");
    }

    #[test]
    fn the_format_is_found_if_bytes_arrive_one_by_one() {
        let whole = gzip("a game");
        let [first, rest] = [whole[..1].to_vec(), whole[1..].to_vec()].map(io::Cursor::new);
        let (mut file, _) = decompressed(Box::new(first.chain(rest))).expect("gzip");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("gzip");
        assert_eq!(text, "a game");
    }

    #[test]
    fn damaged_files_and_large_windows_are_errors() {
        let (whole, frame) = (gzip(&"a game\n".repeat(9)), zstandard("a game", 0x40));
        for bytes in [&whole[..whole.len() - 9], &whole[..12], &frame[..9], &frame[..5]] {
            read(bytes).expect_err("an error");
        }
        // 128 MiB.
        assert!(read(&zstandard("x", 0x88)).is_err_and(|e| e.to_string().contains("window")));
        for (start, format) in [
            (&b"BZh91AY&SY"[..], "bzip2"),
            (b"PK\x03\x04", "zip"),
            (b"7z\xBC\xAF\x27\x1C", "7z"),
            (b"\xFD7zXZ\0", "xz"),
        ] {
            let error = read(start).expect_err(format).to_string();
            assert_eq!(error, format!("compressed with {format}: decompress it first"));
            assert!(ensure_plain(start).is_err_and(|refused| refused.to_string() == error));
        }
    }
}
