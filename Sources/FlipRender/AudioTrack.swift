import FlipBase
import FlipMedia

/// An audio track of the output.
package struct AudioTrack: Sendable {
    package private(set) var encoding: AudioEncoding
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

    /// The same track with at most `rate` bits per second, as far as its bit rate may be lowered.
    func fitted(to rate: Int) -> AudioTrack {
        var copy = self
        copy.encoding = encoding.fitted(to: rate)
        return copy
    }
}

/// Decides which audio tracks the output has, and what is heard in each.
extension Planner {
    /// The maximum number of audio tracks in an output.
    private static let maxTracks = 16

    /// The output's audio tracks, the main one first.
    /// - Parameters:
    ///   - isCopied: whether video is copied, so that audio is, too, as far as possible.
    ///   - deciders: gets what decides the main track.
    mutating func audioTracks(
        _ clips: [RenderPlan.Clip], _ timeline: Timeline, _ container: Container, _ fades: FilmFades,
        isCopied: Bool, _ deciders: inout OutputDeciders
    ) throws(MediaError) -> [AudioTrack] {
        let isLive = sources.first?.live != nil
        let tags = clips.map { $0.isHeard ? $0.info?.audioTracks.map(\.tags) ?? [] : [] }
        var rows = TrackMatching(tags).tracks
        if isLive { rows = Array(rows.prefix(1)) }
        if rows.isEmpty { rows = [clips.map { _ in nil }] }
        // In the track of a translation, all is heard that is in the main one but for the narration.
        let places = rows.map { (0, $0) } + settings.translations.indices.map { ($0 + 1, rows[0]) }
        if places.count > Self.maxTracks {
            try warn(
                "only \(Self.maxTracks) of \(places.count) audio tracks are carried over (--audio-tracks chooses them)")
        }
        let extra = try extraSounds(timeline)
        let marked = try markedSounds(timeline)
        var tracks: [AudioTrack] = []
        for (translation, row) in places.prefix(Self.maxTracks) {
            var sounds =
                timeline.sounds(of: clips, tracks: row) + extra.filter { $0.translation ?? translation == translation }
            // A transition's sound changes neither the sample rate nor the layout of a film that has audio anyway.
            let heard = sounds.isEmpty ? placed(marked, timeline, rate: 48_000) : sounds
            guard
                let choice = OutputRule.audio(heard, keepsBest: settings.keepsBest, countsAll: isLive),
                let encoding = try audioEncoding(choice.rate, choice.layout, heard, container, isCopied: isCopied)
            else { continue }
            if tracks.isEmpty {
                deciders.audioRate = settings.audioRate == nil ? choice.rateFrom : .option
                deciders.audioLayout = settings.audioLayout == nil ? choice.layoutFrom : .option
            }
            try warnOfChannels(heard, encoding)
            sounds += placed(marked, timeline, rate: encoding.sampleRate)
            let (copying, refusals) = try audioCopying(&sounds, isCopied ? encoding : nil, container, timeline, fades)
            let tags = zip(clips, row).compactMap { clip, index in index.flatMap { clip.info?.audioTracks[$0].tags } }
            // A narration says nothing of the language of the clips that it is mixed with.
            let isNarration = tags.isEmpty && sounds.contains { $0.role == .voice }
            let common =
                translation == 0
                ? TrackTags.common(tags).named(
                    settings.language ?? (isNarration ? settings.narrationLanguage : nil))
                : TrackTags().named(settings.translations[translation - 1])
            tracks.append(
                AudioTrack(encoding: encoding, tags: common, sounds: sounds, copying: copying, refusals: refusals))
        }
        return tracks
    }

    /// The output's audio encoding; nil if the output has no audio.
    /// - Parameters:
    ///   - rate: the sample rate in Hz that the encoder gets if it takes it.
    ///   - layout: likewise the channel layout.
    ///   - isCopied: whether audio is copied as far as possible.
    private func audioEncoding(
        _ rate: Int, _ layout: String, _ heard: [PlacedSound], _ container: Container, isCopied: Bool
    ) throws(MediaError) -> AudioEncoding? {
        guard settings.hasAudio, container.defaultAudioCodec != nil || settings.audioCodec != nil else { return nil }
        let kept =
            isCopied
            ? keptEncoding(heard, rate: settings.audioRate ?? rate, layout: settings.audioLayout ?? layout, container)
            : nil
        let codec = settings.audioCodec ?? kept?.encoder ?? container.defaultAudioCodec ?? ""
        let bitrate = settings.audioBitrate ?? (codec == kept?.encoder ? kept?.bitrate : nil)
        var encoding = AudioEncoding(
            codec: codec, bitrate: bitrate,
            sampleRate: settings.audioRate ?? Encoders.sampleRate(for: codec, wanted: rate),
            layout: settings.audioLayout ?? Encoders.layout(for: codec, wanted: layout))
        let isAsked = settings.audioBitrate != nil && settings.appliedPreset?.setsAudioBitrate != true
        if !isAsked, Encoders.isLossy(codec: codec) { encoding.highestBitrate = encoding.rate }
        encoding.isDeep = heard.contains { $0.info.audio?.isDeep ?? false }
        try Encoders.check(encoding, in: container)
        return encoding
    }
}
