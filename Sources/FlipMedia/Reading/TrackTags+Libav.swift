import CLibav
import FlipBase
import FlipClip

extension TrackTags {
    /// The tags of a stream as its container states them.
    init(of stream: UnsafeMutablePointer<AVStream>) {
        let language = InputFile.text("language", of: stream.pointee.metadata)
        self.init(
            language: language == "und" ? nil : language,
            title: InputFile.text("title", of: stream.pointee.metadata) ?? Self.handlerName(of: stream),
            dispositions: Self.names(of: stream.pointee.disposition))
    }

    /// The handler's name, which MP4 and QuickTime files have in place of a title, unless it is that of a program.
    private static func handlerName(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let name = InputFile.text("handler_name", of: stream.pointee.metadata) else { return nil }
        let isMade = ["handler", "handle", "media", "google", "mainconcept", "l-smash"]
            .contains { name.lowercased().contains($0) }
        return isMade ? nil : name
    }

    /// Writes the tags into a stream of an output.
    func attach(to stream: UnsafeMutablePointer<AVStream>, in container: Container) {
        if let language {
            let code = container.name == "mov" ? Self.quickTimeCodes[language] ?? language : language
            av_dict_set(&stream.pointee.metadata, "language", code, 0)
        }
        if let title {
            av_dict_set(&stream.pointee.metadata, "title", title, 0)
            // MP4 and QuickTime files have no titles of tracks; players show the handler's name in their place.
            if container.priming == .editList { av_dict_set(&stream.pointee.metadata, "handler_name", title, 0) }
        }
        for name in dispositions { stream.pointee.disposition |= max(av_disposition_from_string(name), 0) }
    }

    /// The languages that libav's muxer of QuickTime files, whose list is short, knows by another code only.
    private static let quickTimeCodes = [
        "fre": "fra", "deu": "ger", "nld": "dut", "swe": "sve", "ell": "gre", "isl": "ice", "zho": "chi",
    ]

    /// The dispositions of a track that is carried over; others, such as "attached_pic", describe other streams.
    private static let kept = [
        "default", "dub", "original", "comment", "lyrics", "karaoke", "forced", "hearing_impaired",
        "visual_impaired", "clean_effects", "captions", "descriptions",
    ]

    private static func names(of flags: Int32) -> [String] {
        kept.filter { name in
            let flag = av_disposition_from_string(name)
            return flag > 0 && flags & flag != 0
        }
    }
}
