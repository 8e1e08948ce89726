import FlipBase
import FlipClip
import FlipMedia

/// Parts that cut lists state in frames.
extension Planner {
    /// Turns the parts into times now that the clips' rates are known, and leaves out clips of which nothing is shown.
    mutating func settleParts() throws(MediaError) {
        for note in composition.inputs.flatMap(\.notes) {
            try warn(note)
            composition.notes.append(note)
        }
        for index in composition.inputs.indices { composition.inputs[index].notes = [] }
        guard composition.inputs.contains(where: { $0.listed != nil }) else { return }
        let videos = sources.compactMap(\.video)
        let film = videos.first { !$0.isStill } ?? videos.first
        let output = settings.frameRate ?? film?.frameRate ?? Rational(25)
        for index in composition.inputs.indices.reversed() {
            let isShown = try composition.inputs[index].settle(
                in: sources[index], rate: settings.frameRate, output: output)
            guard !isShown else { continue }
            composition.removeInput(index)
            sources.remove(at: index)
        }
        guard !composition.inputs.isEmpty else { throw MediaError(.badInput, "the cut list leaves out the whole film") }
    }
}

extension Composition {
    /// Leaves out clip `index` and the join after it.
    fileprivate mutating func removeInput(_ index: Int) {
        inputs.remove(at: index)
        if transitions.count > 1, index < transitions.count { transitions.remove(at: index) }
        for sound in sounds.indices {
            guard case .clip(let clip, let offset) = sounds[sound].start, clip > index else { continue }
            sounds[sound].start = .clip(index: clip - 1, offset: offset)
        }
    }
}
