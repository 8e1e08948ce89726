import BenchSupport
import CFrei0r
import FlipHost
import Foundation

/// A frei0r plugin, loaded as hosts load it.
final class Plugin {
    typealias Instance = UnsafeMutableRawPointer
    private typealias Construct = @convention(c) (UInt32, UInt32) -> Instance?
    private typealias Destruct = @convention(c) (Instance) -> Void
    private typealias Value = @convention(c) (Instance, UnsafeMutableRawPointer, Int32) -> Void
    private typealias Info = @convention(c) (UnsafeMutablePointer<flip_f0r_plugin_info>) -> Void
    private typealias Update = @convention(c) (Instance, Double, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    private typealias Update2 =
        @convention(c) (
            Instance, Double, UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?, UnsafeMutableRawPointer
        ) -> Void

    private let handle: UnsafeMutableRawPointer
    private let constructs: Construct
    private let destructs: Destruct
    private let sets: Value
    private let gets: Value
    private let updates: Update
    private let updates2: Update2?
    let name: String

    init(_ path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Program.Failure(description: "\(path): \(dlerror().map { String(cString: $0) } ?? "can't be loaded")")
        }
        func function<Function>(_ name: String, _: Function.Type) throws -> Function {
            guard let symbol = dlsym(handle, name) else { throw Program.Failure(description: "\(path) has no \(name)") }
            return unsafeBitCast(symbol, to: Function.self)
        }
        self.handle = handle
        constructs = try function("f0r_construct", Construct.self)
        destructs = try function("f0r_destruct", Destruct.self)
        sets = try function("f0r_set_param_value", Value.self)
        gets = try function("f0r_get_param_value", Value.self)
        updates = try function("f0r_update", Update.self)
        updates2 = try? function("f0r_update2", Update2.self)
        _ = try function("f0r_init", (@convention(c) () -> Int32).self)()
        var info = flip_f0r_plugin_info()
        try function("f0r_get_plugin_info", Info.self)(&info)
        guard Int(info.parameter_count) == HostParameter.all.count, let name = info.name else {
            throw Program.Failure(description: "\(path) is of another version")
        }
        self.name = String(cString: name)
    }

    deinit { dlclose(handle) }

    var isMixer: Bool { updates2 != nil }

    func construct(width: Int, height: Int) throws -> Instance {
        guard let instance = constructs(UInt32(width), UInt32(height)) else {
            throw Program.Failure(description: "\(name) has no instance of \(width)x\(height)")
        }
        return instance
    }

    func destruct(_ instance: Instance) { destructs(instance) }

    func set(_ instance: Instance, _ name: String, _ value: HostParameter.Value) throws {
        guard let index = HostParameter.all.firstIndex(where: { $0.name == name }) else {
            throw Program.Failure(description: "there is no parameter \(name)")
        }
        switch value {
        case .flag(let flag): withUnsafeTemporary(flag ? 1.0 : 0.0) { sets(instance, $0, Int32(index)) }
        case .number(let number): withUnsafeTemporary(number) { sets(instance, $0, Int32(index)) }
        case .color(let color):
            let parts = flip_f0r_color(red: Float(color.red), green: Float(color.green), blue: Float(color.blue))
            withUnsafeTemporary(parts) { sets(instance, $0, Int32(index)) }
        case .text(let text):
            text.withCString { text in withUnsafeTemporary(text) { sets(instance, $0, Int32(index)) } }
        }
    }

    private func withUnsafeTemporary<Value: BitwiseCopyable>(
        _ value: Value, _ body: (UnsafeMutableRawPointer) -> Void
    ) {
        var value = value
        withUnsafeMutableBytes(of: &value) { body($0.baseAddress!) }
    }

    /// Reads the value of every parameter.
    func readAll(_ instance: Instance) {
        var room: (Double, Double) = (0, 0)
        for index in HostParameter.all.indices {
            withUnsafeMutableBytes(of: &room) { gets(instance, $0.baseAddress!, Int32(index)) }
        }
    }

    /// Draws a mixer's frame.
    func draw(
        _ instance: Instance, _ first: UnsafeRawPointer, _ second: UnsafeRawPointer,
        into result: UnsafeMutableRawPointer
    ) { updates2?(instance, 0, first, second, nil, result) }

    /// Draws a filter's frame.
    func draw(_ instance: Instance, _ picture: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        updates(instance, 0, picture, result)
    }
}
