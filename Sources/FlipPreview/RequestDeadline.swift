import NIOCore
import NIOHTTP1

/// Closes a connection on which no complete request comes in time. While an answer is being computed the time doesn't run:
/// how long a picture takes depends on this computer, and not on the client.
package final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPServerRequestPart
    package typealias OutboundIn = HTTPServerResponsePart
    package typealias OutboundOut = HTTPServerResponsePart

    private let limit: TimeAmount
    private var deadline: Scheduled<Void>?

    package init(_ limit: TimeAmount) { self.limit = limit }

    package func handlerAdded(context: ChannelHandlerContext) { start(context.channel) }

    package func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { deadline?.cancel() }
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The client has the same time for reading the answer and sending its next request.
        if case .end = unwrapOutboundIn(data) { start(context.channel) }
        context.write(data, promise: promise)
    }

    private func start(_ channel: any Channel) {
        deadline?.cancel()
        deadline = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    }
}
