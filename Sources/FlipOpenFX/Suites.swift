import COpenFX
import Synchronization

/// The functions of the host that the plugin calls. They stay valid as long as the plugin is loaded.
struct Suites: @unchecked Sendable {
    let properties: UnsafePointer<flip_ofx_properties>
    let effects: UnsafePointer<flip_ofx_effects>
    let parameters: UnsafePointer<flip_ofx_parameters>

    /// Those of `host`; nil if it lacks any.
    init?(_ host: flip_ofx_host) {
        func suite<Functions>(_ name: String, _: Functions.Type) -> UnsafePointer<Functions>? {
            host.fetch_suite?(host.properties, name, 1)?.assumingMemoryBound(to: Functions.self)
        }
        guard let properties = suite("OfxPropertySuite", flip_ofx_properties.self),
            let effects = suite("OfxImageEffectSuite", flip_ofx_effects.self),
            let parameters = suite("OfxParameterSuite", flip_ofx_parameters.self)
        else { return nil }
        (self.properties, self.effects, self.parameters) = (properties, effects, parameters)
    }

    /// The host's, once the plugin has been loaded.
    static var current: Suites? { suites.withLock { $0 } }
    private static let suites = Mutex<Suites?>(nil)
    private static let host = Mutex<Host?>(nil)
    private struct Host: @unchecked Sendable { let host: flip_ofx_host }

    /// Keeps what the host says of itself before anything else.
    static func meet(_ host: flip_ofx_host?) { self.host.withLock { $0 = host.map(Host.init) } }

    /// Fetches the suites of the host. Returns false if it lacks any.
    static func fetch() -> Bool {
        guard let host = host.withLock({ $0 }), let fetched = Suites(host.host) else { return false }
        suites.withLock { $0 = fetched }
        return true
    }
}

/// A set of properties of the host. What can't be read is nil, and what the host doesn't know isn't set.
struct PropertySet {
    let handle: UnsafeMutableRawPointer
    private let functions: flip_ofx_properties

    init(_ handle: UnsafeMutableRawPointer, _ suites: Suites) {
        self.handle = handle
        functions = suites.properties.pointee
    }

    // MARK: Reading

    func pointer(_ name: String) -> UnsafeMutableRawPointer? {
        var value: UnsafeMutableRawPointer?
        return functions.get_pointer?(handle, name, 0, &value) == status(.ok) ? value : nil
    }

    func string(_ name: String) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard functions.get_string?(handle, name, 0, &value) == status(.ok), let value else { return nil }
        return String(cString: value)
    }

    func double(_ name: String, _ index: Int32 = 0) -> Double? {
        var value = 0.0
        return functions.get_double?(handle, name, index, &value) == status(.ok) ? value : nil
    }

    func int(_ name: String, _ index: Int32 = 0) -> Int? {
        var value: Int32 = 0
        return functions.get_int?(handle, name, index, &value) == status(.ok) ? Int(value) : nil
    }

    /// A rectangle of four integers, in pixels.
    func rectangle(_ name: String) -> PixelRectangle? {
        let numbers = (0..<4).compactMap { int(name, $0) }
        if numbers.count < 4 { return nil }
        return PixelRectangle(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    }

    // MARK: Writing

    func set(_ name: String, _ index: Int = 0, to text: String) {
        _ = functions.set_string?(handle, name, Int32(index), text)
    }

    func set(_ name: String, _ index: Int = 0, to number: Double) {
        _ = functions.set_double?(handle, name, Int32(index), number)
    }

    func set(_ name: String, _ index: Int = 0, to number: Int) {
        _ = functions.set_int?(handle, name, Int32(index), Int32(clamping: number))
    }

    func set(_ name: String, to flag: Bool) { set(name, to: flag ? 1 : 0) }

    func set(_ name: String, to pointer: UnsafeMutableRawPointer?) {
        _ = functions.set_pointer?(handle, name, 0, pointer)
    }

    func set(_ name: String, to rectangle: flip_ofx_rectangle) {
        for (index, side) in [rectangle.x1, rectangle.y1, rectangle.x2, rectangle.y2].enumerated() {
            set(name, index, to: side)
        }
    }
}

/// What an action returns to the host.
enum Status: Int32 {
    case ok = 0
    case failed = 1
    case missingHostFeature = 4
    case unsupported = 5
    case format = 7
    case badHandle = 9
    case replyDefault = 14
}

/// The number of `status` in the interface.
func status(_ status: Status) -> flip_ofx_status { status.rawValue }

/// A rectangle of pixels whose y runs upward; `x2` and `y2` lie outside.
struct PixelRectangle: Equatable {
    var x1: Int
    var y1: Int
    var x2: Int
    var y2: Int

    var width: Int { max(x2 - x1, 0) }
    var height: Int { max(y2 - y1, 0) }
    var isEmpty: Bool { width == 0 || height == 0 }

    /// The smallest rectangle that contains both; an empty one adds nothing.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRectangle(
            x1: min(x1, other.x1), y1: min(y1, other.y1), x2: max(x2, other.x2), y2: max(y2, other.y2))
    }

    func intersection(_ other: PixelRectangle) -> PixelRectangle {
        PixelRectangle(x1: max(x1, other.x1), y1: max(y1, other.y1), x2: min(x2, other.x2), y2: min(y2, other.y2))
    }
}
