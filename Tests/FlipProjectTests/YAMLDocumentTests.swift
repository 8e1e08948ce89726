import FlipBase
import FlipProject
import Foundation
import Testing

@Suite struct YAMLDocumentTests {
    private func parse(_ text: String, firstLine: Int = 1) throws -> YAMLValue {
        try YAMLDocument.parse(Data(text.utf8), path: "x.yaml", firstLine: firstLine)
    }

    private func complaint(
        _ text: String, firstLine: Int = 1, _ read: (YAMLValue) throws -> Void = { _ in }
    ) -> String? {
        do {
            try read(try parse(text, firstLine: firstLine))
            return nil
        } catch let error as MediaError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test func valuesAreReadAsTheyAreAskedFor() throws {
        let map = try parse("a: 12\nb: [x, 'true', 1:30]\nc: {d: 0.5}\ne: true\n").map(["a", "b", "c", "e"])
        #expect(try map.required("a").whole(in: 0...20) == 12)
        let items = try map.required("b").list()
        #expect(try items[0].text() == "x")
        #expect(throws: MediaError.self) { try items[1].flag() }
        #expect(try items[2].seconds() == Rational(90))
        #expect(try map.required("c").map(["d"]).required("d").number(in: 0...1) == 0.5)
        #expect(try map.required("e").flag())
        #expect(map["z"] == nil)
    }

    @Test func everyComplaintSaysWhere() {
        #expect(complaint("a: 1\n  b: 2\n")?.hasPrefix("x.yaml:2:") == true)
        #expect(complaint("a: 1\nbad: 2\n") { _ = try $0.map(["a"]) } == "x.yaml:2:1: unknown key 'bad' (expected a)")
        let negative = complaint("a:\n  - x\n  - -3\n") { _ = try $0.map(["a"]).required("a").list()[1].seconds() }
        #expect(negative?.hasPrefix("x.yaml:3:5: expected a time") == true)
        #expect(complaint("a: 1\na: 2\n") == "x.yaml:1:1: the key 'a' is there twice")
        let late = complaint("{a: 1}", firstLine: 7) { _ = try $0.map(["b"]) }
        #expect(late == "x.yaml:7:2: unknown key 'a' (expected b)")
        #expect(complaint("")?.hasPrefix("x.yaml:1:1: ") == true)
        #expect(complaint("a: !include /etc/passwd")?.hasPrefix("x.yaml:1:4: tags") == true)
        #expect(complaint("a: 1\n---\nb: 2\n") != nil)
    }

    @Test func bombsAreRefusedWithTheirPlace() {
        var laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for (name, last) in zip("bcdefghi", "abcdefgh") {
            laughs += "\(name): &\(name) [" + Array(repeating: "*\(last)", count: 9).joined(separator: ",") + "]\n"
        }
        #expect(complaint(laughs) == "x.yaml:2:8: aliases (*a) are not supported; write the value out")
        // An alias as a key, which some parsers expand in order to compare it.
        #expect(complaint(laughs + "? *i\n: 1\n") != nil)
        #expect(complaint("a: {b: &x 1, c: *x}")?.hasPrefix("x.yaml:1:17: aliases") == true)
        #expect(complaint(#"{"a": &x 1, "b":*x}"#)?.contains("aliases") == true)
        #expect(complaint("text: Q&A and *stars* are words\n") == nil)
    }

    @Test func depthAndSizeAreBounded() {
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(complaint(deep) == "x.yaml:1:33: lists and maps are more than 32 deep")
        #expect(complaint(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) == nil)
        for pattern in ["[", "- ", "{a: ", "? "] {
            #expect(complaint(String(repeating: pattern, count: 200_000)) != nil)
        }
        #expect(complaint(String(repeating: "#", count: 4 << 20) + "\n")?.contains("longer than 4 MiB") == true)
    }
}
