import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// Projects that Kdenlive 22.12.3 saved after the transition had been added in its window, rendered by melt as
    /// Kdenlive does. In `lower`, a composition joins clips on two tracks, with the outgoing clip on the lower one; in `mix`, it
    /// joins two clips on one track. After saving, the compositions were shortened from 75 frames to 25, and the data about the
    /// media's contents and the window was removed.
    @Suite(
        .serialized, .enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)),
        .enabled(if: PluginTests.has("melt"), "needs melt"))
    struct KdenliveProjectTests {
        let folder = TemporaryFolder.make()

        /// What the program draws of frame `first` of A and frame `second` of B; `progress` is that before easing.
        private func still(
            _ inputs: [String], _ first: Int, _ second: Int, progress: Double, _ folder: TemporaryFolder
        ) throws -> TestPicture {
            try succeed(
                "still \(inputs[0] + "#t=0,\(Double(first + 1) / 25)") \(inputs[1] + "#t=\(Double(second) / 25)")",
                "\(folder / "still.png") --at \(Flip().defaults.easing(progress)) -y")
            return try #require(
                try Judge.pictures(folder / "still.png", pixelFormat: "gbrp", width: 320, height: 180).first)
        }

        /// Two lossless clips of 75 frames in R'G'B'.
        private func inputs() throws -> [String] {
            try ["bunny", "flower"].map { name in
                try clips().make(
                    "kdenlive-\(name).mkv", "-i \(Places.package)/Media/\(name).mp4 -an",
                    "-vf fps=25,scale=320:180,format=gbrp -frames:v 75 -c:v ffv1")
            }
        }

        /// Renders the first 100 frames of a project, after `edit`, at 320x180 and returns the output's path.
        private func render(
            _ name: String, _ folder: TemporaryFolder, _ edit: (inout String) -> Void = { _ in }
        ) throws -> String {
            for (input, name) in zip(try inputs(), ["a.mkv", "b.mkv"])
            where !FileManager.default.fileExists(atPath: folder / name) {
                try folder.add(input, as: name)
            }
            let isTurned = name == "upper"
            let saved = Places.package + "/Tests/Tools/kdenlive/\(isTurned ? "lower" : name).kdenlive"
            var project = try String(contentsOf: saved)
            for (saved, here) in [
                ("@ROOT@", folder.path), ("width=\"1920\"", "width=\"320\""), ("height=\"1080\"", "height=\"180\""),
            ] {
                try #require(project.contains(saved))
                project = project.replacingOccurrences(of: saved, with: here)
            }
            if isTurned {
                // With the outgoing clip on the upper track, Kdenlive saves the tracks in the other order, and `swap` as 1.
                let tracks = ["tractor2", "tractor3"].map { "<track producer=\"\($0)\"/>" }
                let swap = { (value: Int) in "<property name=\"swap\">\(value)</property>" }
                try #require(project.contains(tracks.joined(separator: "\n  ")) && project.contains(swap(0)))
                project = project.replacing(
                    tracks.joined(separator: "\n  "), with: tracks.reversed().joined(separator: "\n  ")
                ).replacing(swap(0), with: swap(1))
            }
            edit(&project)
            try project.write(to: folder / "project.kdenlive")
            // Kdenlive composites tracks with Qt, which needs no display in this environment.
            try MeltRun.succeed(
                [
                    folder / "project.kdenlive", "in=0", "out=99", "-consumer", "avformat:\(folder / "out.mkv")",
                    "vcodec=ffv1", "pix_fmt=bgr0", "an=1", "real_time=-1",
                ], writing: folder / "out.mkv", environment: ["QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none"])
            return folder / "out.mkv"
        }

        /// The page turns from frame `first` to frame `last` of the project, the transition's `in` and `out`. At frame
        /// `start`, B begins.
        @Test(
            .turn(1, of: 2),
            arguments: Places.some([("lower", 50, 74, 50), ("upper", 50, 74, 50), ("mix", 37, 62, 25)], every: 3))
        func thePageTurns(name: String, first: Int, last: Int, start: Int) throws {
            let inputs = try inputs()
            let frames = try Judge.pictures(render(name, folder), pixelFormat: "gbrp", width: 320, height: 180)
            try #require(frames.count == 100)
            let clips = try inputs.map { try Judge.pictures($0, pixelFormat: "gbrp", width: 320, height: 180) }
            for frame in [3, first - 1, first] {
                #expect(frames[frame] == clips[0][frame], "\(frame) is the first clip's")
            }
            for frame in [last, last + 1, 98] {
                #expect(frames[frame] == clips[1][frame - start], "\(frame) is the second clip's")
            }
            for frame in [first + 3, first + 8, first + 12, first + 17, last - 3] {
                let progress = Double(frame - first) / Double(last - first)
                let expected = try still(inputs, frame, frame - start, progress: progress, folder)
                let difference = PictureDifference(frames[frame], expected)
                #expect(difference.psnr >= 48, "\(name) \(frame): \(difference)")
            }
        }

        /// Of consecutive mixes, every second one has its first clip in the track's second playlist, with the playlists
        /// in reverse order, and must look the same.
        @Test(.turn(0, of: 2)) func mixesInARowTakeTurns() throws {
            let first = try Judge.frameHashes(render("mix", folder))
            let turned = try render("mix", folder) { project in
                let lists = ["playlist4", "playlist5"].map { "<track hide=\"audio\" producer=\"\($0)\"/>" }
                let service = "<property name=\"mlt_service\">frei0r.fliptransition</property>"
                let tracks = ["a_track", "b_track"].enumerated().map { "<property name=\"\($1)\">\($0)</property>" }
                let exchanged = ["a_track", "b_track"].enumerated().map {
                    "<property name=\"\($1)\">\(1 - $0)</property>"
                }
                var parts = project.components(separatedBy: "  <transition ").map { part in
                    part.contains(service)
                        ? zip(tracks, exchanged).reduce(part) { $0.replacingOccurrences(of: $1.0, with: $1.1) } : part
                }
                parts[0] = parts[0].replacingOccurrences(of: lists[0], with: "LIST")
                    .replacingOccurrences(of: lists[1], with: lists[0]).replacingOccurrences(of: "LIST", with: lists[1])
                project = parts.joined(separator: "  <transition ")
            }
            #expect(try Judge.frameHashes(turned) == first && Set(first).count > 90)
            let project = try String(contentsOf: folder / "project.kdenlive")
            #expect(project.contains("<property name=\"a_track\">1</property>"))
        }
    }
}
