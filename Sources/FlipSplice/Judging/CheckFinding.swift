/// Something that is wrong with a joined film.
package struct CheckFinding: Sendable, Encodable {
    package enum Kind: String, Sendable, Encodable, CaseIterable {
        /// Frames of a source are missing.
        case lost
        /// Frames are shown more than once, or others are put in.
        case repeated
        /// Frames or sources come in another order.
        case order
        /// Frames show something else than the source does there.
        case wrong
        /// Packets were changed, or frames can't be decoded or decode differently than in the source.
        case damaged
        /// The sound of a source is earlier or later beside its picture.
        case sound
        /// Frames are shown for another time than in the source.
        case times
        /// A track that all sources have is missing.
        case track
        /// Something that all sources say of themselves is missing.
        case tag
    }

    package let kind: Kind
    /// The first frame of the film that it concerns, from 0; nil if it concerns the whole film.
    package var frame: Int?
    /// When that is shown, in seconds after the first frame.
    package var time: Double?
    /// The number of frames that it concerns; nil if it is none.
    package var count: Int?
    /// The source that it concerns.
    package var source: String?
    /// The source's frame that it concerns, from 0.
    package var sourceFrame: Int?
    /// One sentence.
    package let message: String
}

/// A run of frames of a joined film that were made in the same way.
package struct CheckPart: Sendable, Encodable {
    package enum Kind: String, Sendable, Encodable {
        /// The source's own packets.
        case copied
        /// Encoded anew.
        case encoded
    }

    package let kind: Kind
    /// The first frame of the film, from 0.
    package let frame: Int
    package let count: Int
    /// The source; nil if it isn't known.
    package var source: String?
    /// The source's frame that is shown first, from 0.
    package var sourceFrame: Int?
    /// The least PSNR of luma of a frame that was found in its source, in dB; nil if none was. At most 100.
    package var minPSNR: Double?
    /// The number of frames that were compared.
    package var compared: Int?
}

/// What `check` says of a film.
package struct CheckReport: Sendable, Encodable {
    package let path: String
    /// The number of frames that are shown.
    package let frames: Int
    /// The number of frames whose packets are the sources' own.
    package let copied: Int
    package let encoded: Int
    package let parts: [CheckPart]
    package let findings: [CheckFinding]
    /// What need not be wrong, one sentence each.
    package let notes: [String]
}
