import FlipBase
import FlipMedia
import FlipSplice
import TestSupport
import Testing

/// Which frames of a hold are encoded, and what stands for the others.
@Suite struct HeldFramesTests {
    private func encoder(_ encoding: VideoEncoding) throws -> VideoEncoder {
        try VideoEncoder(encoding, in: #require(Container.forPath("x.mkv")), hasGlobalHeader: true)
    }

    /// x264 with B-frames, so that packets come out of order.
    private func encoding(_ change: (inout VideoEncoding) -> Void = { _ in }) -> VideoEncoding {
        var encoding = MediaWriterTests.encoding(codec: "libx264")
        encoding.preset = "veryfast"
        change(&encoding)
        return encoding
    }

    private func held(_ encoding: VideoEncoding) throws -> HeldFrames? {
        try HeldFrames(encoding, encoder(encoding).encoder)
    }

    // MARK: Parts

    /// A keyframe comes every 250 frames, ffmpeg's default for x264, and 16 frames from each are encoded.
    @Test func theFirstFramesOfEachIntervalAreEncoded() {
        let cases: [(hold: Range<Int>, encoded: [Range<Int>], repeated: [Range<Int>])] = [
            (7..<7, [], []), (7..<8, [7..<8], []), (0..<16, [0..<16], []), (0..<17, [0..<16], [16..<17]),
            (100..<350, [100..<116], [116..<350]), (100..<351, [100..<116, 350..<351], [116..<350]),
            (5..<271, [5..<21, 255..<271], [21..<255]),
            (100..<1000, [100..<116, 350..<366, 600..<616, 850..<866], [116..<350, 366..<600, 616..<850, 866..<1000]),
        ]
        for (hold, encoded, repeated) in cases {
            let parts = HeldFrames.parts(of: hold)
            #expect(parts.map(\.encoded) == encoded, "\(hold)")
            #expect(parts.map(\.repeated).filter { !$0.isEmpty } == repeated, "\(hold)")
            #expect(TrackAssembler.repeatedFrames(of: hold) == repeated, "\(hold)")
        }
    }

    /// Every frame of a hold has one place, in order, however long the hold.
    @Test func partsCoverTheHold() {
        var random = SplitMix64(seed: 21)
        for _ in 0..<300 {
            let start = Int.random(in: 0...10_000, using: &random)
            let hold = start..<start + Int.random(in: 0...5000, using: &random)
            var next = hold.lowerBound
            for (encoded, repeated) in HeldFrames.parts(of: hold) {
                #expect(encoded.lowerBound == next && encoded.upperBound == repeated.lowerBound, "\(hold)")
                #expect((1...16).contains(encoded.count) && repeated.upperBound - next <= 250, "\(hold)")
                next = repeated.upperBound
            }
            #expect(next == hold.upperBound, "\(hold)")
        }
    }

    // MARK: Gaps

    /// A gap is filled when the encoder's packets have passed it, once, and the frame after it is a keyframe until then.
    @Test func gapsWaitForThePacketAfterThem() throws {
        var held = try #require(try held(encoding()))
        #expect(held.gap(before: nil) == nil && held.gap(before: 0) == nil && !held.needsKey(0))
        #expect(held.hold(10..<300) == [10..<26, 260..<276])
        #expect((0...310).filter(held.needsKey) == [260, 300])
        for frame in [10, 25, 26, 259] { #expect(held.gap(before: frame) == nil) }
        #expect(held.gap(before: 260) == 26..<260)
        #expect(held.gap(before: 260) == nil && !held.needsKey(260) && held.needsKey(300))
        #expect(held.gap(before: 299) == nil)
        // After the last packet, everything is due.
        #expect(held.gap(before: nil) == 276..<300)
        #expect(held.gap(before: nil) == nil)
    }

    /// One hold right after another: their gaps stay apart and in order. Short holds leave nothing behind.
    @Test func holdsFollowEachOther() throws {
        var held = try #require(try held(encoding()))
        for index in 0..<10_000 { #expect(held.hold(index * 16..<index * 16 + 16).count == 1) }
        #expect(held.hold(5..<5).isEmpty && held.gap(before: nil) == nil)
        #expect(held.hold(160_000..<160_020) == [160_000..<160_016])
        #expect(held.hold(160_020..<160_100) == [160_020..<160_036])
        // A packet that is far ahead brings up one gap after the other.
        #expect(held.gap(before: 200_000) == 160_016..<160_020)
        #expect(held.gap(before: 200_000) == 160_036..<160_100)
        #expect(held.gap(before: 200_000) == nil)
    }

    // MARK: Encoders

    /// Holds are encoded whole where that is not known to give the same picture: by other encoders, for a bit rate, and
    /// with options of the user's.
    @Test func onlyX264IsShortened() throws {
        #expect(try held(encoding()) != nil)
        #expect(try held(encoding { $0.crf = 30 }) != nil)
        #expect(try held(encoding { $0.bitrate = 100_000 }) == nil)
        #expect(try held(encoding { $0.options = [("g", "12")] }) == nil)
        for codec in ["mpeg4", "ffv1"] { #expect(try held(MediaWriterTests.encoding(codec: codec)) == nil, "\(codec)") }
    }

    /// Before any picture was encoded, there is none to repeat; and only while a gap waits is a packet looked at.
    @Test func nothingIsRepeatedBeforeAPicture() throws {
        var held = try #require(try held(encoding()))
        #expect(held.repeated() == nil)
        // A slice that is cut off after its NAL header.
        let damaged = try Packet([0, 0, 0, 1, 0x65])
        #expect(held.note(damaged, frame: 0) == true)
        _ = held.hold(0..<20)
        #expect(held.note(damaged, frame: 0) == false)
        #expect(held.repeated() == nil)
    }

    /// What stands for the frames of a hold is shown as the last of those that were encoded, by ffmpeg's own decoder.
    @Test func repeatedPacketsShowTheSamePicture() throws {
        let folder = try TemporaryFolder()
        let encoding = encoding()
        let encoder = try encoder(encoding)
        var held = try #require(HeldFrames(encoding, encoder.encoder))
        let pool = try FramePool(width: 64, height: 48, pixelFormat: encoding.pixelFormat, color: encoding.color)
        #expect(held.hold(4..<60) == [4..<20])
        var stream = held.header
        var order: [Int] = []
        let receive = {
            while let packet = try encoder.encoder.receive() {
                let frame = try #require(packet.presentationTime)
                #expect(held.gap(before: frame) == nil)
                #expect(held.note(packet, frame: frame) == true)
                order.append(frame)
                stream += packet.bytes
            }
        }
        for index in 0..<20 {
            let frame = try pool.make()
            for plane in 0..<3 {
                let (base, stride) = frame.plane(plane)
                for byte in 0..<stride * (plane == 0 ? 48 : 24) {
                    let value = UInt8(60 + byte % 61 + 9 * min(index, 4))
                    base.storeBytes(of: value, toByteOffset: byte, as: UInt8.self)
                }
            }
            try encoder.encoder.send(try encoder.prepared(frame, index: index))
            try receive()
        }
        try encoder.encoder.send(nil)
        try receive()
        #expect(order.sorted() == Array(0..<20) && order != Array(0..<20), "\(order)")
        #expect(held.gap(before: nil) == 20..<60)
        for _ in 20..<60 {
            let packet = held.repeated()
            stream += try #require(packet)
        }
        try Data(stream).write(to: folder / "out.h264")
        let hashes = try Judge.frameHashes(folder / "out.h264")
        try #require(hashes.count == 60)
        #expect(Set(hashes[19...]).count == 1)
        #expect(Set(hashes[..<5]).count == 5)
    }
}
