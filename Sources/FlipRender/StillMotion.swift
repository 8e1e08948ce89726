import FlipBase
import FlipMedia
import FlipGeometry
import FlipRaster
import Foundation

/// How a still moves while it is shown (EFFECTS 12): from one part of the fitted picture to another, along straight lines
/// at an even speed.
package struct StillMotion: Sendable, Hashable {
    /// The part that fills the frame when the still is first seen, and when it is last seen.
    package var start: PictureZoom.Part
    package var end: PictureZoom.Part
    /// The motion as the user wrote it; nil for one that nobody wrote.
    package private(set) var text: String?

    /// The range of magnifications.
    package static let zooms = 1.0...4

    /// The greatest magnification.
    var zoom: Double { 1 / min(start.width, end.width) }

    /// The size in pixels of a picture from which every part has at least as many pixels as the output.
    func size(of conform: VideoConform) -> (width: Int, height: Int) {
        let (x, y) = (conform.pixelFormat.chromaStepX, conform.pixelFormat.chromaStepY)
        let enlarged = { (length: Int, step: Int) in
            let size = Int((Double(length) * zoom - 0.001).rounded(.up))
            return zoom == 1 ? length : (size + step - 1) / step * step
        }
        return (enlarged(conform.width, x), enlarged(conform.height, y))
    }

    /// The part that fills the frame at `time`, 0 when the still is first seen and 1 when it is last seen.
    func part(at time: Double) -> PictureZoom.Part {
        let between = { (from: Double, to: Double) in from + (to - from) * time }
        return PictureZoom.Part(
            x: between(start.x, end.x), y: between(start.y, end.y), width: between(start.width, end.width),
            height: between(start.height, end.height))
    }

    /// The motion between two times.
    func between(_ first: Double, _ last: Double) -> StillMotion {
        var motion = self
        (motion.start, motion.end) = (part(at: first), part(at: last))
        return motion
    }

    private static func part(zoom: Double, x: Double, y: Double) -> PictureZoom.Part {
        let size = 1 / zoom
        return PictureZoom.Part(x: x * (1 - size), y: y * (1 - size), width: size, height: size)
    }

    private init(_ zooms: (Double, Double), from: (x: Double, y: Double), to: (x: Double, y: Double)) {
        start = Self.part(zoom: zooms.0, x: from.x, y: from.y)
        end = Self.part(zoom: zooms.1, x: to.x, y: to.y)
    }

    /// Parses what follows `#zoom=`: `1.2`, `1:1.3`, and optionally `,from=center,to=top-left`. One number is the
    /// magnification at the end, or throughout if both places are given.
    package init(parsing text: String) throws(OptionError) {
        let invalid = OptionError(
            "invalid zoom '\(text)' (expected \(Self.zooms.lowerBound)...\(Self.zooms.upperBound), as in 1.2, 1:1.3 or "
                + "1.2,from=center,to=top-left)")
        var words = text.split(separator: ",", omittingEmptySubsequences: false)[...]
        let zooms =
            words.popFirst()?.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? 0 } ?? []
        guard (1...2).contains(zooms.count), zooms.allSatisfy(Self.zooms.contains) else { throw invalid }
        var named: [Substring: (x: Double, y: Double)] = [:]
        for word in words {
            let name = word.prefix { $0 != "=" }
            guard name == "from" || name == "to", named[name] == nil,
                let place = FramePlace.named(word.dropFirst(name.count + 1))
            else { throw invalid }
            named[name] = (place.x, place.y)
        }
        let first = zooms.count == 2 || named.count == 2 ? zooms[0] : 1
        let (from, to) = (named["from"] ?? named["to"], named["to"] ?? named["from"])
        self.init((first, zooms[zooms.count - 1]), from: from ?? (0.5, 0.5), to: to ?? (0.5, 0.5))
        self.text = text
    }

    /// The motion of a picture for `--still-motion kenburns`: in or out, towards or from one of five places, as the
    /// picture's name decides. So a picture always moves in the same way.
    package init(kenBurns name: String) {
        // FNV-1a, 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (name.split(separator: "/").last ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let spots = [(0.5, 0.5), (0.25, 0.3), (0.75, 0.3), (0.3, 0.7), (0.7, 0.7)]
        let place = spots[Int(hash >> 32 % UInt64(spots.count))]
        let zoom = 1.12 + Double(hash >> 16 & 0xFF) / 255 * 0.1
        let goesIn = hash & 1 == 0
        self.init(goesIn ? (1, zoom) : (zoom, 1), from: place, to: place)
    }
}

/// How stills without a motion of their own move.
package enum StillMotionMode: String, Sendable, CaseIterable, Codable {
    case none
    case kenburns
}
