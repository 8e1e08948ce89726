import CFrei0r
import FlipGeometry
import FlipHost
import FlipRaster

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One use of a plugin, at one size and in one thread at a time. It keeps nothing from frame to frame but its buffers.
package final class PluginInstance {
    private let width: Int
    private let height: Int
    /// Rows below two stacked pictures that belong to neither.
    private let spareRows: Int
    /// Seconds that the host's clock counts as 1.
    private let clockUnit: Double
    private var settings = HostSettings()
    /// The settings as a transition; nil after a change.
    private var transition: HostTransition?
    /// For the picture's own width, which the settings may say.
    private var renderer: PackedRenderer
    /// The mistakes that were told already.
    private var said: Set<String> = []
    /// What hosts were given for parameters that are texts.
    private var texts: [Int: UnsafeMutablePointer<CChar>] = [:]

    /// For pictures of `width` x `height` pixels; nil where they are too large or empty.
    package init?(width: Int, height: Int, spareRows: Int = 0, clockUnit: Double) {
        guard (1...16384).contains(width), (1...16384).contains(height) else { return nil }
        self.width = width
        self.height = height
        self.spareRows = spareRows
        self.clockUnit = clockUnit
        renderer = PackedRenderer(width: width, height: height, background: .black)
    }

    deinit { for text in texts.values { free(text) } }

    /// Draws the frame at `time` of the host's clock, from the first picture to the second, or the other way round where `swap` is
    /// set. `result` is neither of the pictures; where they are padded, its padding stays
    /// as it is.
    package func draw(
        _ time: Double, from first: UnsafeRawPointer, to second: UnsafeRawPointer, into result: UnsafeMutableRawPointer
    ) {
        let transition = current()
        if renderer.width != transition.width {
            renderer = PackedRenderer(width: transition.width, height: height, background: transition.background)
        }
        renderer.background = transition.background
        let time = time * clockUnit
        let (from, to) = settings.isSwapped ? (second, first) : (first, second)
        renderer.render(
            transition.look, progress: transition.progress(settings.progress(at: time), time: time),
            from: view(UnsafeMutableRawPointer(mutating: from)), to: view(UnsafeMutableRawPointer(mutating: to)),
            into: view(result))
    }

    /// Draws the frame at `time` from the upper half of `pair` to the lower one, each of the instance's size, into the upper half
    /// of `result`. The rest is copied: the second picture and the spare rows below it.
    package func drawStack(_ time: Double, _ pair: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        let half = 4 * pixels
        draw(time, from: pair, to: pair + half, into: result)
        (result + half).copyMemory(from: pair + half, byteCount: half + 4 * width * spareRows)
    }

    /// Of a frame, padding included.
    private var pixels: Int { width * height }

    /// Copies a frame.
    package func copy(_ picture: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        result.copyMemory(from: picture, byteCount: 4 * pixels)
    }

    private func view(_ pixels: UnsafeMutableRawPointer) -> PackedView {
        PackedView(base: pixels, stride: 4 * width, width: renderer.width, height: height)
    }

    private func current() -> HostTransition {
        if let transition { return transition }
        let fresh = HostTransition(settings, width: width, height: height)
        // Once each: values that are animated make a fresh transition of every frame.
        for mistake in fresh.mistakes where said.insert(mistake).inserted && said.count < 100 {
            PluginInstance.say(mistake)
        }
        transition = fresh
        return fresh
    }

    /// Writes a line to standard error: the interface has no other place for it.
    private static func say(_ sentence: String) {
        var line = "fliptransition: \(sentence)\n"
        line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    // MARK: Parameters

    /// Takes the value of parameter `index` from the host's memory.
    func set(_ index: Int, from memory: UnsafeRawPointer) {
        guard settings.values.indices.contains(index) else { return }
        let value: HostParameter.Value
        switch settings.values[index] {
        case .flag: value = .flag(memory.loadUnaligned(as: Double.self) >= 0.5)
        case .number: value = .number(memory.loadUnaligned(as: Double.self))
        case .color:
            let color = memory.loadUnaligned(as: flip_f0r_color.self)
            value = .color(Color(red: part(color.red), green: part(color.green), blue: part(color.blue)))
        case .text:
            guard let text = memory.loadUnaligned(as: UnsafePointer<CChar>?.self) else { return }
            value = .text(String(cString: text))
        }
        let isChanged = settings.set(index, to: value)
        if isChanged, !HostParameter.all[index].changesAllTheTime { transition = nil }
    }

    private func part(_ value: Float) -> Double { value.isFinite ? min(max(Double(value), 0), 1) : 0 }

    /// Writes the value of parameter `index` into the host's memory.
    func get(_ index: Int, into memory: UnsafeMutableRawPointer) {
        guard settings.values.indices.contains(index) else { return }
        switch settings.values[index] {
        case .flag(let flag): memory.storeBytes(of: flag ? 1 : 0, as: Double.self)
        case .number(let number): memory.storeBytes(of: number, as: Double.self)
        case .color(let color):
            memory.storeBytes(
                of: flip_f0r_color(red: Float(color.red), green: Float(color.green), blue: Float(color.blue)),
                as: flip_f0r_color.self)
        case .text(let text):
            free(texts[index])
            texts[index] = strdup(text)
            memory.storeBytes(of: texts[index], as: UnsafeMutablePointer<CChar>?.self)
        }
    }
}
