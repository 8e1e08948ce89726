import FlipBase
import FlipClip
import FlipGeometry
import FlipGesture
import FlipRender
import Foundation

/// All that sessions share: the joins, the texts for the page, and where a gesture is saved.
package final class PreviewService: Sendable {
    package let info: PreviewInfo
    package let studio: PreviewStudio
    /// The catalogue of styles as JSON.
    let catalogue: Data
    private let texts: PreviewTexts
    private let gesturePath: String?

    /// - Parameters:
    ///   - catalogue: the styles with their options, as `styles --json` prints them.
    ///   - gesturePath: the only file that is ever written; nil for none.
    package init(_ plans: SeamPlans, catalogue: Data, texts: PreviewTexts, gesturePath: String?) {
        info = PreviewInfo(plans, gestureFile: gesturePath)
        studio = PreviewStudio(plans)
        self.catalogue = catalogue
        self.texts = texts
        self.gesturePath = gesturePath
    }

    /// The transition that a request describes: the one that was asked for on the command line as long as its look is
    /// unchanged, with its gesture.
    func spec(_ request: PreviewRequest) throws(OptionError) -> TransitionSpec {
        let own = studio.plans.full.transitions[request.seam]
        if request.look == info.seams[request.seam].look, own.look != nil { return own }
        var spec = TransitionSpec(look: try request.look.look(), duration: own.duration, overlap: own.overlap)
        spec.sound = own.sound
        return spec
    }

    /// The number of steps of a curve.
    private static let steps = 60

    /// The texts and the easing's curve of a look.
    func description(_ request: PreviewRequest) throws(OptionError) -> PreviewHeader {
        let look = try request.look.look()
        let spec = try spec(request)
        var header = PreviewHeader(number: request.number, kind: request.kind.rawValue)
        header.spec = look.description
        let text = PreviewTexts.spec(of: look)
        (header.command, header.yaml) = texts.texts(of: text + spec.gestureText(after: text), at: request.seam)
        header.curve = (0...Self.steps).map { spec.progress(at: Double($0) / Double(Self.steps)) }
        return header
    }

    private func recording(_ request: PreviewRequest) throws(OptionError) -> (GestureRecording, StyledLook) {
        let look = try request.look.look()
        let samples = (request.samples ?? []).map(\.sample)
        guard samples.count <= GestureRecording.maximumCount else {
            throw OptionError("the gesture is too long (record a shorter one)")
        }
        var recording = GestureRecording(
            style: look.style.name, rule: GestureRule(look), aspect: Double(info.width) / Double(info.height),
            samples: samples)
        recording.width = min(max(request.shown ?? 960, 16), 16384)
        recording.turn = min(max(info.seams[request.seam].milliseconds, 1), GestureRecording.longest)
        return (recording, look)
    }

    /// The curve of a recorded gesture, or why it can't be used.
    func trace(_ request: PreviewRequest) -> PreviewHeader {
        var header = PreviewHeader(number: request.number, kind: request.kind.rawValue)
        do throws(OptionError) {
            let (recording, look) = try recording(request)
            do throws(OptionError) {
                let track = try recording.track(for: look)
                header.curve = (0...Self.steps).map { track(Double($0) / Double(Self.steps)) }
                header.milliseconds = track.length
            } catch {
                header.error = error.description
                header.canMirror = (try? recording.mirrored(for: look).track(for: look)) != nil
            }
        } catch {
            header.error = error.description
        }
        return header
    }

    /// Writes the gesture to the file that the command line names, or returns the file's bytes if it names none.
    func save(_ request: PreviewRequest) throws -> (PreviewHeader, [UInt8]) {
        let (recording, look) = try recording(request)
        _ = try recording.track(for: look)
        let data = GestureFile.data(recording)
        var header = PreviewHeader(number: request.number, kind: request.kind.rawValue)
        guard let gesturePath else { return (header, Array(data)) }
        try data.write(to: URL(fileURLWithPath: gesturePath), options: .atomic)
        header.saved = gesturePath
        return (header, [])
    }
}
