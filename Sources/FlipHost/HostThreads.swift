#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The threads of plugins whose hosts leave their number to them.
package enum HostThreads {
    /// The number of threads that draw one frame. Hosts may draw several frames at once, but not all do, and large ones
    /// take long.
    package static let count = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4)
}
