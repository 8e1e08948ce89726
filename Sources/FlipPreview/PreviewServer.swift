import CMicroHTTPD
import FlipBase
import Foundation

/// The preview's server. It listens on this computer's own addresses, unless another one is named.
package final class PreviewServer: Sendable {
    package struct Settings: Sendable {
        /// The port; 0 for any that is free.
        package var port = 0
        /// A further address to listen on; nil for none.
        package var host: String?
        /// After how many seconds without a request the server ends.
        package var idle = 1800.0

        package init() {}
    }

    private let service: PreviewService
    private let settings: Settings
    private let http = HTTPServer()
    private let ended = DispatchSemaphore(value: 0)

    package init(_ service: PreviewService, _ settings: Settings) {
        (self.service, self.settings) = (service, settings)
    }

    /// Listens, calls `ready` with the address of the page, and returns once `stop` was called or nobody has used the
    /// server for long. Throws `cannotCreate` if the port is taken.
    package func run(_ ready: (String) -> Void) throws {
        guard let first = http.listen("127.0.0.1", settings.port) else {
            throw MediaError(
                .cannotCreate, "cannot listen on port \(settings.port) (is it in use? give another --port, or none)")
        }
        var daemons = [first]
        defer { http.stop(daemons) }
        let port = Int(flip_mhd_port(first))
        // Where there is no IPv6, one address is enough.
        if let second = http.listen("::1", port) { daemons.append(second) }
        if let host = settings.host, !["127.0.0.1", "::1", "localhost"].contains(host) {
            guard let further = http.listen(host, port) else {
                throw MediaError(.cannotCreate, "cannot listen on '\(host)' (is it an address of this computer?)")
            }
            daemons.append(further)
        }
        let guardian = RequestGuard(port: port, extraHost: settings.host.map(Self.bracketed))
        http.serve(PageHandler(service, guardian))
        let name = settings.host.map(Self.bracketed) ?? "127.0.0.1"
        ready("http://\(name):\(port)/?token=\(guardian.token)")
        while ended.wait(timeout: .now() + .milliseconds(500)) == .timedOut, http.idle <= settings.idle {
            http.endLate()
        }
    }

    /// Ends `run`.
    package func stop() { ended.signal() }

    /// An IPv6 address as it stands in a URL.
    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
