import CLibav
import FlipBase

/// What a container says of an audio or subtitle track besides its format.
package struct TrackTags: Sendable, Hashable, Encodable {
    /// The language as the container names it, normally an ISO 639-2 code such as "deu"; nil if it names none.
    package var language: String?
    /// The title, such as "Commentary"; nil if there is none.
    package var title: String?
    /// libav's names of the track's dispositions, such as "default", "forced" and "hearing_impaired".
    package var dispositions: [String]

    package init(language: String? = nil, title: String? = nil, dispositions: [String] = []) {
        self.language = language
        self.title = title
        self.dispositions = dispositions
    }

    /// The tags as the end of a track's description; empty if there are none.
    package var text: String {
        let all = [language, title].compactMap { $0 } + dispositions
        return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
    }

    /// Whether players choose the track if the user doesn't.
    package var isDefault: Bool { dispositions.contains("default") }

    /// The language in a form that can be compared, whichever of its two ISO 639-2 codes the file uses.
    package var languageCode: String? {
        guard let code = language?.lowercased().split(separator: "-").first.map(String.init) else { return nil }
        return Self.terminologyCodes[code] ?? code
    }

    /// The bibliographic codes of ISO 639-2 for which there is another, terminological one, which is the key's value.
    private static let terminologyCodes = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld",
        "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri",
        "may": "msa", "per": "fas", "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]

    /// The tags that describe all of `tracks` at once: a language or a title that not all of them have is left out, since
    /// a track that names none may be in any language. Dispositions are those of the first.
    package static func common(_ tracks: [TrackTags]) -> TrackTags {
        guard let first = tracks.first else { return TrackTags() }
        return TrackTags(
            language: tracks.allSatisfy { $0.languageCode == first.languageCode } ? first.language : nil,
            title: tracks.allSatisfy { $0.title == first.title } ? first.title : nil, dispositions: first.dispositions)
    }

    /// The same tags with `language` where there is none.
    package func named(_ language: String?) -> TrackTags {
        TrackTags(language: self.language ?? language, title: title, dispositions: dispositions)
    }
}

/// Which of a file's tracks of one kind are used.
package enum TrackChoice: Sendable, Hashable {
    case all
    case none
    /// Those of these numbers, counted from 1, in this order.
    case numbers([Int])

    /// The indices of the tracks that are used, of `count`, in order.
    package func indices(of count: Int) -> [Int] {
        switch self {
        case .all: Array(0..<count)
        case .none: []
        case .numbers(let numbers): numbers.map { $0 - 1 }.filter { $0 < count }
        }
    }
}

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
