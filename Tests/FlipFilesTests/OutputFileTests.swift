import FlipBase
import FlipFiles
import TestSupport
import Testing

@Suite struct OutputFileTests {
    let folder = TemporaryFolder.make()

    /// A symbolic link is followed whether or not its target exists, and stays a link.
    @Test(arguments: [true, false], [true, false]) func aLinkIsFollowed(isDangling: Bool, overwrite: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder / "disk", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder / "inner", withDestinationPath: "disk/film")
        try FileManager.default.createSymbolicLink(atPath: folder / "link", withDestinationPath: "inner")
        if !isDangling { try "old".write(to: folder / "disk/film") }
        guard isDangling || overwrite else {
            #expect(throws: MediaError.self) { try OutputFile(path: folder / "link", overwrite: false) }
            return
        }
        let file = try OutputFile(path: folder / "link", overwrite: overwrite)
        try file.write(Array("new".utf8))
        #expect(try file.commit() == 3)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder / "link") == "inner")
        #expect(try String(contentsOf: folder / "disk/film") == "new")
        #expect(try folder.names.sorted() == ["disk", "inner", "link"])
    }

    @Test func aCircleOfLinksIsRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: folder / "a", withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder / "b", withDestinationPath: "a")
        #expect(throws: MediaError.self) { try OutputFile(path: folder / "a", overwrite: true) }
    }
}
