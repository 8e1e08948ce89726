extension LookOption {
    /// What the option's numbers count; nil where it has none, or they are plain factors.
    package var unit: String? {
        switch self {
        case .creases: "creases"
        case .perspective: "page lengths"
        case .viewpoint, .spine: "fractions of the frame"
        case .cornerRadius: "luma pixels"
        case .direction, .orientation, .reverse, .mode, .easing, .shadow, .shadowStrength, .shadowColor, .pullBack: nil
        }
    }
}
