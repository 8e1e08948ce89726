import COpenFX
import Foundation

/// A set of properties as hosts keep them. A value can only be read as what it was set as.
package final class PropertyBag: @unchecked Sendable {
    package enum Value: Equatable, Sendable {
        case int(Int32)
        case double(Double)
        case string(String)
        case pointer(UInt)
    }

    private var values: [String: [Value]] = [:]
    /// The C strings that the plugin was given.
    private var texts: [String: UnsafeMutablePointer<CChar>] = [:]
    private let lock = NSLock()
    /// The picture whose properties these are.
    weak var image: HostImage?

    package init(_ values: [String: [Value]] = [:]) { self.values = values }

    deinit { for text in texts.values { free(text) } }

    package var handle: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    package static func at(_ handle: UnsafeMutableRawPointer?) -> PropertyBag? {
        handle.map { Unmanaged<PropertyBag>.fromOpaque($0).takeUnretainedValue() }
    }

    package subscript(_ name: String) -> [Value] {
        get { lock.withLock { values[name] ?? [] } }
        set { lock.withLock { values[name] = newValue } }
    }

    /// The property's values, if they are numbers.
    package func numbers(_ name: String) -> [Double] {
        self[name].compactMap {
            switch $0 {
            case .int(let number): Double(number)
            case .double(let number): number
            case .string, .pointer: nil
            }
        }
    }

    /// The property's values, if they are texts.
    package func strings(_ name: String) -> [String] {
        self[name].compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    fileprivate func set(_ name: UnsafePointer<CChar>?, _ index: Int32, _ value: Value) -> Int32 {
        guard let name, index >= 0 else { return Int32(FLIP_OFX_BAD_INDEX) }
        return lock.withLock {
            var list = values[String(cString: name)] ?? []
            guard index <= list.count else { return Int32(FLIP_OFX_BAD_INDEX) }
            if Int(index) == list.count { list.append(value) } else { list[Int(index)] = value }
            values[String(cString: name)] = list
            return 0
        }
    }

    fileprivate func get<Result>(
        _ name: UnsafePointer<CChar>?, _ index: Int32, _ target: UnsafeMutablePointer<Result>?,
        _ convert: (Value) -> Result?
    ) -> Int32 {
        guard let name, let target else { return Int32(FLIP_OFX_BAD_HANDLE) }
        let list = self[String(cString: name)]
        guard list.indices.contains(Int(index)) else { return Int32(FLIP_OFX_BAD_INDEX) }
        guard let value = convert(list[Int(index)]) else { return Int32(FLIP_OFX_VALUE) }
        target.pointee = value
        return 0
    }

    fileprivate func text(_ string: String) -> UnsafeMutablePointer<CChar>? {
        lock.withLock {
            if let text = texts[string] { return text }
            let text = strdup(string)
            texts[string] = text
            return text
        }
    }

    /// The functions by which plugins use sets of properties; those for several values at once are missing.
    nonisolated(unsafe) static let suite: UnsafePointer<flip_ofx_properties> = {
        var suite = flip_ofx_properties()
        suite.set_pointer = { set, name, index, value in
            PropertyBag.at(set)?.set(name, index, .pointer(UInt(bitPattern: value))) ?? 9
        }
        suite.set_string = { set, name, index, value in
            PropertyBag.at(set)?.set(name, index, .string(value.map { String(cString: $0) } ?? "")) ?? 9
        }
        suite.set_double = { set, name, index, value in PropertyBag.at(set)?.set(name, index, .double(value)) ?? 9 }
        suite.set_int = { set, name, index, value in PropertyBag.at(set)?.set(name, index, .int(value)) ?? 9 }
        suite.get_pointer = { set, name, index, value in
            PropertyBag.at(set)?.get(name, index, value) { (found: Value) -> UnsafeMutableRawPointer?? in
                if case .pointer(let bits) = found { .some(UnsafeMutableRawPointer(bitPattern: bits)) } else { nil }
            } ?? 9
        }
        suite.get_string = { set, name, index, value in
            guard let bag = PropertyBag.at(set) else { return 9 }
            return bag.get(name, index, value) { (found: Value) -> UnsafeMutablePointer<CChar>?? in
                if case .string(let text) = found { .some(bag.text(text)) } else { nil }
            }
        }
        suite.get_double = { set, name, index, value in
            PropertyBag.at(set)?.get(name, index, value) { if case .double(let number) = $0 { number } else { nil } }
                ?? 9
        }
        suite.get_int = { set, name, index, value in
            PropertyBag.at(set)?.get(name, index, value) { if case .int(let number) = $0 { number } else { nil } } ?? 9
        }
        let pointer = UnsafeMutablePointer<flip_ofx_properties>.allocate(capacity: 1)
        pointer.initialize(to: suite)
        return UnsafePointer(pointer)
    }()
}
