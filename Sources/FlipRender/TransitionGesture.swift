import FlipBase
import FlipFiles
import FlipGeometry
import FlipGesture
import Foundation

/// A recorded movement of the hand that takes the place of a transition's easing.
package struct TransitionGesture: Sendable {
    /// The path of the file with the recording.
    package let path: String
    /// The movement, once it has been read.
    private var track: GestureTrack?

    package init(path: String) { self.path = path }

    /// How long the movement takes, in milliseconds; nil before it has been read.
    package var milliseconds: Double? { track?.length }

    /// The progress at `time`, 0...1.
    package func progress(at time: Double) -> Double {
        guard let track else { preconditionFailure("a gesture is read before it is followed") }
        return track(time)
    }

    /// Reads the file, whose movement `look` has to be able to follow.
    package mutating func read(for look: StyledLook) throws(OptionError) {
        let recording = try GestureFile.read(path)
        do throws(OptionError) {
            track = try recording.track(for: look)
        } catch {
            throw OptionError("\(path): \(error.description)", file: .isBroken)
        }
    }
}

/// Files with recorded movements, which the preview writes: JSON, as docs/PREVIEW.md describes it.
package enum GestureFile {
    /// The version that is read and written.
    package static let version = 1
    /// The greatest size of a file, in bytes: a sample takes about 60.
    static let maximumSize = 8 << 20

    /// Reads the recording at `path`.
    package static func read(_ path: String) throws(OptionError) -> GestureRecording {
        let data: Data
        do throws(MediaError) {
            data = try InputDocument.read(path, atMost: maximumSize, as: "the gesture '\(path)'")
        } catch {
            throw OptionError(error.message, file: error.kind == .missingInput ? .isMissing : .isBroken)
        }
        guard data.count <= maximumSize else {
            throw OptionError(
                "\(path): a gesture has at most \(maximumSize >> 20) MiB (record a shorter one)", file: .isBroken)
        }
        do throws(OptionError) {
            return try parse(data)
        } catch {
            throw OptionError("\(path): \(error.description)", file: .isBroken)
        }
    }

    /// Parses the bytes of a file.
    package static func parse(_ data: Data) throws(OptionError) -> GestureRecording {
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw OptionError("the gesture is no JSON object (save it from the preview again)")
        }
        guard number(object["version"]) == Double(version) else {
            throw OptionError("the gesture's version is not \(version) (save it with this version of the program)")
        }
        guard let name = object["style"] as? String else {
            throw OptionError("the gesture doesn't name its style (expected \"style\")")
        }
        let style = try Styles.named(name)
        var rule = GestureRule(try StyledLook(style: style))
        if let model = object["model"] {
            guard let word = model as? String, let known = GestureRule(rawValue: word) else {
                throw OptionError(
                    "the gesture's model is unknown (expected "
                        + "\(GestureRule.allCases.map(\.rawValue).joined(separator: "|")))")
            }
            rule = known
        }
        var recording = GestureRecording(
            style: name, rule: rule, aspect: try value("aspect", object, in: 0.01...100, standard: nil), samples: [])
        recording.width = try value("width", object, in: 16...16384, standard: GestureRecording.standardWidth)
        recording.turn = try value(
            "duration", object, in: 1...GestureRecording.longest, standard: GestureRecording.standardTurn)
        guard let rows = object["samples"] as? [Any], !rows.isEmpty, rows.count <= GestureRecording.maximumCount else {
            throw OptionError(
                "the gesture's samples are missing or too many (expected 1...\(GestureRecording.maximumCount))")
        }
        for (index, row) in rows.enumerated() {
            guard let sample = sample(row), sample.time >= recording.samples.last?.time ?? -.infinity else {
                throw OptionError(
                    "sample \(index + 1) of the gesture is invalid (expected [milliseconds, pointer, \"\(actions)\", x, y] "
                        + "in order of time)")
            }
            recording.samples.append(sample)
        }
        return recording
    }

    private static let actions = GestureSample.Action.allCases.map(\.rawValue).joined(separator: "|")

    /// A finite number; nil for anything else.
    private static func number(_ value: Any?) -> Double? {
        guard let number = value as? Double, number.isFinite else { return nil }
        return number
    }

    private static func value(
        _ key: String, _ object: [String: Any], in range: ClosedRange<Double>, standard: Double?
    ) throws(OptionError) -> Double {
        if object[key] == nil, let standard { return standard }
        guard let number = number(object[key]), range.contains(number) else {
            throw OptionError("the gesture's \(key) is missing or invalid (expected \(range.text))")
        }
        return number
    }

    /// A sample as it is stored; nil if it is none.
    package static func sample(_ row: Any) -> GestureSample? {
        guard let row = row as? [Any], row.count == 5 || row.count == 6, let time = number(row[0]),
            let pointer = number(row[1]).flatMap({ Int(exactly: $0) }), let word = row[2] as? String,
            let action = GestureSample.Action(rawValue: word), let x = number(row[3]), let y = number(row[4]),
            abs(time) < 1e12, abs(x) <= 100, abs(y) <= 100, (action == .wheel) == (row.count == 6)
        else { return nil }
        var sample = GestureSample(time: time, pointer: pointer, action, x: x, y: y)
        if row.count == 6 {
            guard let wheel = number(row[5]), abs(wheel) <= 10_000 else { return nil }
            sample.wheel = wheel
        }
        return sample
    }

    /// The bytes of a file with `recording`, one sample on a line.
    package static func data(_ recording: GestureRecording) -> Data {
        let rows = recording.samples.map { sample in
            let wheel = sample.action == .wheel ? ", \(sample.wheel)" : ""
            return
                "  [\(sample.time), \(sample.pointer), \"\(sample.action.rawValue)\", \(sample.x), \(sample.y)\(wheel)]"
        }
        let text = """
            {"version": \(version), "style": "\(recording.style)", "model": "\(recording.rule.rawValue)", \
            "aspect": \(recording.aspect), "width": \(recording.width), "duration": \(recording.turn), "samples": [
            \(rows.joined(separator: ",\n"))
            ]}

            """
        return Data(text.utf8)
    }
}
