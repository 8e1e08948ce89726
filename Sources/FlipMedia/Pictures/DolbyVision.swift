import CLibav
import FlipBase

/// How a container says that its video is Dolby Vision: the boxes dvcC and dvvC.
package struct DolbyVision: Sendable, Hashable {
    /// The record in libav's form.
    private let record: [UInt8]
    /// The profile: 5 has colors of its own, 7 an enhancement layer, and 8 a base layer that any player shows.
    package let profile: Int
    private let hasEnhancementLayer: Bool

    /// Whether the base layer is a whole picture in common colors, so that what describes it can be carried over.
    package var isCarried: Bool { profile == 8 && !hasEnhancementLayer }

    /// Returns nil if the stream says nothing of it.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let data = flip_dolby_vision(stream) else { return nil }
        record = withUnsafeBytes(of: data.pointee) { Array($0) }
        profile = Int(data.pointee.dv_profile)
        hasEnhancementLayer = data.pointee.el_present_flag != 0
    }

    func attach(to stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard let data = flip_add_dolby_vision(stream) else { throw .outOfMemory }
        UnsafeMutableRawPointer(data).copyMemory(from: record, byteCount: record.count)
    }
}
