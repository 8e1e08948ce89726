import TestSupport
import Testing

extension CommandTests {
    /// Tracks of data that cameras and phones write beside the picture, and the moments that they mark.
    @Suite(.serialized, .needsMedia) struct DataTrackTests {
        let folder = TemporaryFolder.make()

        private struct DataPacket: Equatable {
            var hash: String
            var time: Double
        }

        /// The packets of each data track but that of timecodes, by the tracks' types, of which several may be alike.
        private func packets(_ path: String) throws -> [(tag: String, packets: [DataPacket])] {
            let object = try Judge.probe(
                path,
                "-select_streams d -show_packets -show_data_hash sha256 -show_entries stream=index,codec_tag_string")
            let packets = object["packets"] as? [[String: Any]] ?? []
            return (object["streams"] as? [[String: Any]] ?? []).compactMap { stream in
                guard let tag = stream["codec_tag_string"] as? String, tag != "tmcd" else { return nil }
                let own = packets.filter { $0["stream_index"] as? Int == stream["index"] as? Int }
                return (
                    tag,
                    own.map { packet in
                        DataPacket(
                            hash: packet["data_hash"] as? String ?? "",
                            time: (packet["pts_time"] as? String).flatMap(Double.init) ?? .nan)
                    }
                )
            }
        }

        /// The sample entries of the type `tag`, which begin with their size, in order.
        private func entries(_ path: String, _ tag: String) throws -> [[UInt8]] {
            let data = try [UInt8](Data(contentsOf: path))
            let header = try #require(data.indices.last { data[$0...].starts(with: Array("moov".utf8)) })
            let descriptions = data.indices.dropFirst(header).filter { data[$0...].starts(with: Array("stsd".utf8)) }
            // Version and flags, the number of entries, and the entry's size and type follow.
            return descriptions.filter { data[($0 + 16)...].starts(with: Array(tag.utf8)) }.map {
                let size = data[($0 + 12)..<($0 + 16)].reduce(0) { $0 << 8 | Int($1) }
                return Array(data[($0 + 12)..<($0 + 12 + size)])
            }
        }

        struct Recording: CustomTestStringConvertible, Sendable {
            var name: String
            var ending: String
            var tags: [String]
            var testDescription: String { "\(name) into \(ending)" }
        }

        /// Joined with itself by a cut, a recording's packets are there twice, at the distances that they had, and the tracks are
        /// described by the same bytes.
        @Test(
            .turn(1, of: 2),
            arguments: Places.some(
                [
                    Recording(
                        name: "iphone-hevc-rotate90-editlist-mebx-1080p.mp4", ending: "mov", tags: ["mebx", "mebx"]),
                    Recording(
                        name: "pixel-motion-photo-hevc-two-tracks-mett.mp4", ending: "mp4", tags: ["mett", "mett"]),
                    Recording(name: "gopro-karma-gpmd-tmcd-480p.mp4", ending: "mp4", tags: ["gpmd", "fdsc"]),
                ], every: 3))
        func tracksAreKept(_ recording: Recording) throws {
            let (source, output) = (Places.medium("recordings/\(recording.name)"), folder / "out.\(recording.ending)")
            let run = try succeed([source, source, output, "--transition", "cut", "--render", "auto"])
            #expect(!run.messages.contains("left out the data"), "\(run.story)")
            #expect(try Judge.complaints(output) == "")
            let (before, after) = (try packets(source), try packets(output))
            #expect(after.map(\.tag) == recording.tags && before.map(\.tag) == recording.tags)
            let length = try Judge.video(output).span / 2
            for (old, new) in zip(before, after) {
                let count = old.packets.count
                try #require(new.packets.count == 2 * count, "\(old.tag)")
                // GoPro's telemetry is cut within its last packet, which lasts longer than the picture. The packets of its
                // track for recovery all have the same time, for which mp4 files have to have different ones.
                let whole = old.tag == "gpmd" ? count - 1 : count
                let tolerance = old.tag == "fdsc" ? 0.001 * Double(count) : 0.002
                for index in 0..<whole {
                    for (copy, start) in [(index, 0.0), (count + index, length)] {
                        #expect(new.packets[copy].hash == old.packets[index].hash, "\(old.tag) \(copy)")
                        let distance = new.packets[copy].time - new.packets[copy == index ? 0 : count].time
                        let own = old.packets[index].time - old.packets[0].time
                        // What begins before the picture is moved to its beginning.
                        #expect(abs(distance - own) < tolerance, "\(old.tag) \(copy): \(distance), \(own)")
                        #expect(new.packets[copy].time > start - 0.002, "\(old.tag) \(copy)")
                    }
                }
            }
            for tag in Set(recording.tags) {
                let (own, kept) = (try entries(source, tag), try entries(output, tag))
                #expect(!own.isEmpty && kept == own, "\(tag)")
            }
        }

        /// Clips of different cameras: each has its own tracks, at its own time.
        @Test(.turn(0, of: 2)) func camerasKeepTheirOwn() throws {
            let phone = Places.medium("recordings/iphone-hevc-rotate90-editlist-mebx-1080p.mp4")
            let camera = Places.medium("recordings/gopro-karma-gpmd-tmcd-480p.mp4")
            let output = folder / "out.mp4"
            try succeed([
                phone + "#t=0,1", camera + "#t=2,4", output, "--transition", "cut", "--size", "64x36", "--fps", "25",
            ])
            let tracks = try packets(output)
            #expect(tracks.map(\.tag) == ["mebx", "mebx", "gpmd", "fdsc"])
            #expect(tracks.prefix(2).allSatisfy { $0.packets.map(\.time) == [0] })
            #expect(tracks.dropFirst(2).allSatisfy { abs($0.packets[0].time - 1) < 0.02 })
            #expect(try entries(output, "mebx") == entries(phone, "mebx"))
            let piped = try succeed([
                phone + "#t=0,0.5", camera + "#t=2,2.5", "-", "--transition", "cut", "--size", "64x36", "--fps", "25",
                "--format", "mp4",
            ])
            #expect(
                warnings(piped).filter { $0.hasSuffix("it can't be written through a pipe") }.count == 3,
                "\(piped.story)")
        }

        /// KLV of a transport stream: each packet at its picture, and only those of the parts that are shown.
        @Test func klvIsKeptInTransportStreams() throws {
            let camera = Places.medium("recordings/gopro-karma-gpmd-tmcd-480p.mp4")
            let stream = folder / "stream.ts"
            try Tool.ffmpeg(
                "-v error -i \(camera) -map 0:0 -map 0:3 -c copy -copy_unknown -bsf:v h264_mp4toannexb \(stream)")
            let file = try [UInt8](Data(contentsOf: stream))
            try Data(TransportStream.withKLV(file)).write(to: stream)
            let output = folder / "out.ts"
            try succeed([stream + "#t=0.5,6.5", stream + "#t=3,8", output, "--transition", "cut", "--render", "auto"])
            let (before, after) = (try packets(stream), try packets(output))
            #expect(before.map(\.tag) == ["KLVA"] && after.map(\.tag) == ["KLVA"])
            let (start, first) = (try Judge.firstTime(stream, "v") ?? 0, try Judge.firstTime(output, "v") ?? 0)
            let rate = 30000.0 / 1001
            let parts = [(0.5, 6.5, 0.0), (3.0, 8.0, (6 * rate).rounded() / rate)]
            let expected = parts.flatMap { from, to, place in
                before[0].packets.filter { from..<to ~= $0.time - start }.map {
                    DataPacket(hash: $0.hash, time: $0.time - start - from + place)
                }
            }
            #expect(after[0].packets.map(\.hash) == expected.map(\.hash))
            let offsets = zip(after[0].packets, expected).map { $0.time - first - $1.time }
            #expect(offsets.allSatisfy { abs($0) < 1.01 / rate }, "\(offsets)")
            let other = try succeed([stream + "#t=0,1", stream + "#t=0,1", folder / "out.mp4", "--size", "64x36"])
            #expect(
                warnings(other).contains { $0.hasSuffix("(stream 1, klv): mp4 files can't hold it (ts and m2ts may)") },
                "\(other.story)")
        }

        /// The moments that are marked with a camera's button become chapters, in both ways in which cameras have written them.
        @Test(arguments: ["HMMT", "GPMF"]) func marksAreChapters(box: String) throws {
            let camera = Places.medium("recordings/gopro-karma-gpmd-tmcd-480p.mp4")
            let track: Words = "-i \(camera) -map 0 -map 1:3 -c:d copy -map_metadata -1"
            let clip = try clips().make(
                "marked.mp4",
                "-f lavfi -i testsrc=s=64x36:r=25:d=4 \(track.list) -metadata title=marked -t 4 -movflags -faststart")
            let file = try [UInt8](Data(contentsOf: clip))
            let number = { BitString.u($0, 32).bytes }
            let manual = { number($0) + number(0) + number(0) + number(0) + Array("MANL".utf8) }
            let content =
                box == "HMMT"
                ? number(2) + number(1200) + number(2500) + number(0) : Array("HLMT".utf8) + manual(1200) + manual(2500)
            let marked = folder / "marked.mp4"
            try Data(MP4Boxes.adding(MP4Boxes.box(box, content), to: ["moov", "udta"], of: file))
                .write(to: marked)
            try succeed([marked, marked + "#t=1,4", folder / "out.mkv", "--transition", "cut"])
            let chapters = try Judge.chapters(folder / "out.mkv")
            // libav gives those of older cameras no titles.
            let titles = box == "HMMT" ? ["", ""] : ["HiLight 1", "HiLight 2"]
            #expect(chapters.map(\.title) == titles + titles)
            for (chapter, start) in zip(chapters, [1.2, 2.5, 4.2, 5.5]) {
                #expect(abs(chapter.start - start) <= 0.021, "\(chapter.start)")
            }
        }
    }
}
