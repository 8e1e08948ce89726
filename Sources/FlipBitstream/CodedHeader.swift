/// What is known about a stream apart from its packets: its extradata, and what packets share.
package struct CodedHeader: Sendable {
    /// How the NAL units of a packet are delimited.
    package enum Framing: Sendable, Hashable {
        /// Each unit follows its length, which takes this many bytes.
        case lengths(Int)
        /// Each unit follows a start code (Annex B).
        case startCodes
    }

    /// The extradata as the file has it.
    package var bytes: [UInt8] = []
    /// The parameter sets of codecs that have them.
    package var sets = ParameterSets()
    package var framing = Framing.lengths(4)
    /// SEI NAL units that describe the whole stream.
    package var information: [[UInt8]] = []
    /// Whether packets that are added keep their dynamic metadata.
    package var keepsDynamicMetadata = false
    /// Whether decoding can begin with pictures that are not IDR pictures, in H.264.
    package var hasRecoveryPoints = false
    /// What the packets of a codec without parameter sets have in common.
    package var frames: FrameForm?
    /// What packets of MPEG-1 or MPEG-2 video have said; nil for other codecs.
    package var mpeg2: MPEG2Stream?
    /// What packets of MPEG-4 video have said; nil for other codecs.
    package var mpeg4: MPEG4Stream?
    /// Whether AV1 sequence headers differ within the track.
    package var isMixed = false
    /// Whether the latest unit ended the sequence, so that the next picture is decoded as if it were the first.
    package var hasEnded = false

    package init(bytes: [UInt8] = [], framing: Framing = .lengths(4)) {
        self.bytes = bytes
        self.framing = framing
    }
}
