import CLibav

/// What comes of looking at an input that may be passed on as it comes.
package enum LiveProbe {
    /// It can be passed on; its length is the longest that a clip may have, until it has ended.
    case live(MediaInfo, LiveInput)
    /// It has to be read to its end first, for the reason given as the end of a sentence; all of it is still there.
    case kept(String)
    /// Whether input `path`, standard input being "-", is a pipe.
    package static func isPipe(_ path: String) -> Bool { KeptInput.isPipe(path) }

    /// Waits for the first frames of input `path`, standard input being "-".
    /// - Parameters:
    ///   - audioTrack: counted from 1; nil for the default or first one.
    ///   - takesUnevenFrames: whether the output's rate is known without it.
    package init(path: String, audioTrack: Int?, takesUnevenFrames: Bool) throws(MediaError) {
        guard let pipe = try KeptInput.pipe(path) else {
            self = .kept("it is no pipe")
            return
        }
        let name = path == "-" ? "standard input" : path
        let info: MediaInfo
        let input: LiveInput
        do throws(MediaError) {
            guard let live = try LiveInput(pipe, called: name, audioTrack: audioTrack) else {
                self = .kept("not every kind of file can be read from front to back")
                return
            }
            input = live
            let scan = try VideoScan(live: live)
            guard scan.isSettled else {
                self = .kept("it has too few frames")
                return
            }
            var video = try scan.video
            video.frameCount = max(1, (InputLimits.duration * video.frameRate).rounded())
            video.duration = InputLimits.duration
            video.used = TimeSpan(duration: video.duration)
            info = MediaProbe.describe(live, video, path: path)
        } catch {
            // Whoever reads the file that it is kept in says what is wrong.
            self = .kept("it can't be read from front to back")
            return
        }
        self =
            Self.refusal(of: info, input, takesUnevenFrames: takesUnevenFrames).map { .kept($0) } ?? .live(info, input)
    }

    /// Why it can't be passed on, as the end of a sentence.
    private static func refusal(of info: MediaInfo, _ input: LiveInput, takesUnevenFrames: Bool) -> String? {
        guard let video = info.video else { return "it has no video" }
        if !info.chapters.isEmpty { return "it has chapters" }
        if video.isInterlaced { return "it is interlaced" }
        if video.isVariableFrameRate { return takesUnevenFrames ? nil : "its frames are uneven (--fps would allow it)" }
        return input.saysRate ? nil : "it doesn't say its frame rate"
    }
}

extension LiveInput {
    /// Whether its frame rate can be told by its first frames: it is stated, or times are finer than standard rates differ
    /// by over so few frames.
    fileprivate var saysRate: Bool {
        statedRate != nil || file.videoStream.map { Rational($0.pointee.time_base) < Rational(1, 20000) } == true
    }
}
