import FlipBase
import FlipFiles
import TestSupport
import Testing

/// The rules for every output, whether a video, a picture, a report or a timeline.
@Suite struct OutputPlaceTests {
    /// The kind of error that `body` throws; nil if it throws none.
    private func refusal(_ body: () throws -> Void) -> MediaError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MediaError)?.kind
        }
    }

    private func check(_ path: String, overwrites: Bool = false, inputs: [String] = []) -> MediaError.Kind? {
        refusal { try OutputPlace.check(path, overwrites: overwrites, inputs: inputs) }
    }

    private func write(_ text: String, _ path: String) throws { try text.write(to: path) }

    @Test func pathsStandForFilesDescriptorsOrDevices() throws {
        let scratch = try TemporaryFolder()
        try write("x", scratch / "file")
        #expect(mkfifo(scratch / "pipe", 0o600) == 0)
        try scratch.link("link", to: scratch / "pipe")
        try scratch.link("null", to: "/dev/null")
        #expect(OutputPlace("-") == .descriptor(1) && OutputPlace("/dev/stdout") == .descriptor(1))
        #expect(OutputPlace("/dev/stderr") == .descriptor(2) && OutputPlace("/dev/fd/7") == .descriptor(7))
        #expect(OutputPlace("/proc/self/fd/7") == .descriptor(7))
        for name in ["pipe", "link", "null"] { #expect(OutputPlace(scratch / name) == .special, "\(name)") }
        for name in ["file", "new", "", "nowhere/new"] { #expect(OutputPlace(scratch / name) == .file, "\(name)") }
        #expect(OutputPlace("/dev/null").isStream && !OutputPlace(scratch / "file").isStream)
    }

    @Test func whatMayBeWrittenIsSaidBefore() throws {
        let scratch = try TemporaryFolder()
        try write("x", scratch / "file")
        #expect(mkfifo(scratch / "pipe", 0o600) == 0)
        try scratch.makeFolder("folder")
        try scratch.link("link", to: scratch / "file")
        #expect(check(scratch / "new") == nil)
        #expect(check(scratch / "file") == .cannotCreate)
        #expect(check(scratch / "file", overwrites: true) == nil)
        #expect(check(scratch / "folder", overwrites: true) == .cannotCreate)
        #expect(check(scratch / "nowhere/new", overwrites: true) == .cannotCreate)
        #expect(check(scratch / "file/new", overwrites: true) == .cannotCreate)
        // Pipes and devices are written into, not replaced, so no permission to overwrite is needed.
        #expect(check(scratch / "pipe") == nil && check("/dev/null") == nil)
        for input in ["file", "link", "folder/../file"] {
            #expect(check(scratch / "file", overwrites: true, inputs: [scratch / input]) == .usage)
            #expect(check(scratch / "link", overwrites: true, inputs: [scratch / input]) == .usage)
        }
        #expect(check("/dev/fd/900") == .cannotCreate, "nobody has opened it")
    }

    @Test func sideOutputsAreNeitherInputNorOutput() throws {
        let scratch = try TemporaryFolder()
        try write("x", scratch / "in")
        try scratch.link("here", to: ".")
        func make(_ name: String, beside output: String) throws -> SideOutput {
            try SideOutput(
                scratch / name, name: "report", overwrites: true, inputs: [scratch / "in"], outputs: [output])
        }
        #expect(refusal { _ = try make("in", beside: "o.mp4") } == .usage)
        #expect(refusal { _ = try make("out", beside: scratch / "out") } == .usage)
        #expect(refusal { _ = try make("here/out", beside: scratch / "out") } == .usage)
        #expect(refusal { _ = try make("7.png", beside: scratch / "%d.png") } == .usage)
        #expect(refusal { _ = try make("7.json", beside: scratch / "%d.png") } == nil)
        let none = { (path: String, output: String) in
            refusal { _ = try SideOutput(path, name: "report", overwrites: false, inputs: [], outputs: [output]) }
        }
        #expect(none("-", "-") == .usage && none("/dev/stdout", "-") == .usage && none("-", "o.mp4") == nil)
        #expect(none("/dev/null", "/dev/null") == nil)
    }

    @Test func sideOutputsAppearWholeAndReplaceNothingUnasked() throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "report"
        let report = try SideOutput(path, name: "report", overwrites: false, inputs: [], outputs: [])
        // Another process creates the file in the meantime.
        try write("precious", path)
        #expect(refusal { try report.write(Array("new".utf8)) } == .cannotCreate)
        #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
        try SideOutput(path, name: "report", overwrites: true, inputs: [], outputs: []).write(Array("new".utf8))
        #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
        #expect(try scratch.names == ["report"])
    }

    /// A pipe receives the bytes and remains a pipe.
    @Test func pipesAreWrittenInto() throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try SideOutput(path, name: "report", overwrites: false, inputs: [], outputs: []).write(Array("words".utf8))
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &buffer, buffer.count)
        #expect(buffer.prefix(max(0, count)) == Array("words".utf8)[...])
        #expect(OutputPlace(path) == .special)
    }

    @Test func devicesAreWrittenInto() throws {
        let null = try SideOutput("/dev/null", name: "report", overwrites: true, inputs: [], outputs: [])
        try null.write([1, 2, 3])
        #expect(OutputPlace("/dev/null") == .special)
        let full = try SideOutput("/dev/full", name: "report", overwrites: true, inputs: [], outputs: [])
        #expect(refusal { try full.write([1, 2, 3]) } == .io)
    }
}
