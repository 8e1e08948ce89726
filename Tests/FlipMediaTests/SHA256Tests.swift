import FlipMedia
import Foundation
import Testing

@Suite struct SHA256Tests {
    /// Hashes are those of FIPS 180-4's examples, and what sha256sum gives for a file of a million "a".
    @Test func hashesAreThoseOfTheStandard() throws {
        #expect(SHA256.hash(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hash([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let path = NSTemporaryDirectory() + "/flip-sha-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: URL(fileURLWithPath: path))
        #expect(SHA256.hash(file: path) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(SHA256.hash(file: path + "-missing") == nil)
    }
}
