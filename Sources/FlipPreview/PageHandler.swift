import Foundation
import FlipGesture
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Answers the requests of one connection that aren't for a WebSocket.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: PreviewService
    private let guardian: RequestGuard
    private let onUse: () -> Void

    init(_ service: PreviewService, _ guardian: RequestGuard, onUse: @escaping () -> Void) {
        self.service = service
        self.guardian = guardian
        self.onUse = onUse
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows a request's head is never read: a request with a body has been refused by then.
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let verdict = guardian.verdict(RequestGuard.Request(head))
        if case .refused = verdict {} else { onUse() }
        switch verdict {
        case .page:
            answer(context, head, .ok, PageFiles.page, "text/html; charset=utf-8", cookie: guardian.cookie)
        case .resource(let path): resource(path, context, head)
        case .socket: refuse(context, head, .badRequest)
        case .refused(let status): refuse(context, head, HTTPResponseStatus(statusCode: status))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A request for a WebSocket that is refused comes here as well, and is answered as any other.
        if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
    }

    private func resource(_ path: String, _ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        if let file = PageFiles.files[path] { return answer(context, head, .ok, file.bytes, file.type) }
        switch path {
        case "/catalogue.json":
            return answer(context, head, .ok, Array(service.catalogue), "application/json")
        case "/info.json":
            let data = (try? JSONEncoder().encode(service.info)) ?? Data()
            return answer(context, head, .ok, Array(data), "application/json")
        default: break
        }
        guard let job = cell(path) else { return refuse(context, head, .notFound) }
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        service.studio.draw(job) { result in
            loop.execute {
                let (handler, context) = bound.value
                guard context.channel.isActive else { return }
                switch result {
                case .success(let bytes): handler.answer(context, head, .ok, bytes, "image/jpeg")
                case .failure: handler.refuse(context, head, .internalServerError)
                }
            }
        }
    }

    /// The width of a picture of the contact sheet.
    private static let cellWidth = 320
    /// The number of pictures of each look.
    private static let cells = 1...5

    /// The picture of the contact sheet at `/cell/SEAM/LOOK/STEP`, all of them numbers; nil if there is none.
    private func cell(_ path: String) -> PreviewStudio.Job? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "cell", let seam = Int(parts[2]), let number = Int(parts[3]),
            let step = Int(parts[4]), service.info.seams.indices.contains(seam),
            service.info.sheet.indices.contains(number), Self.cells.contains(step),
            let look = try? service.info.sheet[number].look.look()
        else { return nil }
        return PreviewStudio.Job(
            join: seam, look: look,
            position: GesturePosition(progress: look.look.easing(Double(step) / Double(Self.cells.upperBound + 1))),
            width: Self.cellWidth, format: .jpg)
    }

    // MARK: Answers

    private func refuse(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus) {
        let text = Array("\(status.code) \(status.reasonPhrase)\n".utf8)
        answer(context, head, status, text, "text/plain", closes: true)
    }

    private func answer(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ status: HTTPResponseStatus, _ bytes: [UInt8],
        _ type: String, cookie: String? = nil, closes: Bool = false
    ) {
        var headers = HTTPHeaders([
            ("Content-Type", type), ("Content-Length", "\(bytes.count)"), ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ])
        if let cookie { headers.add(name: "Set-Cookie", value: cookie) }
        let closes = closes || !head.isKeepAlive
        if closes { headers.add(name: "Connection", value: "close") }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        if closes { sent.futureResult.whenComplete { _ in channel.close(promise: nil) } }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// Nothing is loaded from elsewhere, and no other page may show this one.
    private var policy: String {
        // 'self' includes this server's WebSocket. (A host in brackets is not a valid source.)
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    }
}
