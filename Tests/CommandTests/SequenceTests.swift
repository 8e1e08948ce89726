import TestSupport
import Testing

extension CommandTests {
    /// Image sequences are written completely or not at all.
    @Suite(.serialized) struct SequenceTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> [String] {
            try [clips().pattern("sequence-a", frames: 12), clips().pattern("sequence-b", frames: 10, hue: 90)]
        }

        /// 12 + 10 frames less the overlap of 5.
        private static let frames = 17

        private func join(_ pattern: String, _ more: [String] = []) throws -> ToolRun {
            try CommandTests.run(inputs() + ["--duration", "0.2"] + more + [pattern])
        }

        private func names(_ kind: String, _ count: Int = frames) -> [String] {
            (1...count).map { String(format: "%03d.", $0) + kind }
        }

        @Test(arguments: Places.some(["png", "jpg", "tiff", "bmp", "ppm", "dpx", "webp"], every: 3))
        func everyFrameIsAPicture(kind: String) throws {
            let run = try join(folder / "%03d.\(kind)")
            #expect(run.status == 0 && run.messages == "", "\(run.story)")
            #expect(try folder.names == names(kind))
            for name in try [folder.names.first, folder.names.last].compactMap({ $0 }) {
                // ffmpeg's TIFF decoder complains about a tag that its encoder writes.
                #expect(try kind == "tiff" || Judge.complaints(folder / name) == "")
                let picture = try Judge.video(folder / name)
                #expect(picture.frameCount == 1 && picture.width == 160 && picture.height == 90)
            }
            #expect(try Set(Judge.frameHashes(folder / "%03d.\(kind)")).count == Self.frames)
        }

        /// The pictures are the frames of the lossless video, within the precision of the conversion to R'G'B'.
        @Test func thePicturesAreTheFilms() throws {
            #expect(try join(folder / "%d.png").status == 0)
            #expect(try join(folder / "film.mkv", ["--video-codec", "ffv1"]).status == 0)
            let (pictures, film) = try (frames(folder / "%d.png"), frames(folder / "film.mkv"))
            try #require(pictures.count == Self.frames && film.count == Self.frames)
            for (picture, frame) in zip(pictures, film) { #expect(PictureDifference(picture, frame).psnr > 30) }
        }

        private func frames(_ path: String) throws -> [TestPicture] {
            try Judge.pictures(path, pixelFormat: "gbrp", width: 160, height: 90)
        }

        @Test func existingFramesStayWithoutLeave() throws {
            let old = Data("precious".utf8)
            for name in ["009.png", "040.png", "9.png", "009.jpg", "x009.png"] { try old.write(to: folder / name) }
            let before = try folder.names
            let refused = try join(folder / "%03d.png")
            #expect(refused.status == 73 && refused.messageLines.count == 1 && refused.messages.contains(".png"))
            #expect(try folder.names == before)
            #expect(FileManager.default.contents(atPath: folder / "009.png") == old)
            // With -y, only what has the name of a frame is replaced.
            let run = try join(folder / "%03d.png", ["-y"])
            #expect(run.status == 0 && run.messages.isEmpty, "\(run.story)")
            #expect(try folder.names == (names("png") + ["009.jpg", "040.png", "9.png", "x009.png"]).sorted())
            #expect(FileManager.default.contents(atPath: folder / "040.png") == old)
            #expect(try Judge.frameHashes(folder / "%03d.png").count == Self.frames)
        }

        /// Frames right after the last one would be read as its continuation.
        @Test func framesThatSeemToContinueAreNamed() throws {
            let next = folder / "018.png"
            try "precious".write(to: next)
            let run = try join(folder / "%03d.png", ["-y"])
            #expect(run.status == 0 && run.messageLines.count == 1, "\(run.story)")
            #expect(run.messages.contains("018.png") && run.messages.contains("17 frames"))
            #expect(FileManager.default.contents(atPath: next) == Data("precious".utf8))
        }

        @Test func onePictureHoldsNoFilm() throws {
            for name in ["out.png", "out.jpg", "%s.png", "%03d-%03d.png", "%-3d.png"] {
                let run = try join(folder / name)
                #expect(
                    run.status == 64 && run.messageLines.count == 1 && run.messages.contains("%05d"), "\(run.story)")
            }
            let codec = try join(folder / "%d.png", ["--video-codec", "libx264"])
            #expect(codec.status == 64 && codec.messages.contains("libx264"), "\(codec.story)")
            let nowhere = try join(folder / "nowhere/%d.png")
            #expect(nowhere.status == 73 && nowhere.messages.contains("nowhere"), "\(nowhere.story)")
            #expect(try folder.names == [])
            #expect(try join(folder / "100%%-%d.png").status == 0)
            #expect(try folder.names.contains("100%-17.png") && folder.names.count == Self.frames)
        }

        @Test func aFrameThatIsAnInputStays() throws {
            #expect(try join(folder / "%d.png").status == 0)
            let before = try Data(contentsOf: folder / "3.png")
            let run = try CommandTests.run([folder / "3.png", inputs()[1], "-y", "--duration", "1f", folder / "%d.png"])
            #expect(run.status == 64 && run.messages.contains("3.png"), "\(run.story)")
            #expect(try Data(contentsOf: folder / "3.png") == before)
        }

        @Test(.turn(1, of: 2)) func beingStoppedLeavesNoFrame() throws {
            let long = try clips().long()
            let old = Data("precious".utf8)
            try old.write(to: folder / "001.png")
            for (signal, status) in [(SIGTERM, 130), (SIGKILL, 128 + SIGKILL)] {
                let run = try CommandTests.run([long, long, "-y", folder / "%03d.png"], interruption: (1.5, signal))
                #expect(run.status == status, "\(run.story)")
                #expect(try folder.names.filter { !$0.hasPrefix(".%03d.png.part-") } == ["001.png"])
                #expect(FileManager.default.contents(atPath: folder / "001.png") == old)
            }
            #expect(try folder.names.count == 2)
            #expect(try join(folder / "%03d.png", ["-y"]).status == 0)
            #expect(try folder.names == names("png"))
        }

        @Test(.enabled(if: SmallDisk.canBeMade, Comment(rawValue: SmallDisk.cannotBeMade)))
        func aFullDiskLeavesTheOldFrames() throws {
            let disk = try SmallDisk(kilobytes: 100)
            let old = Data("precious".utf8)
            try old.write(to: disk.path + "/001.bmp")
            let run = try join(disk.path + "/%03d.bmp", ["-y"])
            #expect(run.status == 74 && run.messageLines.count == 1, "\(run.story)")
            #expect(try disk.names == ["001.bmp"])
            #expect(FileManager.default.contents(atPath: disk.path + "/001.bmp") == old)
        }
    }
}
