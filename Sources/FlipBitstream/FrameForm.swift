/// What all packets of a stream have in common if each holds one shown frame, in presentation order: what decoders and
/// containers know apart from the packets, and what keyframes say for the whole stream.
package struct FrameForm: Sendable, Hashable {
    /// What a keyframe says that the container has to repeat, or that decoders expect to stay the same.
    package enum Settled: Sendable, Hashable {
        case vp9(VP9Packet.Form)
        case av1(AV1SequenceHeader)
        /// DNxHD: the compression ID, the number of a table of SMPTE ST 2019-1.
        case compression(UInt32)
        /// Uncompressed video: the size of a frame in bytes.
        case raw(Int)
        /// Codecs whose packets settle nothing.
        case free
    }

    /// libav's name of the codec.
    package let codec: String
    /// The profile if only the container says it (ProRes), else nil.
    package let profile: String?
    /// The extradata that decoders need apart from the packets; empty if they need none.
    package let header: [UInt8]
    /// The size of the frames in pixels.
    package var width: Int
    package var height: Int
    /// Nil until a packet has settled it.
    package private(set) var settled: Settled?

    /// - Parameters:
    ///   - width: the frames' width in pixels.
    ///   - height: the frames' height in pixels.
    ///   - rawBytes: the size of an uncompressed frame in bytes, which packets of `rawvideo` have.
    package init(_ codec: String, profile: String?, header: [UInt8], width: Int, height: Int, rawBytes: Int) {
        self.codec = codec
        let syntax = FrameSyntax.of(codec)
        self.profile = syntax.hasProfile ? profile : nil
        self.header = syntax.isSelfContained ? [] : header
        self.width = width
        self.height = height
        if codec == "rawvideo" {
            settled = .raw(rawBytes)
        } else if !syntax.settles {
            settled = .free
        }
    }

    /// Whether decoding can begin with a packet; nil if it does not hold exactly one shown frame of this form. The
    /// first packet settles what is not settled yet.
    package mutating func isStart(_ packet: UnsafeBufferPointer<UInt8>) -> Bool? {
        FrameSyntax.of(codec).isStart(&self, packet)
    }

    /// Settles a fact if none is settled yet. Returns whether it is the settled one.
    mutating func settle(_ fact: Settled) -> Bool {
        if settled == nil { settled = fact }
        return settled == fact
    }

    /// The AV1 sequence header to parse frames with; nil for other codecs, or if none is known.
    package var sequence: AV1SequenceHeader? {
        if case .av1(let sequence) = settled { return sequence }
        return codec == "av1" ? AV1Packet.sequence(header: header) : nil
    }

    /// Whether `other` is the same header. Some containers pad it to an even number of bytes.
    package func hasHeader(_ other: [UInt8]) -> Bool { header == other || header + [0] == other }

    /// Whether a track whose encoder makes this form can hold frames with the sequence header `other`.
    /// - Parameter isMixed: whether the container's tracks may have several sequence headers, as those of ISO files
    ///   may if the fields of `av1C` are the same. Matroska requires one for the whole track.
    package func takes(_ other: AV1SequenceHeader, isMixed: Bool) -> Bool {
        guard let sequence else { return false }
        return sequence == other || isMixed && sequence.configuration == other.configuration
    }

    /// Why packets of this form can't be joined with those of `encoder`, as the rest of a sentence; nil if they can.
    /// - Parameters:
    ///   - container: the container's name for users.
    ///   - isMixed: whether its tracks may have several AV1 sequence headers.
    package func refusal(beside encoder: FrameForm, in container: String, isMixed: Bool) -> CopyRefusal? {
        if let profile, profile != encoder.profile {
            return CopyRefusal("is of profile \(profile), not \(encoder.profile ?? "the encoder's")")
        }
        if let own = sequence, let others = encoder.sequence {
            if encoder.takes(own, isMixed: isMixed) { return nil }
            if own.configuration != others.configuration {
                return CopyRefusal("has another AV1 profile, level or depth than the encoder's")
            }
            return CopyRefusal(
                "has another AV1 sequence header than the encoder's, and \(container) tracks have one")
        }
        if !encoder.hasHeader(header) {
            return CopyRefusal("has another \(codec) header than the encoder's, and a track has one")
        }
        switch (settled, encoder.settled) {
        case (.compression(let own), .compression(let others)) where own != others:
            return CopyRefusal("is coded with DNxHD table \(own), not \(others) as the encoder's frames")
        default:
            return settled == encoder.settled ? nil : CopyRefusal("has another profile or depth than the encoder's")
        }
    }
}
