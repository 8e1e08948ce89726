import CLibav
import FlipBase
import FlipFiles

/// The result of probing an input that may be passed on while it is still coming in.
package enum LiveProbe {
    /// The input can be passed on. Until it has ended, its length is given as the longest that a clip may have.
    case live(MediaInfo, LiveInput)
    /// The input has to be read to its end first. The text is the reason, as the end of a sentence. Nothing of the
    /// input is lost.
    case kept(String)
    /// Whether input `path` ("-" for standard input) is a pipe.
    package static func isPipe(_ path: String) -> Bool { KeptInput.isPipe(path) }

    /// Waits for the first frames of input `path` ("-" for standard input).
    /// - Parameters:
    ///   - audioTracks: which audio tracks are asked for, of which only the first is passed on.
    ///   - takesUnevenFrames: whether a variable frame rate is allowed, because the output's rate is known without the
    ///     input.
    package init(path: String, audioTracks: TrackChoice, takesUnevenFrames: Bool) throws(MediaError) {
        guard let pipe = try KeptInput.pipe(path) else {
            self = .kept("it isn't a pipe")
            return
        }
        let name = MediaInfo.name(of: path)
        let info: MediaInfo
        let input: LiveInput
        do throws(MediaError) {
            guard let live = try LiveInput(pipe, called: name, audioTracks: audioTracks) else {
                self = .kept("its format can't be read from front to back")
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
            info = MediaProbe.describe(live, video, path: path)
        } catch {
            // The error is reported when the kept file is read.
            self = .kept("it can't be read from front to back")
            return
        }
        self =
            Self.refusal(of: info, input, takesUnevenFrames: takesUnevenFrames).map { .kept($0) } ?? .live(info, input)
    }

    /// Why the input can't be passed on as it comes, as the end of a sentence; nil where it can.
    private static func refusal(of info: MediaInfo, _ input: LiveInput, takesUnevenFrames: Bool) -> String? {
        guard let video = info.video else { return "it has no video" }
        if !info.chapters.isEmpty { return "it has chapters" }
        if video.isInterlaced { return "it is interlaced" }
        if video.isVariableFrameRate {
            return takesUnevenFrames ? nil : "its frame rate is variable (give --fps to allow that)"
        }
        return input.tellsFrameRate ? nil : "it doesn't state its frame rate"
    }
}

extension LiveInput {
    /// Whether the first frames tell the clip's frame rate: the container states it, or its ticks are finer than the
    /// differences between standard rates over so few frames.
    fileprivate var tellsFrameRate: Bool {
        statedRate != nil || file.videoStream.map { Rational($0.pointee.time_base) < Rational(1, 20000) } == true
    }
}
