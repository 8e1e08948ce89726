/// What has to be known of a codec whose packets hold one shown frame each, in presentation order. Codecs that libav
/// knows to be intra-only need no row, unless their packets or headers say more than that.
package struct FrameSyntax: Sendable {
    /// libav's name of the codec.
    package let name: String
    /// Whether packets have everything that decoders need, whatever extradata a container keeps.
    var isSelfContained = false
    /// Whether a profile is stated by the container alone, and has to be that of the encoder.
    var hasProfile = false
    /// Whether packets settle something for the whole stream, as `FrameForm.settled` says.
    var settles = false
    /// Whether libav's encoder of the codec keeps fields apart, or treats lines alike, and its decoder tells them from progressive
    /// frames.
    package var codesFields = false
    /// Whether it is made for viewing: with inter frames, in containers that players know.
    package var isForViewing = false
    /// Whether decoding can begin with a packet; nil if it does not hold exactly one shown frame of the form, or
    /// contradicts what is settled.
    var isStart: @Sendable (inout FrameForm, UnsafeBufferPointer<UInt8>) -> Bool? = { _, packet in
        packet.isEmpty ? nil : true
    }

    package static let all = [
        FrameSyntax(name: "vp9", isSelfContained: true, settles: true, isForViewing: true) { form, packet in
            guard let facts = VP9Packet.facts(packet, size: (form.width, form.height)) else { return nil }
            return facts.form.map { form.settle(.vp9($0)) ? true : nil } ?? false
        },
        FrameSyntax(name: "vp8", isSelfContained: true, isForViewing: true) { form, packet in
            // The frame header of RFC 6386 9.1: whether the frame is no keyframe, and whether it is shown.
            guard packet.count >= 3, packet[0] & 0x10 != 0 else { return nil }
            if packet[0] & 1 != 0 { return false }
            guard packet.count >= 10, packet[3..<6].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            let sides = [6, 8].map { (Int(packet[$0 + 1]) << 8 | Int(packet[$0])) & 0x3FFF }
            return sides == [form.width, form.height] ? true : nil
        },
        FrameSyntax(name: "av1", settles: true, isForViewing: true) { form, packet in
            guard let facts = AV1Packet.facts(packet, form.sequence) else { return nil }
            // Playback can't start at a packet without a sequence header: the output's container may have a different one.
            guard let own = facts.sequence else { return form.sequence == nil ? nil : false }
            guard (own.width, own.height) == (form.width, form.height), own.operatingPoints == 1,
                form.settle(.av1(own))
            else { return nil }
            return facts.isStart
        },
        FrameSyntax(name: "ffv1", codesFields: true) { _, packet in
            // The first bit, range coded with even odds, is the keyframe flag (RFC 9043 3.8.1, 4.4).
            packet.count >= 2 ? Int(packet[0]) << 8 | Int(packet[1]) >= 0x7F80 : nil
        },
        FrameSyntax(name: "h263", isSelfContained: true) { _, packet in
            // The picture header of ITU-T H.263 5.1: a start code of 22 bits, 8 of time, and of PTYPE the format of the source,
            // where 7 means that more follows, and whether the picture is predicted.
            guard packet.count >= 5, packet[0] == 0, packet[1] == 0, packet[2] & 0xFC == 0x80 else { return nil }
            let format = packet[4] >> 2 & 7
            return (1...5).contains(format) ? packet[4] & 2 == 0 : nil
        },
        FrameSyntax(name: "png"),
        FrameSyntax(name: "prores", isSelfContained: true, hasProfile: true, codesFields: true),
        FrameSyntax(name: "dvvideo", codesFields: true),
        FrameSyntax(name: "dnxhd", isSelfContained: true, settles: true, codesFields: true) { form, packet in
            guard packet.count >= 44 else { return nil }
            return form.settle(.compression(packet[40..<44].reduce(0) { $0 << 8 | UInt32($1) })) ? true : nil
        },
        FrameSyntax(name: "rawvideo", codesFields: true) { form, packet in
            if case .raw(let size) = form.settled, packet.count != size { return nil }
            return packet.isEmpty ? nil : true
        },
    ]

    /// The syntax of a codec; that of any intra-only one if it has no row.
    package static func of(_ codec: String) -> FrameSyntax {
        all.first { $0.name == codec } ?? FrameSyntax(name: codec)
    }
}
