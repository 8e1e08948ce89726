import TestSupport
import Testing

extension CommandTests {
    /// Copied audio that is moved to the nearest packet of the output (`--audio-copy near`).
    @Suite(.serialized) struct AudioCopyTests {
        let folder = TemporaryFolder.make()

        /// A clip with clicks, and what is used of it.
        private struct Clip {
            let path: String
            let frames: Int
            let events: [Double]
            /// The number of frames that are left out at the beginning.
            var skipped = 0

            /// The clip as written on the command line.
            var argument: String { skipped == 0 ? path : path + "#t=\(String(format: "%.4f", Double(skipped) / 30))" }
        }

        /// Twenty clips whose packets lie anywhere, each of which is joined to the next over ten frames.
        private func twentyClips() throws -> [Clip] {
            let codecs = ["-c:v", "libx264", "-g", "15", "-bf", "0", "-c:a", "aac", "-b:a", "256k"]
            let kinds = try [(75, [1.1, 1.7]), (85, [0.9, 2.0]), (94, [1.2, 2.3])].map { frames, events in
                let path = try clips().flashAndClick(
                    "moved-click-\(frames).mp4", seconds: Double(frames) / 30, events: events, codecs: codecs)
                return Clip(path: path, frames: frames, events: events)
            }
            return (0..<20).map { index in
                var clip = kinds[index % 3]
                clip.skipped = [0, 0, 7, 3][index % 4]
                return clip
            }
        }

        /// The frames of the output in which clicks belong, by clips.
        private func clickFrames(_ clips: [Clip], overlap: Int) -> [[Double]] {
            var start = 0
            return clips.map { clip in
                defer { start += clip.frames - clip.skipped - overlap }
                return clip.events.map { Double(start - clip.skipped) + $0 * 30 }
            }
        }

        private func shifts(_ arguments: [String]) throws -> [Double] {
            let inputs = try planRows("inputs", arguments)
            return inputs.map { $0["audioShift"] as? Double ?? 0 }
        }

        /// Most packets are the clips' own; every clip's clicks lie where the plan says, at most half a packet from
        /// their frames, and later clips no farther than earlier ones.
        @Test(arguments: Places.some(["mp4", "mkv"], every: 2))
        func movedClipsStayWithinHalfAPacket(container: String) throws {
            let used = try twentyClips()
            let out = folder / "out.\(container)"
            let arguments =
                used.map(\.argument) + ["--duration", "10f", "--render", "smart", "--audio-codec", "aac", out]
            let shifts = try shifts(arguments)
            #expect(shifts.allSatisfy { abs($0) <= 513.0 / 48000 })
            #expect(Set(shifts).count > 8, "\(shifts)")
            try succeed(arguments)

            let known = try Set(used.map(\.path)).reduce(into: Set<String>()) {
                try $0.formUnion(Judge.audioPacketHashes($1))
            }
            let made = try Judge.audioPacketHashes(out)
            // Of every clip, what is heard alone but for a few packets at either end.
            let alone = used.reduce(0) { $0 + $1.frames - $1.skipped - 20 } * 1600 / 1024
            #expect(made.filter(known.contains).count > alone - 20 * 8)

            let found = try Sound(out).clicks()
            let frames = clickFrames(used, overlap: 10)
            try #require(found.count == frames.joined().count, "clicks at \(found)")
            for (index, clicks) in frames.enumerated() {
                for (event, frame) in clicks.enumerated() {
                    let offset = found[2 * index + event] - frame / 30
                    #expect(abs(offset) < 0.0117, "clip \(index + 1): \(offset) s")
                    #expect(abs(offset - shifts[index]) < 0.001, "clip \(index + 1): \(offset) s, not \(shifts[index])")
                }
            }
            #expect(try Judge.complaints(out) == "")
        }

        /// With `--audio-copy exact`, nothing is moved.
        @Test func exactCopiesMoveNothing() throws {
            let used = try Array(twentyClips().prefix(5))
            let out = folder / "out.mp4"
            let arguments =
                used.map(\.argument) + ["--duration", "10f", "--render", "smart", "--audio-copy", "exact", out]
            #expect(try shifts(arguments) == [0, 0, 0, 0, 0])
            try succeed(arguments)
            let frames = clickFrames(used, overlap: 10).flatMap(\.self)
            try expectClicks(Sound(out), frames.map { $0 / 30 }, within: 0.001)
        }

        /// The phase of a steady tone changes nowhere but in the transition, where one clip's replaces the other's.
        @Test func nothingJumps() throws {
            let clip = { (name: String, frames: Int) in
                try clips().make(
                    name, "-f lavfi -i testsrc2=s=160x90:r=30:d=\(Double(frames) / 30)",
                    "-f lavfi -i aevalsrc='0.3*sin(2*PI*1000*t)':s=48000:d=\(Double(frames) / 30) -c:v libx264 -g 15",
                    "-bf 0 -pix_fmt yuv420p -c:a aac -b:a 192k")
            }
            let (a, b) = try (clip("moved-tone-a.mp4", 127), clip("moved-tone-b.mp4", 141))
            let out = folder / "out.mp4"
            let arguments = [a, b, "--duration", "10f", "--render", "smart", "--audio-bitrate", "192k", out]
            let shifts = try shifts(arguments)
            #expect(abs(shifts[1]) > 0.001, "\(shifts)")
            try succeed(arguments)

            let heard = try Judge.samples(out)
            // Ten periods fill a window, so a steady tone has the same phase in all of them. One sample is 0.13 radians.
            let window = 480
            let phases = (0..<heard.count / window).map { index in
                let part = heard[index * window..<(index + 1) * window]
                let (real, imaginary) = part.enumerated().reduce(into: (0.0, 0.0)) { sum, sample in
                    let angle = 2 * Double.pi * 1000 * Double(sample.offset) / 48000
                    sum.0 += Double(sample.element) * cos(angle)
                    sum.1 += Double(sample.element) * sin(angle)
                }
                let amplitude = (real * real + imaginary * imaginary).squareRoot() * 2 / Double(window)
                return (phase: atan2(imaginary, real), amplitude: amplitude)
            }
            // The transition is at frames 117 to 127; the sound may lie half a packet beside it.
            let (before, after) = (4..<(117 * 1600 / window - 2), (127 * 1600 / window + 3)..<(phases.count - 4))
            for part in [before, after] {
                for index in part.dropFirst() {
                    let difference = phases[index].phase - phases[index - 1].phase
                    let turn = abs(difference.remainder(dividingBy: 2 * .pi))
                    #expect(turn < 0.05, "window \(index): \(turn) radians")
                    #expect(abs(phases[index].amplitude - 0.3) < 0.01, "window \(index): \(phases[index].amplitude)")
                }
            }
        }
    }
}
