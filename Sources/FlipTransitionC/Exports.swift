public import CFlipTransition
import FlipFrame
import FlipGeometry
import FlipHost

// The functions that fliptransition.h declares and documents. The compiler checks each against its declaration there.

/// C strings that are never freed, because callers may keep them.
private enum Texts {
    nonisolated(unsafe) static let version = copy(ProductVersion.text)
    nonisolated(unsafe) static let styles = Styles.all.map { copy($0.name) }
    nonisolated(unsafe) static let catalog = copy(JSONNode.list(StyleEntry.all.map(\.json)).json)

    private static func copy(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { memory[index] = byte }
        return UnsafePointer(memory)
    }
}

/// The version of the library that is running.
@c @implementation
public func fliptransition_version() -> UnsafePointer<CChar>! { Texts.version }

/// The name of a style; nil after the last.
@c @implementation
public func fliptransition_style_name(_ index: Int32) -> UnsafePointer<CChar>! {
    Texts.styles.indices.contains(Int(index)) ? Texts.styles[Int(index)] : nil
}

/// The catalog of styles as JSON.
@c @implementation
public func fliptransition_styles() -> UnsafePointer<CChar>! { Texts.catalog }

/// Whether a pixel format is supported: 1 or 0.
@c @implementation
public func fliptransition_supports_format(_ name: UnsafePointer<CChar>!) -> Int32 {
    guard let name else { return 0 }
    return FrameFormat.supports(String(cString: name)) ? 1 : 0
}

/// Stores the planes of pictures of a format and size, and returns their number; 0 if they aren't supported.
@c @implementation
public func fliptransition_planes(
    _ name: UnsafePointer<CChar>!, _ width: Int32, _ height: Int32,
    _ planes: UnsafeMutablePointer<fliptransition_plane>!
) -> Int32 {
    guard let name, let format = try? FrameFormat(String(cString: name), width: Int(width), height: Int(height)) else {
        return 0
    }
    for (index, plane) in format.planes.enumerated() {
        planes?[index] = fliptransition_plane(
            rows: Int32(plane.rows), columns: Int32(plane.columns), components: Int32(plane.components),
            sample_bytes: Int32(format.bytesPerSample))
    }
    return Int32(format.planes.count)
}

/// Opens a handle.
@c @implementation
public func fliptransition_open() -> OpaquePointer! {
    OpaquePointer(Unmanaged.passRetained(TransitionHandle()).toOpaque())
}

/// Frees a handle.
@c @implementation
public func fliptransition_close(_ flip: OpaquePointer!) {
    guard let flip else { return }
    Unmanaged<TransitionHandle>.fromOpaque(UnsafeRawPointer(flip)).release()
}

/// Sets an option, or resets it if `value` is nil.
@c @implementation
public func fliptransition_set(
    _ flip: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let name else { throw FrameError(.invalidArgument, "the option's name is missing") }
        try state.set(String(cString: name), to: value.map { String(cString: $0) })
    }
}

/// Sets the pixel format and the size of the pictures.
@c @implementation
public func fliptransition_set_format(
    _ flip: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ width: Int32, _ height: Int32
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let name else { throw FrameError(.invalidArgument, "the pixel format's name is missing") }
        try state.setFormat(String(cString: name), width: Int(width), height: Int(height))
    }
}

/// Stores the progress at `time` in `progress`.
@c @implementation
public func fliptransition_ease(
    _ flip: OpaquePointer!, _ time: Double, _ progress: UnsafeMutablePointer<Double>!
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let progress else { throw FrameError(.invalidArgument, "there is no place for the progress") }
        progress.pointee = try state.ease(try TransitionState.unit("time", time))
    }
}

/// Stores the progress of frame `index` of `count` in `progress`.
@c @implementation
public func fliptransition_progress(
    _ flip: OpaquePointer!, _ index: Int32, _ count: Int32, _ progress: UnsafeMutablePointer<Double>!
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let progress else { throw FrameError(.invalidArgument, "there is no place for the progress") }
        guard count > 0, (0..<count).contains(index) else {
            throw FrameError(.invalidArgument, "invalid frame \(index) of \(count) (they are counted from 0)")
        }
        progress.pointee = try state.progress(ofFrame: Int(index), in: Int(count))
    }
}

/// Draws a frame.
@c @implementation
public func fliptransition_render(
    _ flip: OpaquePointer!, _ progress: Double, _ from: UnsafePointer<fliptransition_picture>!,
    _ to: UnsafePointer<fliptransition_picture>!, _ into: UnsafePointer<fliptransition_picture>!
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let from, let to, let into else { throw missingPictures }
        try state.render(
            progress: try TransitionState.unit("progress", progress), from: FramePicture(from.pointee),
            to: FramePicture(to.pointee), into: FramePicture(into.pointee))
    }
}

/// Draws a frame of a transition that lasts for some frames.
@c @implementation
public func fliptransition_render_frame(
    _ flip: OpaquePointer!, _ index: Int32, _ count: Int32, _ from: UnsafePointer<fliptransition_picture>!,
    _ to: UnsafePointer<fliptransition_picture>!, _ into: UnsafePointer<fliptransition_picture>!
) -> fliptransition_status {
    perform(flip) { state throws(FrameError) in
        guard let from, let to, let into else { throw missingPictures }
        try state.render(
            frame: Int(index), of: Int(count), from: FramePicture(from.pointee), to: FramePicture(to.pointee),
            into: FramePicture(into.pointee))
    }
}

/// Copies the error message of the last call that failed.
@c @implementation
public func fliptransition_error(_ flip: OpaquePointer!, _ text: UnsafeMutablePointer<CChar>!, _ size: Int) -> Int {
    let sentence = flip == nil ? missingHandle : handle(flip).lastError
    guard let sentence else { return 0 }
    let bytes = sentence.utf8CString
    if let text, size > 0 {
        let count = min(size, bytes.count) - 1
        for index in 0..<count { text[index] = bytes[index] }
        text[count] = 0
    }
    return bytes.count
}

extension FramePicture {
    /// The planes of `picture` up to the first one that is missing.
    fileprivate init(_ picture: fliptransition_picture) {
        let starts = [picture.planes.0, picture.planes.1, picture.planes.2, picture.planes.3]
        let strides = [picture.strides.0, picture.strides.1, picture.strides.2, picture.strides.3]
        var planes: [Plane] = []
        for (start, stride) in zip(starts, strides) {
            guard let start else { break }
            planes.append(Plane(start, stride: stride))
        }
        self.init(planes)
    }
}

// MARK: Handles

private let missingHandle = "the handle is missing (fliptransition_open gives one)"

private let missingPictures = FrameError(.invalidArgument, "three pictures are needed: from, to and into")

private func handle(_ flip: OpaquePointer) -> TransitionHandle {
    Unmanaged<TransitionHandle>.fromOpaque(UnsafeRawPointer(flip)).takeUnretainedValue()
}

private func perform(
    _ flip: OpaquePointer?, _ body: (inout TransitionState) throws(FrameError) -> Void
) -> fliptransition_status {
    guard let flip else { return FLIPTRANSITION_INVALID_ARGUMENT }
    return switch handle(flip).perform(body) {
    case nil: FLIPTRANSITION_OK
    case .invalidArgument: FLIPTRANSITION_INVALID_ARGUMENT
    case .invalidOption: FLIPTRANSITION_INVALID_OPTION
    case .unsupportedFormat: FLIPTRANSITION_UNSUPPORTED_FORMAT
    }
}
