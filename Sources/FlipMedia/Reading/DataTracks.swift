import CLibav
import FlipBase
import FlipBitstream

/// Tracks of data that cameras write beside the picture, and what they write into the header of mp4 and mov files.
extension InputFile {
    /// The tracks of timed data that can be written again, which are read, cut and moved as subtitles are: those of mp4 and mov
    /// files with handlers for metadata, and KLV (SMPTE ST 336) of transport streams.
    var dataTracks: [SubtitleInfo] {
        let data = streams.compactMap { $0 }.filter {
            $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_DATA && !$0.isTimecode
        }
        if data.isEmpty { return [] }
        let entries = sampleEntries
        return data.compactMap { stream in
            let parameters = stream.pointee.codecpar.pointee
            let isKLV = parameters.codec_id == AV_CODEC_ID_SMPTE_KLV
            let entry = entries[Int(stream.pointee.id)] ?? []
            guard isKLV || !entry.isEmpty else { return nil }
            let codec = isKLV ? MediaProbe.codecName(parameters) : String(decoding: entry[4..<8], as: UTF8.self)
            let name = InputFile.text("handler_name", of: stream.pointee.metadata)?.trimmingSpaces
            return SubtitleInfo(
                streamIndex: Int(stream.pointee.index), codec: codec, isText: false, tags: TrackTags(title: name),
                header: entry, isData: true)
        }
    }

    /// The sample entries (ISO/IEC 14496-12 8.5.2) of the tracks of metadata that have one each, by the tracks' numbers.
    private var sampleEntries: [Int: [UInt8]] {
        withBoxes { file, movie in
            var entries: [Int: [UInt8]] = [:]
            for track in file.list(movie) where track.type == "trak" {
                guard let header = file.find(["tkhd"], in: track.content),
                    let handler = file.find(["mdia", "hdlr"], in: track.content),
                    file.read(handler.lowerBound + 8, 4).elementsEqual("meta".utf8),
                    let descriptions = file.find(["mdia", "minf", "stbl", "stsd"], in: track.content),
                    (24...Self.maxEntries).contains(descriptions.count)
                else { continue }
                let entry = Array(file.read(descriptions.lowerBound, descriptions.count).dropFirst(8))
                let isOne = entry.count == descriptions.count - 8 && Bytes.number(entry.prefix(4)) == entry.count
                // In version 0, the track's number follows two times of four bytes, in version 1 of eight.
                let place = header.lowerBound + (file.read(header.lowerBound, 1) == [1] ? 20 : 12)
                if isOne { entries[Bytes.number(file.read(place, 4))] = entry }
            }
            return entries
        } ?? [:]
    }

    /// The moments that were marked with the button of a GoPro camera ("HiLights"), in seconds from the first frame.
    ///
    /// libav makes chapters of the list that cameras up to HERO5 write. Later ones write a list in GoPro's format, in which the
    /// milliseconds stand four numbers before the word MANL, "marked manually" (github.com/icegoogles/GoPro-Highlight-Parser).
    /// Those cameras write a track of telemetry as well, without which the list isn't looked for.
    var marks: [Rational] {
        let hasTelemetry = streams.contains { $0?.pointee.codecpar.pointee.codec_tag == flip_tag_gpmd }
        guard hasTelemetry else { return [] }
        let numbers = withBoxes { file, movie in
            let box = file.find(["udta", "GPMF"], in: movie)
            let keys = box.map { file.read($0.lowerBound, min($0.count, Self.maxEntries)) } ?? []
            let marked = keys.indices.dropFirst(16).filter { keys[$0...].starts(with: "MANL".utf8) }
            return marked.map { Bytes.number(keys[($0 - 16)..<($0 - 12)]) }
        }
        return Set(numbers ?? []).sorted().map { Rational($0, 1000) }
    }

    private static let maxEntries = 1 << 20

    /// Calls `body` with the boxes of an mp4 or mov file and the range of those in its header.
    /// - Returns: nil if it is another file, or can't be sought in.
    private func withBoxes<Result>(_ body: (MovieBoxes, Range<Int>) -> Result) -> Result? {
        guard formatName.hasPrefix("mov"), canSeek, let file = context.pointee.pb else { return nil }
        let place = avio_seek(file, 0, SEEK_CUR)
        defer { avio_seek(file, place, SEEK_SET) }
        let boxes = MovieBoxes { place, count in
            guard avio_seek(file, Int64(place), SEEK_SET) == place else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
                read = Int(max(0, avio_read(file, bytes.baseAddress, Int32(count))))
            }
        }
        return boxes.find(["moov"], in: 0..<byteCount).map { body(boxes, $0) }
    }
}
