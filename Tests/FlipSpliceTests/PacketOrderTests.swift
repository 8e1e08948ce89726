import FlipMedia
import FlipSplice
import TestSupport
import Testing

/// The times of an assembled track's packets: one packet for each frame, packet n decoded at frame n - reorder depth, and none
/// decoded after it is shown.
@Suite struct PacketOrderTests {
    private struct Times: Equatable {
        var presentation: Int?
        var decoding: Int?
        var duration: Int?
    }

    /// Places a packet, and returns its times.
    @discardableResult private func place(
        _ frame: Int, isKey: Bool = false, isStart: Bool = false, in order: inout PacketOrder
    ) throws -> Times {
        let packet = try Packet([0])
        packet.setFlags(isKey: isKey)
        try order.place(packet, at: frame, isStart: isStart)
        return Times(presentation: packet.presentationTime, decoding: packet.decodingTime, duration: packet.duration)
    }

    private func fault(_ frame: Int, in order: inout PacketOrder) throws -> String? {
        do {
            try place(frame, in: &order)
            return nil
        } catch let fault as PacketOrder.Fault {
            return fault.reason
        }
    }

    /// The frames I0 P4 B2 b1 b3 of a pyramid, which is decoded two frames ahead.
    @Test func packetsAreDecodedOneAfterTheOther() throws {
        var order = PacketOrder(reorderDepth: 2)
        for (number, frame) in [0, 4, 2, 1, 3].enumerated() {
            let times = try place(frame, isKey: frame == 0, isStart: frame == 0, in: &order)
            #expect(times == Times(presentation: frame, decoding: number - 2, duration: 1))
        }
        let track = try order.track()
        #expect(track.frames == 5 && order.count == 5)
        #expect(track.starts == [.init(frame: 0, decoding: -2)] && track.keys == [0])
    }

    /// A keyframe at which decoding can't begin, as one in an open GOP, is no start. Both are counted in decoding order.
    @Test func startsAndKeyframesAreToldApart() throws {
        var order = PacketOrder(reorderDepth: 1)
        try place(0, isKey: true, isStart: true, in: &order)
        try place(2, isKey: true, in: &order)
        try place(1, in: &order)
        try place(4, isKey: true, isStart: true, in: &order)
        try place(3, isStart: true, in: &order)
        let track = try order.track()
        #expect(track.keys == [0, 1, 3])
        #expect(
            track.starts == [.init(frame: 0, decoding: -1), .init(frame: 4, decoding: 2), .init(frame: 3, decoding: 3)])
    }

    @Test func whatIsWrongIsSaid() throws {
        var order = PacketOrder(reorderDepth: 0)
        try place(1, in: &order)
        #expect(try fault(0, in: &order) == "frame 0 would be decoded after it is shown")
        order = PacketOrder(reorderDepth: 1)
        try place(1, in: &order)
        #expect(try fault(0, in: &order) == nil)
        #expect(try fault(1, in: &order) == "frame 1 is there twice")
        // A refused packet takes no place: the next one has the next DTS.
        #expect(try place(2, in: &order) == Times(presentation: 2, decoding: 1, duration: 1))
        order = PacketOrder(reorderDepth: 3)
        #expect(try fault(-1, in: &order) == "there is a frame before the first")
        #expect(order.count == 0)
    }

    @Test func missingFramesAreFoundAtTheEnd() throws {
        var order = PacketOrder(reorderDepth: 2)
        #expect(try order.track().frames == 0 && order.track().starts.isEmpty && order.track().keys.isEmpty)
        try place(0, in: &order)
        #expect(try order.track().frames == 1)
        try place(3, in: &order)
        try place(2, in: &order)
        #expect(throws: PacketOrder.Fault.self) { try order.track() }
        do { _ = try order.track() } catch { #expect(error.reason == "frame 1 is missing") }
        try place(1, in: &order)
        #expect(try order.track().frames == 4)
    }

    /// Frames in any order need the depth of the packet that lags most behind its place, and no more.
    @Test func anOrderNeedsTheDepthOfItsLatestPacket() throws {
        var random = SplitMix64(seed: 20)
        for _ in 0..<200 {
            var frames = Array(0..<Int.random(in: 1...40, using: &random))
            let reach = Int.random(in: 0...6, using: &random)
            for index in frames.indices.dropLast() {
                frames.swapAt(index, Int.random(in: index...min(index + reach, frames.count - 1), using: &random))
            }
            let depth = frames.enumerated().map { $0 - $1 }.max() ?? 0
            var order = PacketOrder(reorderDepth: depth)
            for frame in frames { try place(frame, in: &order) }
            #expect(try order.track().frames == frames.count)
            guard depth > 0 else { continue }
            var shallow = PacketOrder(reorderDepth: depth - 1)
            let faults = try frames.map { try fault($0, in: &shallow) }
            #expect(faults.contains { $0?.hasSuffix("would be decoded after it is shown") == true }, "\(frames)")
        }
    }

    /// Times that a packet had before, or lacked, make no difference.
    @Test func formerTimesAreReplaced() throws {
        var order = PacketOrder(reorderDepth: 0)
        let packet = try Packet([0])
        #expect(packet.presentationTime == nil && packet.decodingTime == nil && packet.duration == nil)
        packet.setTimes(presentation: 99, decoding: 77, duration: 5)
        try order.place(packet, at: 0, isStart: false)
        #expect(packet.presentationTime == 0 && packet.decodingTime == 0 && packet.duration == 1)
    }

    /// A day at 25 frames per second, as a hold of one picture has it.
    @Test func aLongHoldIsCountedToItsEnd() throws {
        let frames = 24 * 3600 * 25
        var order = PacketOrder(reorderDepth: 2)
        let packet = try Packet([0])
        for frame in 0..<frames { try order.place(packet, at: frame, isStart: frame == 0) }
        #expect(packet.decodingTime == frames - 3)
        let track = try order.track()
        #expect(track.frames == frames && track.starts.count == 1 && track.keys.isEmpty)
    }
}
