/// A picture in memory of the caller, which has to stay valid while a `FrameRenderer` draws.
///
/// Rows may lie bottom up (negative strides), and between those of another picture: a picture can be a part of a larger
/// one, or one field of a frame.
public struct FramePicture {
    /// One plane of a picture.
    public struct Plane {
        /// The first byte of the topmost row.
        public var start: UnsafeMutableRawPointer
        /// The bytes from one row to the row below it; negative if the picture is stored bottom up.
        public var stride: Int

        /// A plane whose topmost row begins at `start`, with rows `stride` bytes apart.
        public init(_ start: UnsafeMutableRawPointer, stride: Int) { (self.start, self.stride) = (start, stride) }
    }

    /// The planes, as `FrameFormat.planes` lists them; further ones are ignored.
    public var planes: [Plane]

    /// A picture that consists of `planes`.
    public init(_ planes: [Plane]) { self.planes = planes }

    /// A picture to be drawn into whose planes follow one another in `bytes`, with rows of `format` without padding.
    ///
    /// Throws `FrameError` of kind `invalidArgument` if `bytes` are too few.
    public init(_ bytes: UnsafeMutableRawBufferPointer, _ format: FrameFormat) throws(FrameError) {
        let shapes = format.planes
        let needed = shapes.reduce(0) { $0 + $1.rows * $1.rowBytes }
        guard let base = bytes.baseAddress, bytes.count >= needed else {
            throw FrameError(
                .invalidArgument,
                "\(bytes.count) bytes are too few for a picture of \(format.width)x\(format.height) in "
                    + "\(format.pixelFormat) (expected \(needed))")
        }
        planes = []
        var start = base
        for shape in shapes {
            planes.append(Plane(start, stride: shape.rowBytes))
            start += shape.rows * shape.rowBytes
        }
    }

    /// A picture to be read whose planes follow one another in `bytes`, with rows of `format` without padding. Its memory
    /// is never written, unless it is passed as the picture to be drawn into.
    ///
    /// Throws `FrameError` of kind `invalidArgument` if `bytes` are too few.
    public init(reading bytes: UnsafeRawBufferPointer, _ format: FrameFormat) throws(FrameError) {
        try self.init(UnsafeMutableRawBufferPointer(mutating: bytes), format)
    }
}
