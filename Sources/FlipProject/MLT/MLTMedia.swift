import FlipBase
import FlipMedia

/// The films of a project as measured, each once.
final class MLTMedia {
    let profile: MLTProfile
    private var known: [String: Result<MediaInfo, MediaError>] = [:]

    init(_ profile: MLTProfile) { self.profile = profile }

    func info(_ path: String) throws(MediaError) -> MediaInfo {
        if let result = known[path] { return try result.get() }
        let result = Result { () throws(MediaError) in try MediaProbe.probe(path: path, isHasty: true) }
        known[path] = result
        return try result.get()
    }

    /// Why the pictures of a film can't be those of the project as they are, as a clause; nil if they can.
    /// - Parameters:
    ///   - frames: those that are shown, counted from the film's first.
    func refusal(of info: MediaInfo, showing frames: Range<Int>) -> String? {
        guard let video = info.video, !video.isStill else { return "it is no film" }
        if video.isVariableFrameRate || video.frameRate != profile.rate {
            return "its rate is not the project's \(profile.rate) fps"
        }
        let isSame =
            profile.hasSquarePixels
            ? video.sampleAspectRatio == Rational(1)
                && (video.displayWidth, video.displayHeight) == (profile.width, profile.height)
            : (video.width, video.height) == (profile.width, profile.height)
                && video.sampleAspectRatio == profile.sampleAspectRatio && video.transform == .identity
        if !isSame { return "its size is not the project's \(profile.width)x\(profile.height)" }
        if video.isInterlaced, profile.isProgressive { return "it is interlaced" }
        if video.pixelFormat.hasAlpha { return "it has alpha" }
        // MLT counts frames from the beginning of the file, and this program from the first picture.
        let begin = [video.start, info.audio?.start].compactMap(\.self).min() ?? video.start
        if video.start - begin >= profile.rate.inverse { return "its picture begins later than its sound" }
        return frames.upperBound <= video.frameCount ? nil : "it ends after \(video.frameCount) frames"
    }

    /// Why the sound of a film can't be used as it is; nil if it can.
    func refusal(of info: MediaInfo, hearing frames: Range<Int>) -> String? {
        guard let video = info.video else { return "it is not the sound of a film" }
        return Rational(frames.upperBound) / profile.rate <= video.duration ? nil : "it ends before that"
    }

    /// The number of frames of a film at the project's rate.
    func length(_ path: String) throws(MediaError) -> Int {
        let info = try info(path)
        guard let video = info.video else {
            throw MediaError(.badInput, "the project doesn't say how long '\(path)' is")
        }
        return video.frameRate == profile.rate ? video.frameCount : (video.duration * profile.rate).rounded()
    }
}
