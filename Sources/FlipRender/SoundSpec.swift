import FlipMedia

/// Audio of its own, beside that of the clips, as the user names it.
package struct SoundSpec: Sendable, Hashable {
    /// Where it begins.
    package enum Place: Sendable, Hashable {
        /// Seconds of the output.
        case time(Rational)
        /// Seconds after the first frame of clip `index`.
        case clip(index: Int, offset: Rational)
    }

    /// What becomes of it in the mix.
    package enum Role: String, Sendable, Codable {
        case plain
        /// The bed is quieter while it is heard.
        case voice
        /// Lies under the voices and the clips.
        case bed
    }

    package var path: String
    package var part: ClipPart
    package var place: Place
    /// Seconds over which it comes and goes.
    package var fadeIn = Rational.zero
    package var fadeOut = Rational.zero
    /// In dB.
    package var gain = 0.0
    package var role = Role.plain

    package init(path: String, part: ClipPart = .all, place: Place) {
        self.path = path
        self.part = part
        self.place = place
    }
}
