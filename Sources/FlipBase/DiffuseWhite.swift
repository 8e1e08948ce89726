/// The encoded value of diffuse white, such as paper in full light, 0...1. In HDR that is 203 cd/m2 (ITU-R BT.2408, table 1).
package enum DiffuseWhite {
    package static let sdr = 1.0
    /// Of the perceptual quantizer (SMPTE ST 2084).
    package static let pq = 0.5807
    /// Of hybrid log-gamma (ARIB STD-B67).
    package static let hlg = 0.75
}
