import CMicroHTTPD
import FlipBase
import Foundation

/// HTTP as the preview needs it: connections and what limits them, requests and their answers. libmicrohttpd reads and
/// writes them, in a thread for each address.
final class HTTPServer: Sendable {
    /// The limits of what the clients of one address may take.
    private enum Limit {
        /// Connections at a time; further ones wait.
        static let connections: UInt32 = 256
        /// How many seconds a connection may take for a request, and rest between two of them, and how long it may leave an
        /// answer unread. How long an answer takes to compute depends on this computer, so that time doesn't count.
        static let seconds: UInt32 = 10
        /// The memory for the head of a request, in bytes. Browsers send the cookies of all servers of this computer.
        static let head = 64 << 10
    }

    private struct Connection {
        /// Since when a request is due, in nanoseconds; nil while one is being answered.
        var waiting: UInt64?
        /// The request for whose answer the connection is suspended.
        var exchange: Exchange?
    }

    private struct State {
        /// By their sockets.
        var connections: [Int32: Connection] = [:]
        /// Who answers; nothing is read before it is known, and after the end.
        var handler: PageHandler?
        var lastUse = now
    }

    private let state = Mutex(State())

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Listens at an address and a port, of which 0 is any that is free; nil if it can't be used.
    func listen(_ host: String, _ port: Int) -> OpaquePointer? {
        // Without the default hints, under which a computer that is offline has no ::1.
        var hints = addrinfo()
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        return flip_mhd_start(
            found?.pointee.ai_addr,
            flip_mhd_limits(connections: Limit.connections, seconds: Limit.seconds, memory: Limit.head),
            Unmanaged.passUnretained(self).toOpaque(),
            { _, target, connection in
                Unmanaged.passRetained(Exchange(connection!, target: String(cString: target!))).toOpaque()
            },
            { server, _, _, method, _, part, size, exchange in
                let exchange = Unmanaged<Exchange>.fromOpaque(exchange!.pointee!).takeUnretainedValue()
                let part = UnsafeRawBufferPointer(start: part, count: size!.pointee)
                size!.pointee = 0
                return HTTPServer.of(server).read(exchange, method!, part) ? .YES : .NO
            },
            { server, connection, exchange, _ in
                Unmanaged<Exchange>.fromOpaque(exchange!.pointee!).release()
                HTTPServer.of(server).wait(flip_mhd_socket(connection))
            },
            { server, connection, _, change in
                let socket = flip_mhd_socket(connection)
                if change == .CONNECTION_NOTIFY_STARTED { return HTTPServer.of(server).wait(socket) }
                HTTPServer.of(server).state.withLock { $0.connections[socket] = nil }
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPServer {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }

    /// Answers from now on.
    func serve(_ handler: PageHandler) { state.withLock { ($0.handler, $0.lastUse) = (handler, Self.now) } }

    /// Ends all connections to these addresses.
    func stop(_ daemons: [OpaquePointer]) {
        state.withLock { state in
            state.handler = nil
            // A connection can't end while it is suspended.
            for case (let socket, let exchange?) in state.connections.mapValues(\.exchange) {
                state.connections[socket]?.exchange = nil
                MHD_resume_connection(exchange.connection)
            }
        }
        daemons.forEach(MHD_stop_daemon)
    }

    /// How long nobody has used the server, in seconds.
    var idle: Double { state.withLock { Double(Self.now - $0.lastUse) / 1e9 } }

    /// Ends the connections on which no complete request came in time. libmicrohttpd's own limit begins anew with each byte.
    func endLate() {
        let (now, limit) = (Self.now, UInt64(Limit.seconds) * 1_000_000_000)
        state.withLock { state in
            for (socket, connection) in state.connections where (connection.waiting ?? now) + limit < now {
                shutdown(socket, Int32(SHUT_RDWR))
            }
        }
    }

    // MARK: One request

    /// Begins to wait for a request.
    private func wait(_ socket: Int32) { state.withLock { $0.connections[socket] = Connection(waiting: Self.now) } }

    /// Reads a request, and answers it. This is called with its head, then with each part of its body, then without one, and
    /// again when the connection is resumed. Returns whether the connection goes on.
    private func read(_ exchange: Exchange, _ method: UnsafePointer<CChar>, _ part: UnsafeRawBufferPointer) -> Bool {
        guard let verdict = exchange.verdict else {
            guard let handler = state.withLock(\.handler) else { return false }
            let verdict = handler.guardian.verdict(
                RequestGuard.Request(exchange.connection, method: String(cString: method), target: exchange.target))
            exchange.verdict = verdict
            // An answer to the mere head ends the connection.
            if case .refused(let status) = verdict { return HTTPAnswer(refusal: status).send(exchange.connection) }
            return true
        }
        if !part.isEmpty {
            exchange.body.append(contentsOf: part)
            return true
        }
        if let answer = exchange.answer { return answer.send(exchange.connection) }
        let handler = state.withLock { state -> PageHandler? in
            guard let handler = state.handler else { return nil }
            state.lastUse = Self.now
            state.connections[exchange.socket] = Connection(exchange: exchange)
            MHD_suspend_connection(exchange.connection)
            return handler
        }
        handler?.answer(verdict, exchange.body) { [self] in finish(exchange, $0) }
        return handler != nil
    }

    private func finish(_ exchange: Exchange, _ answer: HTTPAnswer) {
        state.withLock { state in
            guard state.connections[exchange.socket]?.exchange === exchange else { return }
            state.connections[exchange.socket]?.exchange = nil
            exchange.answer = answer
            MHD_resume_connection(exchange.connection)
        }
    }
}

/// A request while it is read and answered. Only the thread of its connection uses it, and while the connection is suspended
/// only what answers.
private final class Exchange: @unchecked Sendable {
    let connection: OpaquePointer
    let socket: Int32
    /// What is asked for, as it was sent.
    let target: String
    var verdict: RequestGuard.Verdict?
    var body = Data()
    var answer: HTTPAnswer?

    init(_ connection: OpaquePointer, target: String) {
        (self.connection, self.target) = (connection, target)
        socket = flip_mhd_socket(connection)
    }
}

extension RequestGuard.Request {
    /// The parts of a request's head.
    fileprivate init(_ connection: OpaquePointer, method: String, target: String) {
        var headers: [String: [String]] = [:]
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { headers, _, name, value in
                    headers!.assumingMemoryBound(to: [String: [String]].self).pointee[
                        String(cString: name!).lowercased(), default: []
                    ].append(value.map { String(cString: $0) } ?? "")
                    return .YES
                }, headers)
        }
        let lengths = headers["content-length", default: ["0"]]
        self.init(
            method: method, target: target, hosts: headers["host", default: []],
            origins: headers["origin", default: []], cookies: headers["cookie", default: []],
            length: headers["transfer-encoding"] == nil && lengths.count == 1 ? Int(lengths[0]) : nil)
    }
}
