import TestSupport
import Testing

extension CommandTests {
    /// Spliced and generated bitstreams, which other decoders than libavcodec must decode to the same frames.
    @Suite(.serialized) struct DecoderFamilyTests {
        let folder = TemporaryFolder.make()

        private func clip(_ name: String, hue: Int, _ settings: [String]) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=192x128:r=30:d=1000 -frames:v 70 -vf hue=h=\(hue),format=yuv420p -g 30",
                "-sc_threshold 0 -colorspace bt709 -color_primaries bt709 -color_trc bt709 \(settings)")
        }

        private func expectSame(_ frames: [Data], _ others: [Data], count: Int) {
            #expect(frames.count == count && others.count == count, "\(frames.count) and \(others.count) frames")
            let different = zip(frames, others).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
            #expect(different == [], "frames that differ")
        }

        /// OpenH264 decodes splices of clips that differ in profile, entropy coding and slices. Their decoded picture
        /// buffers are of the same size: where it changes, OpenH264 drops the frame before the splice, as H.264 C.4.4
        /// allows.
        @Test(
            arguments: Places.some(
                [
                    ["-profile:v", "baseline"], ["-profile:v", "main", "-bf", "0"], ["-bf", "0", "-slices", "2"],
                ], every: 3))
        func openH264DecodesSplices(settings: [String]) throws {
            let name = settings.joined().filter { $0.isLetter || $0.isNumber }
            let a = try clip("family-a-\(name).mp4", hue: 0, ["-c:v", "libx264"] + settings)
            let b = try clip("family-b.mp4", hue: 90, ["-c:v", "libx264", "-bf", "0", "-slices", "3"])
            let out = folder / "out.mp4"
            try succeed([a, b, "--duration", "15f", "--render", "smart", out])
            let size = (width: 192, height: 128)
            // The decoder must agree on the clips themselves, or the comparison of the output means nothing.
            for source in [a, b] {
                try expectSame(
                    Judge.openH264Frames(source, size: size), Judge.libavFrames(source, size: size), count: 70)
            }
            try expectSame(Judge.openH264Frames(out, size: size), Judge.libavFrames(out, size: size), count: 125)
        }

        /// OpenH264 decodes the pictures of a hold that repeat others, which the program writes without an encoder.
        @Test(arguments: ["ultrafast"]) func openH264DecodesHolds(preset: String) throws {
            try DeckTests.pictures(3, folder, size: "192x128")
            let out = folder / "out.mp4"
            try succeed(
                "deck \(folder.path) \(out) --fps 25 --hold 300f --duration 10f --size 192x128 --preset \(preset)")
            let packets = try Judge.rows(out, "packets", "-select_streams v -show_entries packet=size")
            let small = packets.filter { Int($0["size"] as? String ?? "") ?? .max < 40 }.count
            try #require(small > 700, "most pictures repeat others")
            let size = (width: 192, height: 128)
            try expectSame(Judge.openH264Frames(out, size: size), Judge.libavFrames(out, size: size), count: 900)
        }

        /// libde265 decodes splices of closed GOPs. Version 1.0.11 fails on the leading pictures of open GOPs and on
        /// multiple slices, even in the clips themselves.
        @Test(
            arguments: Places.some(["open-gop=0:bframes=2:ref=4", "b-adapt=0:bframes=4:radl=2:open-gop=0"], every: 2))
        func libde265DecodesSplices(settings: String) throws {
            let common = "log-level=error:keyint=30:scenecut=0:"
            let name = settings.filter { $0.isLetter || $0.isNumber }
            let a = try clip("family-a-\(name).mkv", hue: 0, ["-c:v", "libx265", "-x265-params", common + settings])
            let b = try clip(
                "family-closed.mp4", hue: 90,
                ["-c:v", "libx265", "-x265-params", common + "open-gop=0:b-adapt=0:bframes=3"])
            let out = folder / "out.mp4"
            try succeed([a, b, "--duration", "15f", "--render", "smart", out])
            let size = (width: 192, height: 128)
            for source in [a, b] {
                try expectSame(
                    Judge.libde265Frames(source, size: size), Judge.libavFrames(source, size: size), count: 70)
            }
            try expectSame(Judge.libde265Frames(out, size: size), Judge.libavFrames(out, size: size), count: 125)
        }
    }
}
