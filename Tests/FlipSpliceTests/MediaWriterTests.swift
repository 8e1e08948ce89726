import FlipBase
import FlipMedia
import FlipSplice
import TestSupport
import Testing

@Suite struct MediaWriterTests {
    static let rate = 48000

    static func encoding(frameRate: Rational = Rational(60), codec: String? = nil) -> VideoEncoding {
        VideoEncoding(
            codec: codec, preset: codec == "libx264" ? "ultrafast" : nil, pixelFormat: PixelFormat(name: "yuv420p")!,
            width: 64, height: 48,
            frameRate: frameRate, color: ColorDescription(matrix: "smpte170m", isFullRange: false), threads: 2)
    }

    /// Writes `count` gray frames of increasing brightness, and a click every 0.1 s.
    static func write(
        _ path: String, _ count: Int, video: VideoEncoding = encoding(), audioCodec: String? = nil,
        overwrite: Bool = false
    ) throws {
        let container = try #require(Container.forPath(path))
        let audio = container.supportsAudio ? AudioEncoding(codec: audioCodec, sampleRate: rate) : nil
        var packets: [AudioPacket] = []
        let sound = try audio.map { try AudioAssembler($0, in: container) { packets.append($0) } }
        let writer = try MediaWriter(
            path: path, container: container, video: video,
            sounds: sound.map { [OutputAudio(encoder: $0.model)] } ?? [], overwrite: overwrite)
        let pool = try FramePool(width: 64, height: 48, pixelFormat: video.pixelFormat, color: video.color)
        var written = 0
        for index in 0..<count {
            let frame = try pool.make()
            for plane in 0..<3 {
                let (base, stride) = frame.plane(plane)
                memset(base, plane == 0 ? Int32(16 + index) : 128, stride * (plane == 0 ? 48 : 24))
            }
            try writer.write(frame, at: index)
            let end = (Rational(index + 1) / video.frameRate * Rational(rate)).rounded()
            let samples = (written..<end).map { $0 % 4800 < 48 ? Float(sin(Double($0 % 4800) * 0.13)) : 0 }
            try samples.withUnsafeBufferPointer { buffer in
                try sound?.write(audio: [buffer.baseAddress!, buffer.baseAddress!], count: buffer.count)
            }
            written = end
            if index == count - 1 { try sound?.end() }
            for packet in packets { try writer.write(packet) }
            packets = []
        }
        let bytes = try writer.finish()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == bytes)
    }

    /// Writing after `finish` throws an error and leaves the file unchanged.
    @Test func nothingIsWrittenAfterTheEnd() throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "clip.mkv"
        let container = try #require(Container.forPath(path))
        let video = Self.encoding(codec: "ffv1")
        let writer = try MediaWriter(path: path, container: container, video: video, overwrite: false)
        let pool = try FramePool(width: 64, height: 48, pixelFormat: video.pixelFormat, color: video.color)
        let frame = try pool.make()
        for plane in 0..<3 { memset(frame.plane(plane).base, 128, frame.plane(plane).stride * (plane == 0 ? 48 : 24)) }
        try writer.write(frame, at: 0)
        _ = try writer.finish()
        let whole = try Data(contentsOf: path)
        #expect(throws: MediaError.self) { try writer.write(frame, at: 1) }
        #expect(throws: MediaError.self) { try writer.finish() }
        #expect(try Data(contentsOf: path) == whole)
    }

    /// A frame with the largest number of pixels allowed can be made even with 16 bits and alpha, which takes more than
    /// a GiB in one allocation.
    @Test func framesOfAsManyPixelsAsAreAllowedCanBeMade() throws {
        let format = try #require(PixelFormat(name: "gbrap16le"))
        let pool = try FramePool(
            width: 16384, height: 8192, pixelFormat: format, color: ColorDescription(matrix: "gbr", isFullRange: true))
        let frame = try pool.make()
        // The last row is accessible.
        let (base, stride) = frame.plane(3)
        (base + 8191 * stride).storeBytes(of: 1, as: UInt8.self)
        #expect(frame.width == 16384 && stride >= 32768)
    }

    @Test(arguments: Places.some(["mp4", "mov", "mkv", "webm", "nut", "avi"], every: 3), [31, 60])
    func keepsSoundInStep(container: String, count: Int) throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "clip.\(container)"
        try Self.write(path, count)
        let words = try Judge.fields(path, stream: "v:0", entries: "stream=start_time,nb_read_frames,avg_frame_rate")
        #expect(words == ["60/1", "0.000000", "\(count)"])
        let samples = try Judge.samples(path, channel: 0)
        // The tolerance is one frame at 60 frames per second.
        #expect(abs(samples.count - count * Self.rate / 60) < Self.rate / 60)
        for click in 0..<count * 800 / 4800 {
            let near = max(0, click * 4800 - 600)..<click * 4800 + 600
            let loudest = near.map { abs(samples[$0]) }.max() ?? 0
            let onset = near.first { abs(samples[$0]) > loudest / 2 } ?? 0
            #expect(abs(onset - click * 4800 - 5) <= 8)
        }
    }

    @Test(arguments: ["mp4", "mkv", "webm", "nut"]) func givesTheSameBytesAgain(container: String) throws {
        let scratch = try TemporaryFolder()
        try Self.write(scratch / "a.\(container)", 20)
        try Self.write(scratch / "b.\(container)", 20)
        #expect(
            FileManager.default.contentsEqual(atPath: scratch / "a.\(container)", andPath: scratch / "b.\(container)"))
    }

    /// Encoding many times in one process gives the same bytes, although memory is no longer as clean as for the first
    /// encoder. Rows of 64, 176 and 272 pixels do not fill x264's widest registers.
    @Test(arguments: Places.some([64, 176, 272], every: 3)) func givesTheSameBytesManyTimes(width: Int) throws {
        let scratch = try TemporaryFolder()
        var video = Self.encoding(codec: "libx264")
        video.preset = nil
        video.width = width
        let pool = try FramePool(width: width, height: 48, pixelFormat: video.pixelFormat, color: video.color)
        var results: Set<Data> = []
        for _ in 0..<60 {
            let path = scratch / "clip.mp4"
            let writer = try MediaWriter(
                path: path, container: try #require(Container.named("mp4")), video: video, overwrite: true)
            for index in 0..<20 {
                let frame = try pool.make()
                for plane in 0..<3 {
                    let (base, stride) = frame.plane(plane)
                    for byte in 0..<stride * (plane == 0 ? 48 : 24) {
                        let (x, y) = (byte % stride, byte / stride)
                        base.storeBytes(
                            of: UInt8(truncatingIfNeeded: (3 * x + 6 * index) ^ (y + index)), toByteOffset: byte,
                            as: UInt8.self)
                    }
                }
                try writer.write(frame, at: index)
            }
            _ = try writer.finish()
            results.insert(try Data(contentsOf: path))
        }
        #expect(results.count == 1)
    }

    @Test(arguments: ["y4m", "png", "jpg", "gif", "apng", "bmp", "ppm"])
    func writesPicturesWithoutSound(container: String) throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "clip.\(container)"
        var video = Self.encoding()
        video.pixelFormat = PixelFormat(name: "yuv444p")!
        let row = try #require(Container.forPath(path))
        let native = Encoders.pixelFormat(for: row.defaultVideoCodec, wanted: video.pixelFormat)
        video.color.isFullRange = true
        let pool = try FramePool(width: 64, height: 48, pixelFormat: video.pixelFormat, color: video.color)
        video.pixelFormat = native
        let writer = try MediaWriter(path: path, container: row, video: video, overwrite: false)
        let frame = try pool.make()
        for plane in 0..<3 {
            let (base, stride) = frame.plane(plane)
            memset(base, plane == 0 ? 200 : 128, stride * 48)
        }
        try writer.write(frame, at: 0)
        _ = try writer.finish()
        let gray = try Tool.run("ffmpeg", "-v error -i \(path) -frames:v 1 -pix_fmt gray -f rawvideo -")
        #expect(gray.output.count == 64 * 48)
        // GIF has a small palette.
        let tolerance = container == "gif" ? 40 : 4
        #expect(gray.output.allSatisfy { abs(Int($0) - 200) <= tolerance })
    }

    @Test func replacesNothingUnasked() throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "clip.mp4"
        try "precious".write(to: path)
        let error = #expect(throws: MediaError.self) { try Self.write(path, 2) }
        #expect(error?.kind == .cannotCreate)
        #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
        #expect(try scratch.names == ["clip.mp4"])
        try Self.write(path, 2, overwrite: true)
        #expect(try Judge.fields(path, stream: "v:0", entries: "stream=nb_read_frames") == ["2"])
        #expect(try scratch.names == ["clip.mp4"])
    }

    @Test func leavesNothingBehindWhenCancelled() throws {
        let scratch = try TemporaryFolder()
        let container = try #require(Container.named("mp4"))
        let make = {
            try MediaWriter(path: scratch / "clip.mp4", container: container, video: Self.encoding(), overwrite: false)
        }
        var writer: MediaWriter? = try make()
        #expect(try scratch.names.count == 1 && scratch.names[0].hasPrefix(".clip.mp4.part-"))
        writer = nil
        #expect(try scratch.names.isEmpty)
        writer = try make()
        writer?.cancel()
        #expect(try scratch.names.isEmpty)
        #expect(throws: MediaError.self) { try writer?.finish() }
        #expect(try scratch.names.isEmpty)
    }

    @Test func explainsWhatCannotBe() throws {
        let mp4 = try #require(Container.named("mp4"))
        func kind(_ change: (inout VideoEncoding) -> Void) -> MediaError.Kind? {
            var video = Self.encoding()
            change(&video)
            let scratch = try? TemporaryFolder()
            let path = scratch.map { $0 / "a.mp4" } ?? ""
            let error = #expect(throws: MediaError.self) {
                try MediaWriter(path: path, container: mp4, video: video, overwrite: false)
            }
            #expect((try? scratch?.names) == [])
            return error?.kind
        }
        #expect(kind { $0.codec = "libnothing" } == .missingCodec)
        #expect(kind { $0.codec = "aac" } == .usage)
        #expect(kind { $0.codec = "ffv1" } == .usage)
        #expect(kind { $0.width = 63 } == .usage)
        #expect(kind { $0.options = [("nonsense", "1")] } == .usage)
        #expect(kind { ($0.codec, $0.crf) = ("mpeg4", 20) } == .usage)
        #expect(kind { $0.pixelFormat = PixelFormat(name: "gbrp16le")! } == .usage)
    }
}
