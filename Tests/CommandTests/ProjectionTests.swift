import TestSupport
import Testing

extension CommandTests {
    /// Clips of cameras whose pictures surround the viewer, as equirectangular projections (Spherical Video V2, sv3d and st3d).
    @Suite(.serialized) struct ProjectionTests {
        let folder = TemporaryFolder.make()

        /// A clip that says nothing, and the same with a view for each eye, one above the other, turned by 30 degrees.
        private func pair() throws -> (plain: String, surrounding: String) {
            let plain = try clips().make(
                "projection.mp4", "-f lavfi -i testsrc2=s=128x64:r=30:d=2 -c:v libx264 -pix_fmt yuv420p -g 15")
            let zeros = { [UInt8](repeating: 0, count: $0) }
            let turn = BitString.u(30 << 16, 32).bytes + zeros(8)
            let projection = MP4Boxes.box(
                "proj", MP4Boxes.box("prhd", zeros(4) + turn) + MP4Boxes.box("equi", zeros(20)))
            let boxes =
                MP4Boxes.box("st3d", zeros(4) + [1]) + MP4Boxes.box("sv3d", MP4Boxes.box("svhd", zeros(5)) + projection)
            try Data(MP4Boxes.described([UInt8](Data(contentsOf: plain)), "avc1", by: boxes)).write(
                to: folder / "surrounding.mp4")
            return (plain, folder / "surrounding.mp4")
        }

        /// What ffprobe says of the projection and of the views.
        private func facts(_ path: String) throws -> Set<String> {
            let object = try Judge.probe(path, "-select_streams v:0 -show_streams")
            let sides = ((object["streams"] as? [[String: Any]])?.first?["side_data_list"] as? [[String: Any]]) ?? []
            return Set(sides.flatMap { side in ["type", "projection", "yaw"].compactMap { side[$0].map { "\($0)" } } })
        }

        @Test(.turn(2, of: 3), arguments: ["mp4", "mkv", "webm", "mov"], ["full", "auto"]) func projectionsAreKept(
            ending: String, render: String
        ) throws {
            let clip = try pair().surrounding
            #expect(try facts(clip) == ["top and bottom", "equirectangular", "30"])
            let out = folder / "out.\(ending)"
            let run = try succeed("\(clip) \(clip) --duration 6f --render \(render) \(out)")
            #expect(try facts(out) == (ending == "mov" ? [] : facts(clip)))
            #expect(run.messages.contains("mov files can't say so here") == (ending == "mov"), "\(run.messages)")
            #expect(try Judge.complaints(out) == "")
        }

        @Test func clipsThatDisagreeAreNamed() throws {
            let (plain, surrounding) = try pair()
            let run = try succeed("\(surrounding) \(plain) --duration 6f \(folder / "out.mp4")")
            #expect(run.messages.contains("not all clips are of the same kind"), "\(run.messages)")
            #expect(try facts(folder / "out.mp4") == [])
            try expectExit(
                "\(surrounding) \(plain) --strict \(folder / "no.mp4")", 65,
                saying: "not all clips are of the same kind", lines: 1)
        }
    }
}
