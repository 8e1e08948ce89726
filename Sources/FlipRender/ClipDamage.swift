import FlipMedia

/// The damage found in clips while they were read.
struct ClipDamage: Sendable {
    /// For each clip, the number of decoding errors that were concealed.
    var concealedErrors: [Int]
    /// The indices of clips whose files changed while they were read.
    var changed: Set<Int> = []
    /// The indices of clips whose files ended earlier than they should.
    var cutOff: Set<Int> = []
    /// By clip index, sentences about a live clip that isn't as its first packets promised.
    var surprises: [Int: [String]] = [:]
    /// The number of decoding errors that were concealed in films over the frames, by the films' names.
    var overlays: [String: Int] = [:]

    init(_ plan: RenderPlan) { concealedErrors = plan.clips.map { _ in 0 } }

    mutating func add(_ other: ClipDamage) {
        concealedErrors = zip(concealedErrors, other.concealedErrors).map(+)
        changed.formUnion(other.changed)
        cutOff.formUnion(other.cutOff)
        add(other.overlays)
    }

    /// Adds errors in films over the frames. A film that is read several times counts once.
    mutating func add(_ errors: [String: Int]) { overlays.merge(errors, uniquingKeysWith: max) }

    /// A sentence for each kind of damage in each clip.
    func warnings(_ plan: RenderPlan) -> [String] {
        plan.clips.indices.flatMap { warnings(of: $0, plan.clips[$0].input) }
            + overlays.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, errors in
                "\(name): \(Self.concealed(errors))"
            }
    }

    private static func concealed(_ errors: Int) -> String {
        errors == 1 ? "1 decoding error was concealed" : "\(errors) decoding errors were concealed"
    }

    private func warnings(of index: Int, _ clip: InputClip) -> [String] {
        var sentences = surprises[index] ?? []
        if changed.contains(index) { sentences.append("\(clip.name): the file was changed while it was read") }
        if cutOff.contains(index), clip.complaints.isEmpty {
            sentences.append("\(clip.name): it is cut off, and ends earlier than it should")
        }
        let errors = concealedErrors[index]
        if errors > 0 { sentences.append("\(clip.name): \(Self.concealed(errors))") }
        return sentences
    }
}
