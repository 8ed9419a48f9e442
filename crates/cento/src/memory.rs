//! Memory that is free goes back to the system.

#![allow(unsafe_code, reason = "a function of the C library; see SAFETY")]

/// Gives back what was freed lately. The allocator of glibc would keep small pieces for later, and
/// whatever is needed next comes on top of them.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes the allocator's own locks, and touches free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}
