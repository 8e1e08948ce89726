import FlipFiles
import TestSupport
import Testing

@Suite struct RealPathTests {
    let folder = TemporaryFolder.make()

    @Test func linksAndDotsAreFollowed() throws {
        let base = RealPath(folder.path).path
        try folder.makeFolder("a/b")
        try folder.link("link", to: "a/b")
        try folder.link("up", to: "..")
        for (path, real) in [
            ("a", "/a"), ("a/./b/..", "/a"), ("link", "/a/b"), ("link/..", "/a"), ("link/new", "/a/b/new"),
            ("link/../new", "/a/new"), ("new/../other", "/other"), ("new/deep/../../x", "/x"), ("a//b/", "/a/b"),
        ] { #expect(RealPath(folder / path).path == base + real, "\(path)") }
        #expect(RealPath("/").path == "/" && RealPath("/../..").path == "/")
        #expect(RealPath(folder / "link/x").isInside(base) && RealPath(base).isInside(base))
        #expect(!RealPath(folder / "up/x").isInside(base) && !RealPath(base + "x").isInside(base))
        #expect(RealPath(base).isInside("/"))
    }

    /// Links to what doesn't exist yet name the place where it would be, and circles end.
    @Test func linksToWhatIsMissingAreFollowed() throws {
        let base = RealPath(folder.path).path
        try folder.makeFolder("a")
        for (name, target) in [
            ("missing", "a/new"), ("outside", "../../none/x"), ("second", "missing"), ("absolute", "/none/y"),
            ("a/up", "../other"), ("circle", "round"), ("round", "circle"),
        ] { try folder.link(name, to: target) }
        for (path, real) in [
            ("missing", "/a/new"), ("missing/x", "/a/new/x"), ("second", "/a/new"), ("a/up", "/other"),
        ] {
            #expect(RealPath(folder / path).path == base + real, "\(path)")
        }
        #expect(RealPath(folder / "absolute").path == "/none/y")
        #expect(!RealPath(folder / "outside").isInside(base))
        #expect(RealPath(folder / "circle").isInside(base))
    }

    @Test func inputsAreFoundUnderAllTheirNames() throws {
        try "x".write(to: folder / "in")
        try FileManager.default.linkItem(atPath: folder / "in", toPath: folder / "hard")
        try folder.link("soft", to: "in")
        try folder.makeFolder("deck")
        var inputs = InputFiles()
        inputs.add(RealPath(folder / "in"), "'in'")
        inputs.add(RealPath(folder / "deck"), "'deck'")
        inputs.add(RealPath(folder / "missing"), "'missing'")
        for name in ["in", "hard", "soft"] { #expect(inputs.name(whereReplacedBy: RealPath(folder / name)) == "'in'") }
        #expect(inputs.name(whereReplacedBy: RealPath(folder / "missing")) == "'missing'")
        #expect(inputs.name(whereReplacedBy: RealPath(folder / "other")) == nil)
        #expect(inputs.folder(around: RealPath(folder / "deck/a/b.mp4")) == "'deck'")
        #expect(inputs.folder(around: RealPath(folder / "decks/b.mp4")) == nil)
    }
}
