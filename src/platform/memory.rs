//! Room that memory leaves: what the system has available, within the limits of the container, and
//! what it still lets the process allocate.
//!
//! Linux promises more memory than it has and kills the process that uses it, so a size that users
//! choose is checked beforehand. Limits come from the process's control groups, version 1 or 2, and
//! the groups above them. In a group with a limit, every large allocation is checked and its pages
//! are used at once, so that nothing is promised and not counted.
//! Sources: <https://docs.kernel.org/filesystems/proc.html>,
//! <https://docs.kernel.org/admin-guide/cgroup-v2.html>

use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// Files of one version of control groups.
struct GroupFiles<'a> {
    mount: &'a str,
    limit: &'static str,
    usage: &'static str,
    /// Fields of `memory.stat` with memory that the system can reclaim at once.
    reclaimable: [&'static str; 2],
}

const VERSION_1: GroupFiles<'static> = GroupFiles {
    mount: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: ["total_inactive_file", "total_active_file"],
};

const VERSION_2: GroupFiles<'static> = GroupFiles {
    mount: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    reclaimable: ["inactive_file", "active_file"],
};

/// Bytes that a request may use.
#[derive(Copy, Clone, Debug)]
pub struct Room(u64);

impl Room {
    /// Size up to which a request is small. It is granted without a look at the system, which takes
    /// a millisecond.
    const SMALL: u64 = 32 << 20;
    /// A sixteenth of the available memory is left to the rest of the engine and to other programs.
    const RESERVE: u64 = 16;

    /// Returns whether a request of this number of bytes is small.
    pub(crate) fn is_small(bytes: u64) -> bool {
        bytes <= Self::SMALL
    }

    /// Returns whether a control group limits the memory. Allocations then have to use their pages
    /// at once: a later check sees only what is used.
    pub(crate) fn is_in_group() -> bool {
        static IS_IN_GROUP: OnceLock<bool> = OnceLock::new();
        *IS_IN_GROUP.get_or_init(|| available_in_groups().is_some_and(|bytes| bytes < UNLIMITED))
    }

    /// Returns the room for a request of this number of bytes. It has no limit where the available
    /// memory is unknown, and for a small request outside a control group.
    pub(crate) fn for_request(bytes: u64) -> Self {
        let is_granted = Self::is_small(bytes) && !Self::is_in_group();
        let available = if is_granted { None } else { available_memory() };
        Self(available.map_or(u64::MAX, |available| available - available / Self::RESERVE))
    }

    /// Returns how many parts of this number of bytes there is room for.
    pub(crate) fn parts_of(self, bytes: u64) -> usize {
        usize::try_from(self.0 / bytes).unwrap_or(usize::MAX)
    }

    /// Checks that there is room for this number of bytes.
    ///
    /// # Errors
    /// If there is not.
    pub fn check(bytes: u64) -> io::Result<()> {
        let Self(room) = Self::for_request(bytes);
        if bytes > room { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
    }

    /// Checks that the process could allocate this number of bytes now.
    ///
    /// # Errors
    /// If the system refuses them.
    pub(crate) fn ensure(bytes: usize) -> io::Result<()> {
        let mut room = Vec::<u8>::new();
        let result = room.try_reserve_exact(bytes);
        // Keeps the compiler from removing the allocation.
        std::hint::black_box(room);
        result.map_err(|_| io::ErrorKind::OutOfMemory.into())
    }
}

/// Limits from this number of bytes on are none: groups of version 1 always have one.
const UNLIMITED: u64 = 1 << 60;

/// Returns the available memory in bytes; `None` if unknown.
fn available_memory() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_system(&text));
    system.into_iter().chain(available_in_groups()).min()
}

/// Returns what the control groups leave, in bytes; `None` without a group.
fn available_in_groups() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let in_groups = groups.lines().filter_map(group).filter_map(|(files, group)| {
        group.ancestors().filter_map(|group| in_group(&files, group)).min()
    });
    in_groups.min()
}

fn of_system(meminfo: &str) -> Option<u64> {
    field(meminfo, "MemAvailable:")?.checked_mul(1024)
}

/// Returns the memory group in a line of `/proc/self/cgroup`.
fn group(line: &str) -> Option<(GroupFiles<'static>, &Path)> {
    let (number, rest) = line.split_once(':')?;
    let (controllers, group) = rest.split_once(':')?;
    let files = match controllers {
        "" if number == "0" => VERSION_2,
        _ if controllers.split(',').any(|name| name == "memory") => VERSION_1,
        _ => return None,
    };
    Some((files, Path::new(group)))
}

/// Returns the bytes that a group leaves; `None` without a limit.
fn in_group(files: &GroupFiles<'_>, group: &Path) -> Option<u64> {
    let folder = Path::new(files.mount).join(group.strip_prefix("/").ok()?);
    let read = |name| fs::read_to_string(folder.join(name)).ok();
    let limit: u64 = read(files.limit)?.trim().parse().ok()?;
    let usage: u64 = read(files.usage)?.trim().parse().ok()?;
    let stat = read("memory.stat").unwrap_or_default();
    let reclaimable = files.reclaimable.iter().filter_map(|name| field(&stat, name)).sum();
    Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
}

fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_requests_are_limited() {
        let room = |bytes| Room::for_request(bytes).parts_of(1);
        if !Room::is_in_group() {
            assert_eq!(room(Room::SMALL), usize::MAX);
        }
        if cfg!(target_os = "linux") {
            assert!((1..u64::MAX as usize).contains(&room(Room::SMALL + 1)));
        }
        assert_eq!(Room(10).parts_of(3), 3);
    }

    #[test]
    fn the_memory_of_the_system_is_read() {
        let text = "MemTotal:  100 kB\nMemFree:  1 kB\nMemAvailable:   50 kB\n";
        assert_eq!(of_system(text), Some(50 << 10));
        assert_eq!(of_system("MemTotal:  100 kB\n"), None);
        assert_eq!(of_system("MemAvailable:"), None);
        if cfg!(target_os = "linux") {
            assert!(available_memory().is_some_and(|bytes| bytes > 0));
        }
    }

    #[test]
    fn groups_of_both_versions_are_found() {
        let found = |line| group(line).map(|(files, group)| (files.limit, group.to_str()));
        assert_eq!(found("0::/user.slice/a"), Some((VERSION_2.limit, Some("/user.slice/a"))));
        assert_eq!(found("4:memory:/a:b"), Some((VERSION_1.limit, Some("/a:b"))));
        assert_eq!(found("3:cpu,memory:/"), Some((VERSION_1.limit, Some("/"))));
        assert_eq!(found("2:cpuset:/"), None);
        assert_eq!(found("9:name=systemd:/"), None);
    }

    #[test]
    fn caches_of_files_count_as_available() {
        let folder = std::env::temp_dir().join(format!("tabia-group-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
        let mount = folder.to_str().expect("UTF-8");
        let files = GroupFiles { mount, ..VERSION_2 };
        let available = || in_group(&files, Path::new("/"));
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(available(), None);
        write("memory.max", "1000\n");
        assert_eq!(available(), Some(300));
        write("memory.stat", "anon 400\ninactive_file 200\nactive_file 100\n");
        assert_eq!(available(), Some(600));
        write("memory.current", "5000\n");
        assert_eq!(available(), Some(0));
        fs::remove_dir_all(&folder).expect("the folder exists");
    }
}
