import CLibav
import FlipBase

/// A named span of a video.
package struct Chapter: Sendable, Hashable, Encodable {
    /// The chapter's title; empty where it has none.
    package var title: String
    /// Start and end in seconds from the first frame. They may be below 0 in a file whose video starts late.
    package var start: Rational
    package var end: Rational

    package init(title: String, start: Rational, end: Rational) {
        (self.title, self.start, self.end) = (title, start, end)
    }
}

extension InputFile {
    /// The file's chapters in order of time, in seconds from `origin`, which is stream time in seconds. In a file without any,
    /// each moment that was marked while recording begins one that lasts until the next.
    /// - Parameter end: the time at which the last of these ends.
    func chapters(from origin: Rational, to end: Rational) -> [Chapter] {
        let own = ownChapters(from: origin)
        let marks = own.isEmpty ? marks.filter { $0 < end } : []
        return own
            + zip(marks, marks.dropFirst() + [end]).enumerated().map { index, span in
                Chapter(title: "HiLight \(index + 1)", start: span.0, end: span.1)
            }
    }

    private func ownChapters(from origin: Rational) -> [Chapter] {
        UnsafeBufferPointer(start: context.pointee.chapters, count: Int(context.pointee.nb_chapters)).compactMap {
            entry in
            guard let chapter = entry?.pointee, chapter.end > chapter.start else { return nil }
            let timeBase = Rational(chapter.time_base)
            return Chapter(
                title: Self.text("title", of: chapter.metadata) ?? "",
                start: timeBase.scaled(count: Int(chapter.start)) - origin,
                end: timeBase.scaled(count: Int(chapter.end)) - origin)
        }.sorted { $0.start < $1.start }
    }

    /// The title in the file's metadata; nil where it has none.
    var title: String? { Self.text("title", of: context.pointee.metadata) }

    /// All of the file's tags, in the file's order.
    var tags: [(key: String, value: String)] {
        var tags: [(key: String, value: String)] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(context.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
            tags.append((String(cString: next.pointee.key), String(cString: next.pointee.value)))
            entry = next
        }
        return tags
    }

    /// The timecode of the video's first frame: that of a track of timecodes, else of the video, else of the file; nil if
    /// there is none.
    /// - Parameter rate: the video's frames per second.
    func timecode(rate: Rational) -> Timecode? {
        let tracks = streams.compactMap { $0 }
        if let track = tracks.first(where: \.isTimecode), let text = Self.text("timecode", of: track.pointee.metadata) {
            let own = Rational(track.pointee.avg_frame_rate)
            return Timecode(text, rate: own > .zero ? own : rate)
        }
        let text = videoStream.flatMap { Self.text("timecode", of: $0.pointee.metadata) }
        return (text ?? Self.text("timecode", of: context.pointee.metadata)).flatMap { Timecode($0, rate: rate) }
    }

    static func text(_ key: String, of metadata: OpaquePointer?) -> String? {
        guard let entry = av_dict_get(metadata, key, nil, 0) else { return nil }
        let text = String(cString: entry.pointee.value)
        return text.isEmpty ? nil : text
    }

    /// Whether a stream only repeats the chapters, as in QuickTime files.
    static func isChapterTrack(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        // Telemetry of GoPro's cameras is of this kind for libav as well.
        stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_BIN_DATA && stream.pointee.discard == AVDISCARD_ALL
            && stream.pointee.codecpar.pointee.codec_tag != flip_tag_gpmd
    }
}

extension [Chapter] {
    /// Adds the chapters to an output context whose header is not written yet. The context owns them afterwards.
    func attach(to context: UnsafeMutablePointer<AVFormatContext>) throws(MediaError) {
        if isEmpty { return }
        let pointers = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
        guard let list = av_calloc(count, pointers) else { throw .outOfMemory }
        let chapters = list.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: count)
        context.pointee.chapters = chapters
        let timeBase = Rational(1, 1_000_000)
        for (index, chapter) in enumerated() {
            guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else { throw .outOfMemory }
            let entry = memory.bindMemory(to: AVChapter.self, capacity: 1)
            entry.pointee.id = Int64(index + 1)
            entry.pointee.time_base = timeBase.raw
            entry.pointee.start = Int64((chapter.start / timeBase).rounded())
            entry.pointee.end = Int64((chapter.end / timeBase).rounded())
            av_dict_set(&entry.pointee.metadata, "title", chapter.title, 0)
            chapters[index] = entry
            context.pointee.nb_chapters += 1
        }
    }
}
