import CLibav

/// What all packets of a stream have in common whose packets hold one shown frame each, in the order of showing: what
/// decoders and containers know of it beside the packets, and what its keyframes say for all of it.
package struct FrameForm: Sendable, Hashable {
    /// What keyframes say that the container has to say, too, or that decoders take for settled.
    package enum Settled: Sendable, Hashable {
        case vp9(VP9Packet.Form)
        case av1(AV1Sequence)
        /// The number of a table of SMPTE ST 2019-1 (DNxHD).
        case compression(UInt32)
        /// Bytes of a frame without compression.
        case raw(Int)
        /// Nothing.
        case free
    }

    /// libav's name of the codec.
    package let codec: String
    /// Where only the container says it (ProRes).
    package let profile: String?
    /// What decoders need beside the packets.
    package let header: [UInt8]
    /// Pixels.
    package let width: Int
    package let height: Int
    /// Nil until a packet has said it.
    package private(set) var settled: Settled?

    package init(_ codec: String, profile: String?, header: [UInt8], width: Int, height: Int, pixelFormat: PixelFormat)
    {
        self.codec = codec
        self.profile = codec == "prores" ? profile : nil
        // Of some codecs everything is in the packets, whatever a container keeps beside them.
        self.header = ["vp9", "prores", "dnxhd"].contains(codec) ? [] : header
        self.width = width
        self.height = height
        if codec == "rawvideo" {
            settled = .raw(
                Int(av_image_get_buffer_size(pixelFormat.raw, Int32(clamping: width), Int32(clamping: height), 1)))
        } else if !["vp9", "av1", "dnxhd"].contains(codec) {
            settled = .free
        }
    }

    /// Whether the codec is one whose packets hold one shown frame each, in order, as far as it is known here.
    package static func exists(_ codec: String) -> Bool {
        if ["vp9", "av1", "ffv1", "png"].contains(codec) { return true }
        guard let descriptor = avcodec_descriptor_get_by_name(codec) else { return false }
        return descriptor.pointee.type == AVMEDIA_TYPE_VIDEO
            && descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
    }

    /// Whether decoding can begin with a packet; nil where it does not hold one frame of this form. The first packet
    /// settles what is not settled yet.
    package mutating func isStart(_ packet: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch codec {
        case "vp9":
            guard let facts = VP9Packet.facts(packet, size: (width, height)) else { return nil }
            return facts.form.map { settle(.vp9($0)) ? true : nil } ?? false
        case "av1":
            guard let facts = AV1Packet.facts(packet, sequence) else { return nil }
            // What leaves its header to the container is none: the output's may be another.
            guard let own = facts.sequence else { return sequence == nil ? nil : false }
            guard (own.width, own.height) == (width, height), own.operatingPoints == 1, settle(.av1(own)) else {
                return nil
            }
            return facts.isStart
        case "dnxhd":
            guard packet.count >= 44 else { return nil }
            return settle(.compression(packet[40..<44].reduce(0) { $0 << 8 | UInt32($1) })) ? true : nil
        case "ffv1":
            // Its first bit, range coded at even odds, says whether it is a keyframe (RFC 9043 3.8.1, 4.4).
            return packet.count >= 2 ? Int(packet[0]) << 8 | Int(packet[1]) >= 0x7F80 : nil
        default:
            if case .raw(let size) = settled, packet.count != size { return nil }
            return packet.isEmpty ? nil : true
        }
    }

    private mutating func settle(_ fact: Settled) -> Bool {
        if settled == nil { settled = fact }
        return settled == fact
    }

    /// Of AV1: what frames are read with.
    package var sequence: AV1Sequence? {
        if case .av1(let sequence) = settled { return sequence }
        return codec == "av1" ? AV1Packet.sequence(header: header) : nil
    }

    /// Whether `other` is its header, too, which some containers fill up to an even number of bytes.
    package func hasHeader(_ other: [UInt8]) -> Bool { header == other || header + [0] == other }

    /// Whether a track in `container` whose encoder makes this can hold frames of `other`.
    ///
    /// Matroska wants one sequence header for all of a track, ISO files just a few fields of it.
    package func takes(_ other: AV1Sequence, in container: Container) -> Bool {
        guard let sequence else { return false }
        return sequence == other || container.priming == .editList && sequence.configuration == other.configuration
    }

    /// Why packets of this form don't go where those of `encoder` are, as the end of a sentence; nil where they do.
    package func refusal(beside encoder: FrameForm, in container: Container) -> CopyRefusal? {
        if let profile, profile != encoder.profile {
            return CopyRefusal("is of profile \(profile), not \(encoder.profile ?? "the encoder's")")
        }
        if let own = sequence, let others = encoder.sequence {
            if encoder.takes(own, in: container) { return nil }
            if own.configuration != others.configuration {
                return CopyRefusal("has another AV1 profile, level or depth than the encoder's")
            }
            return CopyRefusal(
                "has another AV1 sequence header than the encoder's, and \(container.extensions[0]) tracks have one")
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
