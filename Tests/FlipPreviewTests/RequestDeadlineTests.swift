import FlipPreview
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@Suite struct RequestDeadlineTests {
    private let head = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/cell/0/0/1"))

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline(.seconds(10)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        return channel
    }

    @Test func aConnectionWithoutARequestIsClosed() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2))
        #expect(!channel.isActive)
    }

    @Test func anAnswerMayTakeLonger() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        try channel.writeInbound(head)
        channel.embeddedEventLoop.advanceTime(by: .seconds(3600))
        #expect(channel.isActive)
        let answer = HTTPResponseHead(version: .http1_1, status: .ok)
        try channel.writeOutbound(HTTPServerResponsePart.head(answer))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        // Then the next request is due.
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }
}
