import FlipMedia
import Foundation

extension VideoConform {
    /// A conform that leaves the video unchanged, provided that frames can be drawn in its pixel format.
    init(like video: VideoInfo) {
        self.init(
            width: video.displayWidth, height: video.displayHeight, frameRate: video.frameRate,
            pixelFormat: video.pixelFormat, color: video.color)
    }
}

extension VideoFrame {
    /// The visible samples of all planes, in order and without row padding.
    func bytes(_ format: PixelFormat) -> Data {
        var data = Data()
        for index in 0..<format.planeCount {
            let size = format.planeSize(index, width: width, height: height)
            let (base, stride) = plane(index)
            for row in 0..<size.height {
                data.append(Data(bytes: base + row * stride, count: size.width * format.bytesPerSample))
            }
        }
        return data
    }
}
