import CLibav
import FlipBase
import FlipClip

extension LightChange {
    /// Whether this FFmpeg has the filters zscale and tonemap.
    static let isPossible = avfilter_get_by_name("zscale") != nil && avfilter_get_by_name("tonemap") != nil

    /// Returns nil if no conversion is needed, or if this FFmpeg lacks the filters for it.
    init?(from picture: PictureShape, to conform: VideoConform) {
        self.init(from: picture, to: conform, isPossible: Self.isPossible)
    }
}

/// What becomes of a clip's frames with the filters of this FFmpeg.
extension VideoConform {
    package func conversions(from clip: InputClip) -> [String] {
        conversions(from: clip, changingLight: LightChange.isPossible)
    }

    package func changesDynamicRange(of video: VideoInfo) -> Bool {
        changesDynamicRange(of: video, changingLight: LightChange.isPossible)
    }

    package func colorLoss(of video: VideoInfo) -> String? {
        colorLoss(of: video, changingLight: LightChange.isPossible)
    }

    package func filters(from video: VideoInfo, path: String) throws(MediaError) -> [String] {
        try filters(from: video, path: path, changingLight: LightChange.isPossible)
    }
}
