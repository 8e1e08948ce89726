import CLibav

/// Which field of an interlaced frame is shown first.
package enum FieldOrder: String, Sendable, Codable {
    case top, bottom

    /// The order of a frame; nil if it isn't flagged as interlaced.
    init?(_ frame: Frame) {
        if flip_frame_is_interlaced(frame.pointer) == 0 { return nil }
        self = flip_frame_shows_top_first(frame.pointer) != 0 ? .top : .bottom
    }

    /// The order in words.
    package var text: String { "\(rawValue) field first" }
}

extension Frame {
    /// Flags the frame as interlaced in an order.
    func flag(as order: FieldOrder) { flip_frame_set_interlaced(pointer, order == .top ? 1 : 0) }
}
