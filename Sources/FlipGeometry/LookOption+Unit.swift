extension LookOption {
    /// The unit of the option's numbers; nil if it takes no numbers, or plain factors.
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
