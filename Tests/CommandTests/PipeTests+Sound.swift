import TestSupport
import Testing

/// Audio of live clips that comes later in the stream than the pictures beside it, or not at all.
extension CommandTests.PipeTests {
    /// A transport stream of 24 s whose audio, after the first 3 s, lies `delay` seconds later in the file than the video beside it.
    private func delayed(by delay: Int) throws -> String {
        let plain = try CommandTests.clips().make(
            "live-24s.ts", "-f lavfi -i testsrc2=s=96x64:r=25:d=24 -f lavfi -i aevalsrc=0.4*sin(100*t*t):s=48000:d=24",
            "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a mp2 -muxrate 2M")
        let bytes = try [UInt8](Data(contentsOf: plain))
        // A packet has 188 bytes and says in 13 bits which stream it belongs to; ffmpeg's second one has 0x101.
        let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<min($0 + 188, bytes.count)] }
        let shift = packets.count * delay / 24
        let places = packets.indices.map { index in
            let packet = packets[index]
            let stream = Int(packet[packet.startIndex + 1] & 0x1F) << 8 | Int(packet[packet.startIndex + 2])
            return (index + (stream == 0x101 && index > packets.count / 8 ? shift : 0), index)
        }
        let path = plain + "-\(delay)"
        let order = places.sorted { $0 < $1 }
        try Data(order.flatMap { packets[$0.1] }).write(to: path)
        return path
    }

    /// Audio that comes up to 10 s after the pictures beside it is heard, whatever the threads do.
    @Test(arguments: Places.some([3, 8], every: 2)) func soundThatComesLaterIsHeard(delay: Int) throws {
        try expectSame(delayed(by: delay), [second("raw", Self.kinds[0].second)], Self.lossless)
    }

    /// What comes later still is left out, with a warning, and it is the same each time.
    @Test func soundThatComesTooLateIsLeftOut() throws {
        let folder = try TemporaryFolder()
        let (a, b) = try (delayed(by: 14), second("raw", Self.kinds[0].second))
        var warnings: Set<[String]> = []
        var contents: Set<[String]> = []
        for name in ["one", "two", "three"] {
            let run = try shell(
                "cat \"$1\" | \"$0\" - \"$2\" \(Self.lossless.joined(separator: " ")) \"$3\"", [a, b, folder / name])
            #expect(run.status == 0, "\(run.story)")
            warnings.insert(CommandTests.warnings(run))
            contents.insert(try content(folder / name))
        }
        #expect(warnings.count == 1 && contents.count == 1)
        let said = warnings.first?.joined(separator: "\n") ?? ""
        let pattern = /left out (\d+) audio packets that came more than 10 s/
        let count = try #require(said.firstMatch(of: pattern)?.1, "\(said)")
        // The audio from 3 to 14 s comes too late, in packets of 1152 samples; after the rest there is no more video.
        #expect((420...460).contains(try #require(Int(count))), "\(said)")
    }

    /// A gap in the audio beside uncompressed pictures, of which 512 MiB last less than 2 s.
    @Test func bigPicturesMayBeSilent() throws {
        let (folder, b) = try (TemporaryFolder(), second("raw", Self.kinds[0].second))
        let run = try shell(
            """
            ffmpeg -v error -f lavfi -i color=s=3840x2160:r=25:d=3.4 -itsoffset 2.6 -f lavfi -i sine=r=48000:d=0.8 \
                -pix_fmt yuv420p -c:v rawvideo -c:a pcm_s16le -f nut - |
                "$0" - "$1" -q -f nut --size 192x108 --transition cut --video-codec rawvideo --audio-codec pcm_s16le - |
                ffmpeg -v error -i - -map 0:a -f s16le -ac 1 "$2"
            """, [b, folder / "out.raw"])
        #expect(run.status == 0 && run.messageLines.isEmpty, "\(run.story)")
        let samples = try Data(contentsOf: folder / "out.raw").withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(samples.count == (34 + 20) * 4800)
        let onset = try #require(samples.firstIndex { $0 != 0 })
        #expect(abs(onset - 26 * 4800) < 100, "\(onset)")
    }
}
