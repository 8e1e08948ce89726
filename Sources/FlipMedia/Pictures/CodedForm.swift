import CLibav
import FlipBase

/// What players do with every decoded picture of a track to show it: they show its fields one after the other if it has any,
/// scale its width by the shape of its pixels, and then mirror and turn it. Copied packets keep it.
package struct CodedForm: Sendable, Hashable {
    package private(set) var transform = DisplayTransform.identity
    /// The width of a pixel over its height, as coded.
    package private(set) var sampleAspectRatio = Rational(1)
    /// The display matrix as the file states it (ISO/IEC 14496-12 8.3.2): nine numbers, which may also move the picture.
    /// Nil if there is nothing to state.
    package private(set) var matrix: [Int32]?
    /// Which field of a frame is shown first; nil for progressive frames.
    package private(set) var fieldOrder: FieldOrder?
    /// libav's number for the order of fields as the file states it, which knows more kinds.
    package private(set) var statedFields: UInt32 = 0

    /// Upright pictures of square pixels.
    package static let plain = CodedForm()

    private init() {}

    /// The form of upright progressive pictures whose pixels have that width over their height.
    package init(sampleAspectRatio: Rational) { self.sampleAspectRatio = sampleAspectRatio }

    /// The form of `video`; nil if its pictures are turned by something else than a display matrix, or not by a whole number
    /// of quarter turns.
    /// - Parameter keepsFields: whether interlaced pictures stay so. Both fields need the same number of lines in every plane.
    package init?(_ video: VideoInfo, keepsFields: Bool) {
        sampleAspectRatio = video.sampleAspectRatio
        if keepsFields, let order = video.fieldOrder, video.height % (2 * video.pixelFormat.chromaStepY) == 0 {
            (fieldOrder, statedFields) = (order, video.statedFields)
        }
        if video.transform == .identity { return }
        guard let stated = video.displayMatrix, video.transform.requestedAngle == nil else { return nil }
        (transform, matrix) = (video.transform, stated)
    }

    package var hasSquarePixels: Bool { sampleAspectRatio == Rational(1) }

    /// Whether pictures are progressive and shown as they are coded.
    package var isPlain: Bool { transform == .identity && hasSquarePixels && fieldOrder == nil }

    /// Whether pictures are shown in the same way. The matrices may move them by different distances, which players ignore.
    package func agrees(with other: CodedForm) -> Bool {
        transform == other.transform && sampleAspectRatio == other.sampleAspectRatio && fieldOrder == other.fieldOrder
    }

    /// The size as coded of pictures that are shown in `size`, if pixels are square.
    package func coded(_ size: (width: Int, height: Int)) -> (width: Int, height: Int) {
        transform.swapsAxes ? (size.height, size.width) : size
    }

    /// The size in square pixels in which pictures of `width` x `height` pixels are shown.
    package func shown(width: Int, height: Int) -> (width: Int, height: Int) {
        transform.displaySize(width: width, height: height, aspect: sampleAspectRatio, step: 1)
    }
}

extension CodedForm {
    /// The order of fields as the output states it: as its clips do, unless they contradict their frames.
    func stated(_ order: FieldOrder) -> AVFieldOrder {
        let known = order == .top ? [AV_FIELD_TT, AV_FIELD_TB] : [AV_FIELD_BB, AV_FIELD_BT]
        return known.first { $0.rawValue == statedFields } ?? known[0]
    }
}
