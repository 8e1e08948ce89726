/// A picture in memory of its own, laid out as any other, with rows that follow one another.
final class OwnPicture {
    let layout: PixelLayout
    /// The planes' memory, which the views refer to.
    private let memory: [Scratch<UInt8>]
    /// The planes.
    let planes: [PlaneView]
    let view: PictureView

    init(_ layout: PixelLayout, width: Int, height: Int) {
        self.layout = layout
        var memory: [Scratch<UInt8>] = []
        let planes = layout.memory.indices.map { index in
            let stride = layout.rowBytes(index, width: width)
            let size = layout.planeSize(index, width: width, height: height)
            let bytes = Scratch<UInt8>()
            bytes.reserve(stride * size.height)
            memory.append(bytes)
            return PlaneView(
                base: UnsafeMutableRawPointer(bytes.start), stride: stride, width: size.width, height: size.height)
        }
        (self.memory, self.planes) = (memory, planes)
        let plane = { (index: Int) in planes.count > index ? planes[index] : nil }
        view = PictureView(planes[0], plane(1), plane(2), plane(3))
    }
}
