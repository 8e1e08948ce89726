import CLibav

/// A clip of which packets are taken over, and what its parameter sets are called in the output.
package struct CopiedClip: Sendable {
    package let video: CodedVideo
    let numbers: Renumbering

    /// Calls `body` with the packet of every frame of `frames`, in the order of decoding, and with the frame's number.
    func forEachPacket(
        of frames: Range<Int>, _ body: (Packet, Int) throws -> Void
    ) throws {
        let file = try InputFile(path: video.path)
        guard let stream = file.stream(video.streamIndex) else { throw changed }
        let timeBase = Rational(stream.pointee.time_base)
        file.readOnly(stream: video.streamIndex)
        let packet = try Packet()
        // As many packets come before the stretch as frames.
        for count in 0..<frames.upperBound {
            guard case .packet = try file.read(into: packet, stream: video.streamIndex) else { throw changed }
            if count < frames.lowerBound { continue }
            guard let time = packet.presentationTime,
                let bytes = numbers.rewritten(packet.bytes, lengthSize: video.lengthSize)
            else { throw changed }
            let frame = ((timeBase.scaled(count: time) - video.start) * video.frameRate).rounded()
            guard frames.contains(frame) else { throw changed }
            let copy = try Packet(bytes)
            copy.pointer.pointee.flags = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY
            try body(copy, frame)
        }
    }

    private var changed: MediaError {
        MediaError(.badInput, "'\(video.path)' was changed while it was read, or its disk fails")
    }
}

/// A track that is put together from packets of clips and from frames that are encoded.
package struct SplicedTrack: Sendable {
    private var sets = ParameterSets()
    /// How many packets a frame of the copied clips comes late, at most.
    private(set) var reorderDepth = 0
    private var profile = 66
    private var level = 0
    private var longestGroup = 1

    package init() {}

    /// Takes a clip in; nil where its parameter sets have no room beside the others.
    package mutating func add(_ video: CodedVideo) -> CopiedClip? {
        var fresh = sets
        guard let numbers = fresh.add(video.sets), fresh.freeID != nil else { return nil }
        sets = fresh
        reorderDepth = max(reorderDepth, video.reorderDepth)
        profile = max(profile, video.profile)
        level = max(level, video.level)
        longestGroup = max(longestGroup, video.longestGroup)
        return CopiedClip(video: video, numbers: numbers)
    }

    /// Whether x264's frames go beside copied ones in `container`.
    package static func fits(_ container: Container, _ encoding: VideoEncoding) -> Bool {
        ["mp4", "mov", "matroska"].contains(container.name)
            && encoding.codec ?? container.defaultVideoCodec == "libx264"
            && encoding.pixelFormat.name == "yuv420p"
    }

    /// What makes libx264's streams like those of the clips: their profile, level, keyframes and reordering, and parameter
    /// sets under a number of their own.
    package var encoderOptions: [(String, String)] {
        var options = [("profile", [66: "baseline", 77: "main"][profile] ?? "high"), ("g", "\(longestGroup)")]
        if level > 9 { options.append(("level", "\(level)")) }
        if reorderDepth == 0 { options.append(("bf", "0")) }
        if reorderDepth == 1 { options.append(("b-pyramid", "none")) }
        return options + [("x264-params", "sps-id=\(sets.freeID ?? 0)")]
    }

    /// The header of the track with the encoder's sets beside the clips'; nil where they don't go together.
    func header(beside encoder: StreamEncoder) -> [UInt8]? {
        let own = encoder.header.withUnsafeBufferPointer(ParameterSets.init(afterStartCodes:))
        var all = sets
        guard !own.sequences.isEmpty, !own.pictures.isEmpty else { return nil }
        for set in own.sequences + own.pictures {
            if all.hasSet(like: set) { return nil }
            all.append(set)
        }
        return all.avcC
    }
}
