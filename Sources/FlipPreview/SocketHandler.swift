import Foundation
import NIOCore
import NIOWebSocket

/// The WebSocket of one page.
final class SocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let service: PreviewService
    private let onUse: () -> Void
    private var session: PreviewSession?

    init(_ service: PreviewService, onUse: @escaping () -> Void) {
        self.service = service
        self.onUse = onUse
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let loop = context.eventLoop
        session = PreviewSession(service, back: { body in loop.execute { body() } }) { [self] header, bytes in
            send(header, bytes, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        session = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            onUse()
            do {
                try session?.receive(Data(frame.unmaskedData.readableBytesView))
            } catch {
                close(context, .unacceptableData)
            }
        case .ping:
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
        case .connectionClose: close(context, .normalClosure)
        case .pong: break
        default: close(context, .unacceptableData)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Sends the length of the header in four bytes, the header, and what follows it, as one frame.
    private func send(_ header: PreviewHeader, _ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard context.channel.isActive, let text = try? JSONEncoder().encode(header) else { return }
        var buffer = context.channel.allocator.buffer(capacity: text.count + bytes.count + 4)
        buffer.writeInteger(UInt32(text.count))
        buffer.writeBytes(text)
        buffer.writeBytes(bytes)
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .binary, data: buffer)), promise: nil)
    }

    private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
        session = nil
        var data = context.channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        let channel = context.channel
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)), promise: sent)
    }
}
