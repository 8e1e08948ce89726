import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender
import Foundation

/// Pictures for the clips of a plan that MLT can't read, such as the pages of a deck, in a folder beside the project.
package struct MLTPictures {
    private let composition: Composition
    private let plan: RenderPlan
    private let folder: String
    /// The indices of the clips.
    private let clips: [Int]
    /// The paths of the pictures by the indices of their clips.
    package var paths: [Int: String] {
        Dictionary(uniqueKeysWithValues: clips.map { ($0, folder + "/" + Self.name($0)) })
    }

    private static func name(_ clip: Int) -> String { String(format: "picture-%04d.png", clip + 1) }

    /// - Parameters:
    ///   - composition: what `plan` was made from.
    ///   - path: the project's path; nil if it has none.
    /// - Throws: `usage` if pictures are needed and there is no folder for them.
    package init(_ composition: Composition, _ plan: RenderPlan, besides path: String?) throws(MediaError) {
        (self.composition, self.plan) = (composition, plan)
        clips = MLTExport.clipsWithoutFiles(plan)
        guard let path else {
            guard clips.isEmpty else {
                throw MediaError(.usage, "the pages are written as pictures beside the project (give it a name)")
            }
            folder = ""
            return
        }
        folder = URL(fileURLWithPath: path).deletingPathExtension().path + "-pictures"
    }

    /// Writes the pictures, each as its clip's first frame in the output.
    package func write(overwrites: Bool) throws {
        if clips.isEmpty { return }
        for path in paths.values where FileManager.default.fileExists(atPath: path) {
            try OutputPlace.check(path, overwrites: overwrites, inputs: composition.files)
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw MediaError(.io, "cannot make the folder '\(folder)'")
        }
        let look = try StyledLook(style: Dissolve())
        for (clip, path) in paths.sorted(by: { $0.key < $1.key }) {
            var settings = OutputSettings(path: path)
            settings.size = (plan.video.width, plan.video.height)
            (settings.fit, settings.background) = (composition.output.fit, composition.output.background)
            (settings.isStill, settings.hasAudio, settings.overwrites) = (true, false, overwrites)
            var input = plan.inputs[clip]
            input.motion = nil
            input.films = []
            let still = Composition(
                inputs: [input, input], reading: composition.reading,
                transitions: [TransitionSpec(look: look, overlap: .freeze)], output: settings)
            try StillRenderer.write(try Planner.plan(still), progress: 0)
        }
    }
}
