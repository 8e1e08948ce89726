import FlipBase
import FlipFiles
import Testing

@Suite struct XMLCheckTests {
    private static let many = String(repeating: "=", count: 20_000)
    private static let attributes = (0..<10_001).map { "a\($0)='x'" }.joined(separator: " ")

    /// Text may have any number of equals signs, and so may values and comments.
    @Test(arguments: [
        "<a>\(many)</a>", "<a b='\(many)'/>", "<a b=\"'\(many)\">\(many)</a>", "<a b='>'>\(many)</a>",
        "<!-- it's \(many) --><a/>", "<a><![CDATA[\(many)]]></a>",
    ]) func equalsSignsAreText(document: String) throws {
        try XMLCheck.check(document[...], "x")
    }

    /// Nothing that stands before an element, or in its values, hides its attributes.
    @Test(arguments: [
        "<a \(attributes)/>", "<a b='>' \(attributes)/>", "<a b=\"'>\" \(attributes)/>", "<a>'</a><b \(attributes)/>",
        "<!-- it's --><b \(attributes)/>", "<![CDATA[\"]]><b \(attributes)/>", "<a b='<b \(attributes)",
    ]) func attributesAreCounted(document: String) {
        #expect(throws: MediaError.self) { try XMLCheck.check(document[...], "x") }
    }

    /// Processing instructions have content; one without it would end the process.
    @Test func instructionsHaveContent() throws {
        for document in ["<?x y?><a/>", "<a><?mso-application progid='P'?></a>", "<a>what?></a>", "<a b='?'>?</a>"] {
            try XMLCheck.check(document[...], "x")
        }
        for document in ["<?x?><a/>", "<a><?x?></a>", "<a/><?mso-application?>", "<a b='c'><?x??></a>"] {
            #expect(throws: MediaError.self) { try XMLCheck.check(document[...], "x") }
        }
    }
}
