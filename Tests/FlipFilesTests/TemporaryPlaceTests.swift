import FlipFiles
import Synchronization
import TestSupport
import Testing

/// The leftovers of killed processes are removed by the next process that writes the same output, and nothing else is.
@Suite struct TemporaryPlaceTests {
    private func writer(_ path: String) throws -> OutputFile { try OutputFile(path: path, overwrite: true) }

    @Test func removesWhatTheDeadLeft() throws {
        let scratch = try TemporaryFolder()
        let old = Data("half a film".utf8)
        let others = [
            ".other.mp4.part-1-abc", ".clip.mp4.part-x-abc", ".clip.mp4.part-1", ".clip.mp4.part-1-a-b",
            ".clip.mp4.part-1-ABC!", "clip.mp4.part-1-abc",
        ]
        for name in others + [".clip.mp4.part-1-abc", ".clip.mp4.part-99999-1zz"] { try old.write(to: scratch / name) }
        let target = scratch / "target"
        try old.write(to: target)
        try scratch.link(".clip.mp4.part-2-abc", to: target)
        let writer = try writer(scratch / "clip.mp4")
        writer.discard()
        #expect(try scratch.names == (others + ["target", ".clip.mp4.part-2-abc"]).sorted())
        #expect(FileManager.default.contents(atPath: target) == old)
    }

    @Test func leavesWhatIsBeingWritten() throws {
        let scratch = try TemporaryFolder()
        let path = scratch / "clip.mp4"
        var first: OutputFile? = try writer(path)
        let second = try writer(path)
        #expect(try scratch.names.count == 2)
        second.discard()
        #expect(try scratch.names.count == 1)
        let left = try scratch / scratch.names[0]
        first = nil
        #expect(try first == nil && scratch.names.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    /// A process that exits in the middle of its work removes all temporary files and folders that it still holds.
    @Test func whoEndsLeavesNothing() async throws {
        let scratch = try TemporaryFolder()
        await #expect(processExitsWith: .exitCode(7)) { [target = scratch / "clip.mp4" as String] in
            let file = try #require(TemporaryPlace(beside: target, kind: .file))
            let folder = try #require(TemporaryPlace(beside: target, kind: .privateFolder))
            try "a page".write(to: folder.path + "/inner.pdf")
            let gone = TemporaryPlace(beside: target, kind: .file)?.path
            guard
                try FileManager.default.contentsOfDirectory(
                    atPath: URL(fileURLWithPath: target).deletingLastPathComponent().path
                ).count == 3, gone != nil
            else { exit(8) }
            withExtendedLifetime((file, folder)) { TemporaryPlace.removeAll() }
            // Another thread might create this file while the process exits, which must fail.
            exit(TemporaryPlace(beside: target + ".late", kind: .file) == nil ? 7 : 9)
        }
        // A file whose object is gone is not removed.
        #expect(try scratch.names.count == 1)
    }

    /// Threads that make folders of the same name at the same time don't remove each other's, not even one that its owner
    /// hasn't locked yet.
    @Test func manyMakeFoldersAtOnce() throws {
        let scratch = try TemporaryFolder()
        let target: String = scratch / "clip.mp4"
        let failures = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                guard let place = TemporaryPlace(beside: target, kind: .privateFolder) else {
                    failures.withLock { $0 += 1 }
                    continue
                }
                if access(place.path, W_OK) != 0 { failures.withLock { $0 += 1 } }
                place.remove()
            }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(try scratch.names.isEmpty)
    }

    /// Temporary files have room even beside outputs whose name has the maximum of 255 bytes.
    @Test func longNamesHaveRoom() throws {
        let scratch = try TemporaryFolder()
        for name in [String(repeating: "n", count: 251) + ".mp4", String(repeating: "🎬", count: 60) + ".mp4"] {
            let file = try OutputFile(path: scratch / name, overwrite: false)
            try file.write([1, 2, 3])
            #expect(try file.commit() == 3)
            #expect(try scratch.names.contains(name))
        }
        #expect(try scratch.names.count == 2)
    }
}
