import FlipBase
import FlipFiles
import TestSupport
import Testing

@Suite struct OutputFileTests {
    let folder = TemporaryFolder.make()

    /// A symbolic link is followed whether or not its target exists, and stays a link.
    @Test(arguments: [true, false], [true, false]) func aLinkIsFollowed(isDangling: Bool, overwrite: Bool) throws {
        try folder.makeFolder("disk")
        try folder.link("inner", to: "disk/film")
        try folder.link("link", to: "inner")
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
        try folder.link("a", to: "b")
        try folder.link("b", to: "a")
        #expect(throws: MediaError.self) { try OutputFile(path: folder / "a", overwrite: true) }
    }
}
