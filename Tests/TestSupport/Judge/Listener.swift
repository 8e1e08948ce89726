#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A listening TCP socket on the loopback interface that detects connections.
package final class Listener {
    private let descriptor: Int32
    package let port: UInt16

    package init() throws {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard result, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw ToolError("no port to listen on") }
    }

    deinit { close(descriptor) }

    /// Whether a client has connected since the last call.
    package var wasCalled: Bool {
        let caller = accept(descriptor, nil, nil)
        if caller >= 0 { close(caller) }
        return caller >= 0
    }
}
