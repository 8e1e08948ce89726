/// A place in a frame or a picture by its name, such as `center` or `top-left`.
package struct FramePlace: Sendable, Hashable {
    package let name: String
    /// The fraction of the room beside a part of the frame that lies left of it, and above it.
    let x: Double
    let y: Double

    /// The center of the frame.
    package static let center = FramePlace(name: "center", x: 0.5, y: 0.5)

    package static let all = [
        center, FramePlace(name: "top", x: 0.5, y: 0), FramePlace(name: "bottom", x: 0.5, y: 1),
        FramePlace(name: "left", x: 0, y: 0.5), FramePlace(name: "right", x: 1, y: 0.5),
        FramePlace(name: "top-left", x: 0, y: 0), FramePlace(name: "top-right", x: 1, y: 0),
        FramePlace(name: "bottom-left", x: 0, y: 1), FramePlace(name: "bottom-right", x: 1, y: 1),
    ]

    /// The names as messages list them.
    package static var names: String { all.map(\.name).joined(separator: "|") }

    /// The place called `name`; nil if there is none.
    static func named(_ name: some StringProtocol) -> FramePlace? { all.first { $0.name == name } }
}
