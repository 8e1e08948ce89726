import TestSupport
import Testing

extension CommandTests {
    /// What copied sound says of its loudness holds for what is encoded beside it.
    @Suite(.serialized) struct StatedLoudnessTests {
        let folder = TemporaryFolder.make()

        /// What packets of AC-3 and E-AC-3 say of their loudness, one after another, in the bits of their headers.
        private func loudness(_ path: String, _ codec: String) throws -> [String] {
            let raw = folder / "raw.\(codec)"
            try Tool.ffmpeg("-y -i \(path) -map 0:a -c copy -f \(codec) \(raw)")
            let bytes = try [UInt8](Data(contentsOf: raw))
            let sizes = try Judge.rows(raw, "packets", "-show_entries packet=size").compactMap {
                ($0["size"] as? String).flatMap { Int($0) }
            }
            let starts = sizes.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }.dropLast()
            return starts.map { start in
                let bits = bytes[start..<start + 16].map { String(String(256 + Int($0), radix: 2).dropFirst()) }
                    .joined()
                func field(_ place: Int, _ count: Int) -> Int {
                    Int(bits.dropFirst(place).prefix(count), radix: 2) ?? -1
                }
                // In AC-3 of 5.1: the levels of center and surround, speech, no compression and language, mixing level and room.
                return codec == "eac3"
                    ? "\(field(45, 5))"
                    : "\(field(51, 2)) \(field(53, 2)) \(field(56, 5)) \(field(61, 3)) \(field(64, 7))"
            }
        }

        /// What is encoded between two clips says of its loudness what the clip beside it says.
        @Test(arguments: ["ac3", "eac3"]) func loudnessDoesNotJump(codec: String) throws {
            let films = try [27, 20].map { level in
                let center = level == 27 ? 0.5 : 0.707
                let mixing: Words =
                    "-center_mixlev \(center) -surround_mixlev 0.5 -mixing_level \(80 + level) -room_type 2"
                return try clips().make(
                    "loudness-\(codec)-\(level).mkv",
                    "-f lavfi -i testsrc2=s=160x96:r=30:d=4 -f lavfi -i anoisesrc=r=48000:d=4:a=0.3:seed=\(level)",
                    "-c:v libx264 -g 15 -bf 0 -pix_fmt yuv420p -c:a \(codec) -ac 6 -b:a 448k -dialnorm -\(level)",
                    "\(codec == "ac3" ? mixing.list : [])")
            }
            let out = folder / "out.mkv"
            try succeed(films + [out, "--duration", "0.6", "--render", "smart"])
            let (own, made) = try (films.map { try loudness($0, codec) }, loudness(out, codec))
            #expect(own.allSatisfy { Set($0).count == 1 } && own[0][0] != own[1][0])
            let first = made.prefix { $0 == own[0][0] }.count
            // The middle of the transition is at 3.7 s, and a packet lasts 32 ms.
            #expect((112...119).contains(first), "\(first)")
            #expect(made.dropFirst(first).allSatisfy { $0 == own[1][0] }, "\(Set(made))")
            #expect(made.count == 231 || made.count == 232)
        }
    }
}
