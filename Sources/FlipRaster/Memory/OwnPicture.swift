/// A picture in memory of its own, laid out as any other, with rows that follow one another.
final class OwnPicture {
    let layout: PixelLayout
    private let width: Int
    private let height: Int
    private let planes: [Scratch<UInt8>]

    init(_ layout: PixelLayout, width: Int, height: Int) {
        (self.layout, self.width, self.height) = (layout, width, height)
        planes = layout.memory.map { _ in Scratch<UInt8>() }
        for plane in planes.indices {
            planes[plane].reserve(
                layout.rowBytes(plane, width: width) * layout.planeSize(plane, width: width, height: height).height)
        }
    }

    var view: PictureView {
        func plane(_ index: Int) -> PlaneView? { planes.count > index ? self.plane(index) : nil }
        return PictureView(self.plane(0), plane(1), plane(2), plane(3))
    }

    /// Plane `index` in memory.
    func plane(_ index: Int) -> PlaneView {
        let size = layout.planeSize(index, width: width, height: height)
        return PlaneView(
            base: UnsafeMutableRawPointer(planes[index].start), stride: layout.rowBytes(index, width: width),
            width: size.width, height: size.height)
    }
}
