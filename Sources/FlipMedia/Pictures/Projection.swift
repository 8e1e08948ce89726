import CLibav
import FlipBase

/// How a container says that its pictures surround the viewer or hold a view for each eye: the boxes sv3d and st3d, and Matroska's
/// Projection and StereoMode.
package struct Projection: Sendable, Hashable {
    /// libav's AVSphericalMapping and AVStereo3D; empty where the container has none.
    private var spherical: [UInt8] = []
    private var stereo: [UInt8] = []

    /// Returns nil if the stream says nothing of it.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        if let data = flip_spherical(stream) { spherical = withUnsafeBytes(of: data.pointee) { Array($0) } }
        if let data = flip_stereo(stream) { stereo = withUnsafeBytes(of: data.pointee) { Array($0) } }
        if spherical.isEmpty, stereo.isEmpty { return nil }
    }

    func attach(to stream: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        for (type, bytes) in [(AV_PKT_DATA_SPHERICAL, spherical), (AV_PKT_DATA_STEREO3D, stereo)] where !bytes.isEmpty {
            guard let data = flip_add_side_data(stream, type, bytes.count) else { throw .outOfMemory }
            data.copyMemory(from: bytes, byteCount: bytes.count)
        }
    }
}
