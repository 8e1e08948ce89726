import FlipBase

/// What appears on a slide, disappears from it and changes on it, click by click.
package struct Builds: Sendable, Equatable {
    /// What an effect concerns.
    struct Target: Sendable, Hashable {
        enum Part: Sendable, Hashable {
            case whole
            /// The shape without its text, and its text without the shape.
            case background, text
            /// A paragraph of the text, from 0.
            case paragraph(Int)
        }
        /// The shape's ID; in OpenDocument, it may be that of a paragraph.
        var shape: String
        var part = Part.whole
    }

    /// What happens to a target.
    enum Change: Sendable, Equatable {
        case show, hide
        /// It gets another look: a property, and its value as the document has it.
        case look(String, String)
    }

    struct Effect: Sendable, Equatable {
        var target: Target
        var change: Change
    }

    /// What is to be seen between two clicks.
    struct State: Sendable, Equatable {
        var hidden: Set<Target> = []
        var looks: [Target: [String: String]] = [:]
    }

    /// What effects do that pictures can't show.
    enum Loss: String, Sendable, CaseIterable {
        case paths = "motion paths"
        case triggers = "triggers"
        case emphasis = "effects of emphasis"
        case parts = "charts or diagrams that come in parts"
    }

    /// The effects that come by themselves, and those of each click, with what comes with it or after it.
    var clicks: [[Effect]] = [[]]
    var losses: Set<Loss> = []
    /// The click that starts the film or sound of a shape, by the shape's ID; none for those that start by themselves.
    var started: [String: Int] = [:]
    /// When PowerPoint has recorded each click, in seconds after the transition to the slide; empty if it hasn't.
    var recorded: [Rational] = []

    /// The maximum number of clicks of a slide; further ones belong to the last.
    private static let most = 300
    /// The maximum number of effects of a slide; further ones are left out.
    fileprivate static let mostEffects = 5000

    /// Begins a further click.
    mutating func click() { if clicks.count <= Self.most { clicks.append([]) } }

    /// What happens after a click, and how long after it.
    struct Moments {
        fileprivate var list: [(time: Double, effect: Effect)] = []

        /// - Parameter time: in any unit.
        mutating func add(_ targets: [Target], _ change: Change, at time: Double) {
            guard list.count < Builds.mostEffects else { return }
            list += targets.map { (time, Effect(target: $0, change: change)) }
        }
    }

    /// Adds effects to the last click, in the order in which they come.
    mutating func add(_ moments: Moments) {
        let ordered = moments.list.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        let room = max(0, Self.mostEffects - clicks.reduce(0) { $0 + $1.count })
        clicks[clicks.count - 1] += ordered.prefix(room).map(\.element.effect)
    }

    /// What is to be seen before the first click and after each. What an effect shows first is hidden before.
    var states: [State] {
        var state = State()
        var known: Set<Target> = []
        for effect in clicks.joined() {
            switch effect.change {
            case .show: if known.insert(effect.target).inserted { state.hidden.insert(effect.target) }
            case .hide: known.insert(effect.target)
            case .look: break
            }
        }
        return clicks.map { effects in
            for effect in effects {
                switch effect.change {
                case .show: state.hidden.remove(effect.target)
                case .hide: state.hidden.insert(effect.target)
                case .look(let name, let value): state.looks[effect.target, default: [:]][name] = value
                }
            }
            return state
        }
    }

    /// The step at which the film or sound of a shape can begin: when it is there, and started.
    func beginning(of shape: String) -> Int {
        let shown = states.firstIndex { !$0.hidden.contains(Target(shape: shape)) } ?? 0
        return max(shown, started[shape] ?? 0)
    }

    /// The states without repetition, and for each click the index of the one that follows it.
    var pictures: (states: [State], steps: [Int]) {
        var (distinct, steps): ([State], [Int]) = ([], [])
        for state in states {
            if distinct.last != state { distinct.append(state) }
            steps.append(distinct.count - 1)
        }
        return (distinct, steps)
    }

    /// Whether the slide as it is drawn without effects is all there is to see.
    var isPlain: Bool { states.allSatisfy { $0 == State() } }
}
