import FlipBase
import FlipMedia
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// What the page knows from the beginning.
package struct PreviewInfo: Encodable, Sendable {
    struct Seam: Encodable {
        let first: String
        let second: String
        /// The frame of the output at which the transition starts, and its length in frames and in milliseconds.
        let start: Int
        let frames: Int
        let milliseconds: Double
        /// Whether the clips run meanwhile, as the command line or the project says it; empty where neither does.
        let overlap: String
        /// The look that was asked for, as the page sends it back.
        let look: LookChoice
    }

    let seams: [Seam]
    let width: Int
    let height: Int
    let frameRate: Double
    /// The length of the output in frames.
    let frames: Int
    /// The name of the file into which a gesture is saved; nil if it isn't.
    let gestureFile: String?
    /// The longest gesture that can be used, in milliseconds and in samples.
    let longestGesture = GestureRecording.longest
    let mostSamples = GestureRecording.maximumCount
    /// The styles and looks of the contact sheet, in the order of their numbers.
    let sheet: [Sheet]

    struct Sheet: Encodable {
        let name: String
        let summary: String
        let look: LookChoice
    }

    package init(_ plans: SeamPlans, gestureFile: String?) {
        let plan = plans.full
        seams = plan.transitions.indices.map { index in
            let join = plan.timeline.joins[index]
            let look = plan.transitions[index].look
            let frames = max(1, join.frames)
            return Seam(
                first: Self.name(plan.clips[index].name), second: Self.name(plan.clips[index + 1].name),
                start: join.start, frames: frames,
                milliseconds: (Rational(frames * 1000) / plan.video.frameRate).doubleValue,
                overlap: plan.transitions[index].overlap?.rawValue ?? "",
                look: look.map(LookChoice.init) ?? LookChoice(style: Styles.all[0].name))
        }
        (width, height) = (plan.video.width, plan.video.height)
        frameRate = plan.video.frameRate.doubleValue
        frames = plan.timeline.frames
        self.gestureFile = gestureFile.map(Self.name)
        sheet = Self.sheet
    }

    /// A path's last part.
    private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// All styles, and then all named looks.
    static let sheet: [Sheet] =
        Styles.all.map { Sheet(name: $0.name, summary: $0.summary, look: LookChoice(style: $0.name)) }
        + Looks.all.map {
            Sheet(name: $0.name, summary: $0.summary, look: LookChoice(style: $0.style.name, named: $0.name))
        }
}

/// A look as the page chooses it: names and values, which the catalogue reads. It can't name a file.
package struct LookChoice: Codable, Sendable, Equatable {
    var style: String
    var named: String?
    var options: [String: String] = [:]

    init(style: String, named: String? = nil) { (self.style, self.named) = (style, named) }

    /// The choice that stands for `look`: each option that differs from the style's defaults.
    init(_ styled: StyledLook) {
        let look = styled.asked
        style = look.style.name
        named = look.named
        let bundle = try? StyledLook(style: look.style, look: look.named, options: [])
        let defaults = bundle?.look ?? look.style.defaults(in: look.look.mode)
        for option in look.style.options where option.value(in: look.look) != option.value(in: defaults) {
            options[option.rawValue] = option.value(in: look.look)
        }
    }

    /// What is wrong with each option whose value can't be used, by the option's name.
    var faults: [String: String] {
        var faults: [String: String] = [:]
        for (name, value) in options {
            var alone = self
            alone.options = [name: value]
            do throws(OptionError) {
                _ = try alone.look()
            } catch {
                faults[name] = error.description
            }
        }
        // If the style itself is unknown, no option is at fault.
        var none = self
        none.options = [:]
        return (try? none.look()) == nil ? [:] : faults
    }

    /// The look. Throws if it is none.
    func look() throws(OptionError) -> StyledLook {
        var settings: [(option: LookOption, value: String)] = []
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            guard let option = LookOption(rawValue: name), value.utf8.count <= 200 else {
                throw OptionError("unknown option '\(name.prefix(40))'")
            }
            settings.append((option, value))
        }
        return try StyledLook(style: style, look: named, options: settings)
    }
}
