import FlipBase
import FlipDeck
import TestSupport
import Testing

@Suite struct PackedPartsTests {
    /// An archive written by tar itself.
    private func archive(_ files: [String: String]) throws -> Data {
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let file = URL(fileURLWithPath: folder / name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try Tool.succeed("tar", ["-c", "--format=ustar", "-C", folder.path, "-f", "-"] + files.keys.sorted())
            .output
    }

    @Test func filesOfAnArchiveAreFoundByName() throws {
        let long = String(repeating: "folder/", count: 20) + "slide.xml"
        let files = ["a.xml": "one", long: "two", "empty.xml": "", "big.xml": String(repeating: "x", count: 1537)]
        let parts = try PackedParts.parts(ofTar: archive(files), "x.pptx")
        #expect(parts.mapValues { String(decoding: $0, as: UTF8.self) } == files)
    }

    @Test func whatIsCutOffOrTooLargeIsRefused() throws {
        let whole = try archive(["a.xml": String(repeating: "x", count: 2000)])
        let cut = #expect(throws: MediaError.self) { try PackedParts.parts(ofTar: whole.prefix(1600), "x.pptx") }
        #expect(cut?.message.contains("a.xml in it is cut off") == true)
        let large = try archive(["b.xml": String(repeating: "x", count: PackedParts.maximumPart + 1)])
        let error = #expect(throws: MediaError.self) { try PackedParts.parts(ofTar: large, "x.pptx") }
        #expect(error?.message.contains("b.xml in it is larger than 16 MiB") == true)
        #expect(try PackedParts.parts(ofTar: Data(), "x.pptx").isEmpty)
    }
}
