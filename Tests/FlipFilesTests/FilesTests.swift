import FlipFiles
import TestSupport
import Testing

@Suite struct FilesTests {
    /// A pipe takes less at a time than is written.
    @Test func everyByteIsWritten() throws {
        let bytes = (0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        let thread = Thread {
            _ = bytes.withUnsafeBytes { Files.write($0, to: writing) }
            close(writing)
        }
        thread.start()
        let isSame = try pipe.fileHandleForReading.readToEnd() == Data(bytes)
        #expect(isSame)
    }

    @Test func failuresAreTold() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        let isWritten = [UInt8(1), 2, 3].withUnsafeBytes { Files.write($0, to: full) }
        let reason = errno
        #expect(!isWritten && reason == ENOSPC)
        #expect(Files.write(UnsafeRawBufferPointer(start: nil, count: 0), to: full))
    }

    @Test func foldersOfFilesAreNamed() {
        let folders = ["a.mp4": ".", "b/a.mp4": "b", "./b/c/a.mp4": "./b/c", "/a.mp4": "/", "/b/a.mp4": "/b"]
        for (path, folder) in folders { #expect(Files.folder(of: path) == folder, "\(path)") }
    }

    @Test func linksAreResolved() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("a/b")
        try folder.link("link", to: "a/b")
        let base = try #require(Files.realPath(folder.path))
        #expect(base.hasPrefix("/") && !base.contains("//"))
        #expect(Files.realPath(folder / "link/..") == base + "/a")
        #expect(Files.realPath(folder / "nothing") == nil)
    }
}
