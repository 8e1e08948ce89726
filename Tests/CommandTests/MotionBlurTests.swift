import TestSupport
import Testing

extension CommandTests {
    /// `--shutter`, judged by films of so many frames that those of other films can be put together from them.
    @Suite(.serialized) struct MotionBlurTests {
        let folder = TemporaryFolder.make()
        private static let (length, width, height) = (5, 192, 108)
        /// The frames of the overlap that are judged, and how many moments of another film there are from one to the next.
        private static let (count, moments) = (8, 64)

        /// Two clips of a picture each.
        private func inputs(_ pixelFormat: String) throws -> [String] {
            try [("a", "testsrc2"), ("b", "smptehdbars")].map { name, source in
                try clips().make(
                    "blur-\(name)-\(pixelFormat).mkv", "-f lavfi -i \(source)=s=\(Self.width)x\(Self.height):r=25",
                    "-vf loop=-1:1 -frames:v \(Self.length) -pix_fmt \(pixelFormat) -c:v ffv1 -g 1")
            }
        }

        private func film(_ inputs: [String], frames: Int, _ options: [String]) throws -> [TestPicture] {
            let out = folder / "\(frames).mkv"
            try succeed(
                "\(inputs) --overlap freeze --duration \(frames)f --no-audio --video-codec ffv1 -y \(options) \(out)")
            let pixelFormat = try Judge.video(out).pixelFormat
            return try Judge.pictures(
                out, pixelFormat: pixelFormat, width: Self.width, height: Self.height, keepsCodes: true)
        }

        /// The mean of pictures.
        private func mean(_ pictures: ArraySlice<TestPicture>) throws -> TestPicture {
            var mean = try #require(pictures.first)
            for plane in mean.planes.indices {
                for sample in mean.planes[plane].indices {
                    let sum = pictures.reduce(0) { $0 + Int($1.planes[plane][sample]) }
                    mean.planes[plane][sample] = UInt16((sum + pictures.count / 2) / pictures.count)
                }
            }
            return mean
        }

        /// Each frame is the mean of the moments within its exposure; those beside the overlap are the clips' own.
        @Test(
            .turn(2, of: 3),
            arguments: [
                ("yuv420p", ["--look", "whip"], 270.0), ("yuv420p10le", ["--look", "cinema"], 180),
                ("yuv420p", ["--style", "fold", "--mode", "cubic", "--shutter", "360"], 360),
            ])
        func framesAreMeansOfMoments(pixelFormat: String, options: [String], shutter: Double) throws {
            let inputs = try inputs(pixelFormat)
            let found = try film(inputs, frames: Self.count, options)
            let many = (Self.count + 1) * Self.moments
            let moments = try film(inputs, frames: many - 1, options + ["--shutter", "0"])
            try #require(found.count == 2 * Self.length + Self.count && moments.count == 2 * Self.length + many - 1)
            let half = Int(shutter / 720 * Double(Self.moments))
            for index in 0..<Self.count {
                // The moment of the frame, and those around it.
                let place = Self.length - 1 + (index + 1) * Self.moments
                let expected = try mean(moments[place - half..<place + half + 1])
                let difference = PictureDifference(found[Self.length + index], expected)
                #expect(difference.psnr >= 40, "\(options) frame \(index): \(difference)")
                if index == 0 || index == Self.count - 1 || options.contains("cinema") { continue }
                #expect(found[Self.length + index] != moments[place], "\(options) frame \(index) isn't blurred")
            }
            for index in Array(0..<Self.length) + Array(Self.length + Self.count..<found.count) {
                #expect(found[index] == (index < Self.length ? moments[0] : moments[moments.count - 1]))
            }
        }

        /// `still` shows the frame that the film shows when it is that far, and `sheet` those of a transition of the default
        /// duration.
        @Test func stillsAreFramesOfTheFilm() throws {
            let inputs = try inputs("yuv420p")
            let options = ["--transition", "push=shutter=360:easing=linear:duration=\(Self.count)f"]
            let found = try film(inputs, frames: Self.count, options)
            for index in [0, 3, 7] {
                let out = folder / "still.y4m"
                try succeed("still \(inputs) \(out) -y --at \(Double(index + 1) / Double(Self.count + 1)) \(options)")
                let still = try Judge.pictures(
                    out, pixelFormat: "yuv420p", width: Self.width, height: Self.height, keepsCodes: true)
                let difference = PictureDifference(try #require(still.first), found[Self.length + index])
                #expect(difference.worst <= 1, "frame \(index): \(difference)")
            }
        }

        @Test func anglesOutsideTheRangeAreRefused() throws {
            for (options, words) in [
                (["--shutter", "361"], ["shutter", "361", "0...360 degrees"]),
                (["--shutter=-1"], ["shutter", "-1", "0...360 degrees"]),
                (["--transition", "wipe=shutter=half"], ["shutter", "half", "0...360 degrees"]),
            ] {
                let run = try expectExit(["plan"] + inputs("yuv420p") + ["out.mp4"] + options, 64, lines: 1)
                for word in words { #expect(run.messages.contains(word), "\(run.messages)") }
            }
        }

        /// ffmpeg's filter isn't told how long a frame is.
        @Test func commandsForFFmpegAreRefused() throws {
            let run = try expectExit("export --as ffmpeg \(inputs("yuv420p")) out.mp4 --look whip", 64, lines: 1)
            #expect(run.messages.contains("shutter"), "\(run.messages)")
        }
    }
}
