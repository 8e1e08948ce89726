import FlipBase
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

import struct Synchronization.Atomic

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

    /// The limits of what one server takes.
    enum Limit {
        /// Connections at a time; further ones are closed at once.
        static let connections = 256
        /// Pages at a time.
        static let sockets = 8
        /// How long a connection may take for a request, and rest between two of them.
        static let request = TimeAmount.seconds(10)
        /// The largest message of a page, in bytes. The page ends a recording at the longest gesture, which takes at most
        /// 60,000 samples of about 75 bytes.
        static let message = 6 << 20
    }

    private let group: MultiThreadedEventLoopGroup
    private let service: PreviewService
    private let settings: Settings
    private let connections = Atomic(0)
    private let sockets = Atomic(0)
    private let lastUse = Atomic(DispatchTime.now().uptimeNanoseconds)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ service: PreviewService, _ settings: Settings) {
        self.service = service
        self.settings = settings
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// Listens, calls `ready` with the address of the page, and returns once `stop` was called or nobody has used the
    /// server for long. Throws `cannotCreate` if the port is taken.
    package func run(_ ready: (String) -> Void) throws {
        defer { try? group.syncShutdownGracefully() }
        let first: any Channel
        do {
            first = try bind("127.0.0.1", settings.port).wait()
        } catch {
            throw MediaError(
                .cannotCreate, "cannot listen on port \(settings.port) (is it in use? give another --port, or none)")
        }
        guard let port = first.localAddress?.port else { throw MediaError(.internalFault, "the server has no port") }
        let guardian = RequestGuard(port: port, extraHost: settings.host.map(Self.bracketed))
        self.guardian.withLock { $0 = guardian }
        // Where there is no IPv6, one address is enough.
        let second = try? bind("::1", port).wait()
        var others: [any Channel] = []
        if let host = settings.host, !["127.0.0.1", "::1", "localhost"].contains(host) {
            do {
                others.append(try bind(host, port).wait())
            } catch {
                throw MediaError(.cannotCreate, "cannot listen on '\(host)' (is it an address of this computer?)")
            }
        }
        let name = settings.host.map(Self.bracketed) ?? "127.0.0.1"
        ready("http://\(name):\(port)/?token=\(guardian.token)")
        lastUse.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
        while ended.wait(timeout: .now() + .milliseconds(500)) == .timedOut {
            let idle = Double(DispatchTime.now().uptimeNanoseconds - lastUse.load(ordering: .relaxed)) / 1e9
            if idle > settings.idle { break }
        }
        for channel in [first, second].compactMap(\.self) + others { try? channel.close().wait() }
    }

    /// Ends `run`.
    package func stop() { ended.signal() }

    /// Set before the first connection is answered.
    private let guardian = Mutex<RequestGuard?>(nil)

    /// An IPv6 address as it stands in a URL.
    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    private func bind(_ host: String, _ port: Int) -> EventLoopFuture<any Channel> {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // A picture's last bytes must not wait for an acknowledgment.
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [self] channel in accept(channel) }
            .bind(host: host, port: port)
    }

    /// Sets up a connection.
    private func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
        let count = connections.add(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { [self] _ in connections.subtract(1, ordering: .relaxed) }
        guard count <= Limit.connections, let guardian = guardian.withLock(\.self) else { return channel.close() }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: Limit.message,
            shouldUpgrade: { [self] channel, head in
                let isWelcome =
                    guardian.verdict(RequestGuard.Request(head)) == .socket
                    && sockets.load(ordering: .relaxed) < Limit.sockets
                return channel.eventLoop.makeSucceededFuture(isWelcome ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { [self] channel, _ in
                sockets.add(1, ordering: .relaxed)
                channel.closeFuture.whenComplete { [self] _ in sockets.subtract(1, ordering: .relaxed) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024,
                            maxAccumulatedFrameSize: Limit.message),
                        SocketHandler(service, onUse: { [self] in noteUse() }),
                    ])
                }
            })
        return channel.eventLoop.makeCompletedFuture { [self] in
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                // One request of a connection is answered before the next one is looked at.
                withPipeliningAssistance: true,
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        let pipeline = context.pipeline.syncOperations
                        if let handler = try? pipeline.context(handlerType: PageHandler.self) {
                            pipeline.removeHandler(context: handler, promise: nil)
                        }
                        if let handler = try? pipeline.context(handlerType: RequestDeadline.self) {
                            pipeline.removeHandler(context: handler, promise: nil)
                        }
                    }
                ),
                withErrorHandling: true)
            try channel.pipeline.syncOperations.addHandlers([
                RequestDeadline(Limit.request), PageHandler(service, guardian, onUse: { [self] in noteUse() }),
            ])
        }
    }

    private func noteUse() { lastUse.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed) }
}

extension RequestGuard.Request {
    /// The parts of a request's head.
    init(_ head: HTTPRequestHead) {
        let headers = head.headers
        let length = headers["content-length"]
        self.init(
            method: head.method.rawValue, target: head.uri, hosts: headers["host"], origins: headers["origin"],
            cookies: headers["cookie"],
            hasBody: length.contains { $0 != "0" } || headers.contains(name: "transfer-encoding"),
            upgrades: headers.contains(name: "upgrade"))
    }
}
