import TestSupport
import Testing

extension CommandTests {
    /// Items of a timeline that play one picture after the other are copied as clips are.
    @Suite(.serialized) struct TimelineCopyTests {
        @Test(.turn(0, of: 2), arguments: ["30", "30000/1001"])
        func aJoinWrittenAsATimelineIsCopiedAlike(rate: String) throws {
            let folder = try TemporaryFolder()
            let name = rate.replacingOccurrences(of: "/", with: "-")
            let files = try [0, 120].map { hue in
                try clips().make(
                    "timeline-copy-\(name)-\(hue).mp4", "-f lavfi -i testsrc2=s=160x90:r=\(rate):d=4",
                    "-f lavfi -i sine=d=4 -vf hue=h=\(hue) -c:v libx264 -g 15 -bf 2 -pix_fmt yuv420p -c:a aac")
            }
            let inputs = [files[0] + "#t=0.5,3.2", files[1], files[0]]
            let look = ["--style", "fold", "--duration", "12f"]
            let timeline = folder / "film.otio"
            try succeed(["export"] + inputs + look + [timeline])
            let (joined, played) = (folder / "joined.mp4", folder / "played.mp4")
            try succeed(inputs + look + ["--render", "smart", joined])
            try succeed([timeline, "--render", "smart", played])
            let meant = try copies(planJSON(inputs + look + ["--render", "smart", folder / "plan.mp4"])).map(\.place)
            #expect(try copies(planJSON([timeline, "--render", "smart", folder / "plan.mp4"])).map(\.place) == meant)
            #expect(meant.map(\.count).reduce(0, +) > 200)
            #expect(try Judge.frameHashes(played) == Judge.frameHashes(joined))
            // Copied frames are the clips' own.
            let own = Set(try files.flatMap { try Judge.frameHashes($0) })
            let hashes = try Judge.frameHashes(played)
            for place in meant { #expect(own.isSuperset(of: hashes[place])) }
        }
    }
}
