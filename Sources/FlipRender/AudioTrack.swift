import FlipBase
import FlipClip
import FlipMedia

/// An audio track of the output.
package struct AudioTrack: Sendable {
    package let encoding: AudioEncoding
    package let tags: TrackTags
    /// All sounds that are heard in it, the clips' own audio included.
    package let sounds: [PlacedSound]
    /// Which packets are copied; nil if none are.
    let copying: AudioPlan?
    /// Why audio is not copied although video is, one clause each.
    let refusals: [String]

    /// The same track with other sounds, all of which are encoded.
    func playing(_ sounds: [PlacedSound]) -> AudioTrack {
        let sounds = sounds.map { $0.with(loudness: nil) }
        return AudioTrack(encoding: encoding, tags: tags, sounds: sounds, copying: nil, refusals: refusals)
    }
}

/// Decides which audio tracks the output has, and what is heard in each.
extension Planner {
    /// The maximum number of audio tracks in an output.
    private static let maxTracks = 16

    /// The output's audio tracks, the main one first.
    /// - Parameter isCopied: whether video is copied, so that audio is, too, as far as possible.
    mutating func audioTracks(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, rate: Rational, _ container: Container, _ fades: FilmFades,
        isCopied: Bool
    ) throws(MediaError) -> [AudioTrack] {
        let heard = clips.map { $0.isHeard ? $0.info?.audioTracks.map(\.tags) ?? [] : [] }
        var rows = TrackMatching(heard).tracks
        if sources.first?.live != nil { rows = Array(rows.prefix(1)) }
        if rows.count > Self.maxTracks {
            try warn(
                "only \(Self.maxTracks) of \(rows.count) audio tracks are carried over (--audio-tracks chooses them)")
            rows = Array(rows.prefix(Self.maxTracks))
        }
        let extra = try extraSounds(timeline, rate: rate)
        let marked = try markedSounds(timeline)
        var tracks: [AudioTrack] = []
        for row in rows.isEmpty ? [clips.map { _ in nil }] : rows {
            var sounds = timeline.sounds(of: clips, tracks: row, frameRate: rate) + extra
            // A transition's sound changes neither the sample rate nor the layout of a film that has audio anyway.
            let infos = sounds.isEmpty ? marked.map(\.info) : sounds.map(\.info)
            guard let encoding = try audioEncoding(infos, container) else { continue }
            sounds += placed(marked, timeline, frameRate: rate, rate: encoding.sampleRate)
            let (copying, refusals) = try audioCopying(
                &sounds, isCopied ? encoding : nil, container, seconds: Rational(timeline.frames) / rate, fades,
                rate: rate)
            let tags = zip(clips, row).compactMap { clip, index in index.flatMap { clip.info?.audioTracks[$0].tags } }
            tracks.append(
                AudioTrack(
                    encoding: encoding, tags: TrackTags.common(tags), sounds: sounds, copying: copying,
                    refusals: refusals))
        }
        return tracks
    }

    /// The output's audio encoding, with the sample rate and layout of the first file that is heard, but stereo rather
    /// than mono if a later one has more channels. Nil if the output has no audio.
    private func audioEncoding(_ infos: [MediaInfo], _ container: Container) throws(MediaError) -> AudioEncoding? {
        let tracks = infos.compactMap(\.audio)
        guard settings.hasAudio, let first = tracks.first else { return nil }
        guard container.defaultAudioCodec != nil || settings.audioCodec != nil else { return nil }
        let isMono = first.channels == 1 && tracks.contains { $0.channels > 1 }
        let codec = settings.audioCodec ?? container.defaultAudioCodec ?? ""
        var encoding = AudioEncoding(
            codec: codec, bitrate: settings.audioBitrate,
            sampleRate: settings.audioRate ?? Encoders.sampleRate(for: codec, wanted: first.sampleRate),
            layout: settings.audioLayout
                ?? Encoders.layout(for: codec, wanted: isMono ? "stereo" : first.layout))
        encoding.isDeep = tracks.contains(where: \.isDeep)
        try Encoders.check(encoding, in: container)
        return encoding
    }
}
