import COpenFX
import Foundation

/// A plugin, or an instance of it, in the host.
package final class HostEffect: @unchecked Sendable {
    package let properties = PropertyBag()
    package let parameters = HostParameters()
    package private(set) var clips: [String: HostClip] = [:]
    /// Whether the host wants the current frame no longer.
    package var isAborted = false

    package init() {}

    var handle: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ handle: UnsafeMutableRawPointer?) -> HostEffect? {
        handle.map { Unmanaged<HostEffect>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func define(_ name: String) -> HostClip {
        let clip = HostClip()
        clips[name] = clip
        return clip
    }

    /// A new instance of what `description` describes.
    package init(of description: HostEffect, context: String) {
        properties["OfxImageEffectPropContext"] = [.string(context)]
        for name in description.clips.keys { _ = define(name) }
        for (name, parameter) in description.parameters.all { parameters.add(name, HostParameters.Entry(parameter)) }
    }

    nonisolated(unsafe) static let suite: UnsafePointer<flip_ofx_effects> = {
        var suite = flip_ofx_effects()
        suite.get_property_set = { effect, set in
            guard let effect = HostEffect.at(effect) else { return 9 }
            set?.pointee = effect.properties.handle
            return 0
        }
        suite.get_parameter_set = { effect, set in
            guard let effect = HostEffect.at(effect) else { return 9 }
            set?.pointee = Unmanaged.passUnretained(effect.parameters).toOpaque()
            return 0
        }
        suite.define_clip = { effect, name, set in
            guard let effect = HostEffect.at(effect), let name else { return 9 }
            set?.pointee = effect.define(String(cString: name)).properties.handle
            return 0
        }
        suite.get_clip = { effect, name, clip, set in
            guard let name, let found = HostEffect.at(effect)?.clips[String(cString: name)] else { return 9 }
            clip?.pointee = Unmanaged.passUnretained(found).toOpaque()
            set?.pointee = found.properties.handle
            return 0
        }
        suite.get_clip_properties = { clip, set in
            guard let clip = HostClip.at(clip) else { return 9 }
            set?.pointee = clip.properties.handle
            return 0
        }
        suite.get_image = { clip, _, _, image in
            guard let found = HostClip.at(clip)?.image else { return 1 }
            found.lent.add(1, ordering: .relaxed)
            image?.pointee = found.properties.handle
            return 0
        }
        suite.release_image = { image in
            guard let found = PropertyBag.at(image)?.image else { return 9 }
            found.lent.subtract(1, ordering: .relaxed)
            return 0
        }
        suite.get_clip_region = { clip, _, bounds in
            guard let image = HostClip.at(clip)?.image else { return 1 }
            bounds?.pointee = flip_ofx_rectangle(
                x1: Double(image.origin.x), y1: Double(image.origin.y), x2: Double(image.origin.x + image.width),
                y2: Double(image.origin.y + image.height))
            return 0
        }
        suite.abort = { HostEffect.at($0)?.isAborted == true ? 1 : 0 }
        let pointer = UnsafeMutablePointer<flip_ofx_effects>.allocate(capacity: 1)
        pointer.initialize(to: suite)
        return UnsafePointer(pointer)
    }()
}

/// A clip of an effect, which has one picture at all times, or none.
package final class HostClip: @unchecked Sendable {
    package let properties = PropertyBag()
    package var image: HostImage? {
        didSet {
            properties["OfxImageClipPropConnected"] = [.int(image == nil ? 0 : 1)]
            for name in ["OfxImageEffectPropComponents", "OfxImageEffectPropPreMultiplication"] {
                properties[name] = image?.properties[name] ?? []
            }
        }
    }

    static func at(_ handle: UnsafeMutableRawPointer?) -> HostClip? {
        handle.map { Unmanaged<HostClip>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The parameters of an effect.
package final class HostParameters: @unchecked Sendable {
    package final class Entry: @unchecked Sendable {
        package let type: String
        package let properties: PropertyBag
        /// The value, as one or several numbers; those of a choice and of a flag are whole.
        package var value: [Double]

        fileprivate init(_ type: String) {
            self.type = type
            properties = PropertyBag()
            value = []
        }

        fileprivate init(_ described: Entry) {
            (type, properties) = (described.type, described.properties)
            value = properties.numbers("OfxParamPropDefault")
        }

        var isWhole: Bool {
            ["OfxParamTypeInteger", "OfxParamTypeBoolean", "OfxParamTypeChoice"].contains(type)
        }
    }

    package private(set) var all: [String: Entry] = [:]
    /// The names in the order in which they were defined.
    package private(set) var names: [String] = []

    fileprivate func add(_ name: String, _ entry: Entry) {
        all[name] = entry
        names.append(name)
    }

    /// Sets a parameter to numbers, or a choice to the entry of this name.
    package func set(_ name: String, to value: Double...) { all[name]!.value = value }

    package func choose(_ name: String, _ entry: String) {
        let entries = all[name]!.properties.strings("OfxParamPropChoiceOption")
        all[name]!.value = [Double(entries.firstIndex(of: entry)!)]
    }

    private static func at(_ handle: UnsafeMutableRawPointer?) -> HostParameters? {
        handle.map { Unmanaged<HostParameters>.fromOpaque($0).takeUnretainedValue() }
    }

    nonisolated(unsafe) static let suite: UnsafePointer<flip_ofx_parameters> = {
        var suite = flip_ofx_parameters()
        suite.define = { set, type, name, properties in
            guard let set = HostParameters.at(set), let type, let name else { return 9 }
            let entry = Entry(String(cString: type))
            set.add(String(cString: name), entry)
            properties?.pointee = entry.properties.handle
            return 0
        }
        suite.get = { set, name, parameter, properties in
            guard let name, let entry = HostParameters.at(set)?.all[String(cString: name)] else { return 9 }
            parameter?.pointee = Unmanaged.passUnretained(entry).toOpaque()
            properties?.pointee = entry.properties.handle
            return 0
        }
        // On the processors that are supported, pointers come in the same registers as variable arguments do.
        typealias GetValue =
            @convention(c) (
                UnsafeMutableRawPointer?, Double, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
                UnsafeMutableRawPointer?
            ) -> Int32
        let get: GetValue = { handle, _, first, second, third in
            guard let handle else { return 9 }
            let entry = Unmanaged<Entry>.fromOpaque(handle).takeUnretainedValue()
            for (number, target) in zip(entry.value, [first, second, third]) {
                if entry.isWhole {
                    target?.storeBytes(of: Int32(number), as: Int32.self)
                } else {
                    target?.storeBytes(of: number, as: Double.self)
                }
            }
            return 0
        }
        suite.get_value_at_time = unsafeBitCast(get, to: UnsafeMutableRawPointer.self)
        let pointer = UnsafeMutablePointer<flip_ofx_parameters>.allocate(capacity: 1)
        pointer.initialize(to: suite)
        return UnsafePointer(pointer)
    }()
}
