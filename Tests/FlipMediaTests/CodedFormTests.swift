import FlipBase
import FlipMedia
import Testing

/// How coded pictures become those that are shown.
@Suite struct CodedFormTests {
    private static let transforms = [false, true].flatMap { mirrored in
        [0, 90, 180, 270].map { DisplayTransform(rotation: $0, mirrored: mirrored) }
    }

    /// A picture of the letters a to f, as rows.
    private static let letters = ["abc", "def"].map(Array.init)

    /// `picture` mirrored and then turned clockwise, row by row.
    private func shown(_ picture: [[Character]], _ transform: DisplayTransform) -> [[Character]] {
        var rows = transform.mirrored ? picture.map { $0.reversed() } : picture
        for _ in 0..<transform.rotation / 90 {
            // The first column, read from the bottom, becomes the first row.
            rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } }
        }
        return rows
    }

    @Test func relativeTurnsMakeTheDifference() {
        for own in Self.transforms {
            for other in Self.transforms {
                let turned = shown(Self.letters, own.relative(to: other))
                #expect(shown(turned, other) == shown(Self.letters, own), "\(own) \(other)")
            }
        }
    }

    @Test func placesLieWhereTheyAreCoded() {
        for transform in Self.transforms {
            let rows = shown(Self.letters, transform)
            for (y, row) in rows.enumerated() {
                for (x, letter) in row.enumerated() {
                    let middle = ((Double(x) + 0.5) / Double(row.count), (Double(y) + 0.5) / Double(rows.count))
                    let (column, line) = transform.coded(middle)
                    #expect(Self.letters[Int(line * 2)][Int(column * 3)] == letter, "\(transform) at \(x), \(y)")
                }
            }
        }
    }

    /// The matrices of ISO/IEC 14496-12 for quarter turns, with y down: a picture that is shown upright if it is turned
    /// clockwise by 90 degrees has x' = -y and y' = x.
    @Test func matricesSayHowPicturesAreTurned() {
        let one: Int32 = 1 << 16
        let rows: [([Int32], DisplayTransform)] = [
            ([0, one, -one, 0], DisplayTransform(rotation: 90)), ([-one, 0, 0, -one], DisplayTransform(rotation: 180)),
            ([0, -one, one, 0], DisplayTransform(rotation: 270)),
            ([-one, 0, 0, one], DisplayTransform(mirrored: true)),
            ([one, 0, 0, -one], DisplayTransform(rotation: 180, mirrored: true)),
            ([0, one, one, 0], DisplayTransform(rotation: 270, mirrored: true)),
        ]
        for (numbers, transform) in rows {
            let matrix = [numbers[0], numbers[1], 0, numbers[2], numbers[3], 0, 0, 0, 1 << 30]
            #expect(DisplayTransform(matrix: matrix) == transform)
        }
    }
}
