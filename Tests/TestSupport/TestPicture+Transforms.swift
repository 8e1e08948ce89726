import FlipRaster

extension TestPicture {
    /// Creates a picture with a single value per plane.
    package init(format: PictureFormat, width: Int, height: Int, filledWith values: [UInt16]) {
        self.init(format: format, width: width, height: height)
        for plane in planes.indices { planes[plane] = [UInt16](repeating: values[plane], count: planes[plane].count) }
    }

    /// Creates a picture whose samples are `value(plane, column, row)`.
    package init(
        format: PictureFormat, width: Int, height: Int, _ value: (_ plane: Int, _ x: Int, _ y: Int) -> UInt16
    ) {
        self.init(format: format, width: width, height: height)
        for plane in planes.indices {
            let size = planeSize(plane)
            for y in 0..<size.height { for x in 0..<size.width { self[plane: plane, x: x, y: y] = value(plane, x, y) } }
        }
    }

    /// The picture with left and right exchanged, sample by sample.
    package var mirroredLeftRight: TestPicture {
        TestPicture(format: format, width: width, height: height) { plane, x, y in
            self[plane: plane, x: planeSize(plane).width - 1 - x, y: y]
        }
    }

    /// The picture with top and bottom exchanged, sample by sample.
    package var mirroredTopBottom: TestPicture {
        TestPicture(format: format, width: width, height: height) { plane, x, y in
            self[plane: plane, x: x, y: planeSize(plane).height - 1 - y]
        }
    }

    /// The samples of plane `index` that belong to `part` of the picture, which is given in luma pixels; all samples if
    /// it is nil.
    func samples(
        ofPlane index: Int, in part: (columns: Range<Int>, rows: Range<Int>)?
    ) -> (columns: Range<Int>, rows: Range<Int>) {
        let size = planeSize(index)
        guard let part else { return (0..<size.width, 0..<size.height) }
        let isChroma = format.isChroma(plane: index)
        let (x, y) = isChroma ? (format.chromaStepX, format.chromaStepY) : (1, 1)
        let columns = part.columns.lowerBound / x..<(part.columns.upperBound + x - 1) / x
        return (columns, part.rows.lowerBound / y..<(part.rows.upperBound + y - 1) / y)
    }

    /// A part of the picture, in luma pixels. It must begin at a multiple of the chroma steps.
    package func cropped(columns: Range<Int>, rows: Range<Int>) -> TestPicture {
        TestPicture(format: format, width: columns.count, height: rows.count) { plane, x, y in
            let part = samples(ofPlane: plane, in: (columns, rows))
            return self[plane: plane, x: part.columns.lowerBound + x, y: part.rows.lowerBound + y]
        }
    }

    /// The picture with x and y exchanged, in the format with its chroma steps and siting exchanged as well.
    package var transposed: TestPicture {
        var turned = format
        (turned.chromaStepX, turned.chromaStepY) = (format.chromaStepY, format.chromaStepX)
        turned.chromaLocation =
            switch format.chromaLocation {
            case .left: .top
            case .top: .left
            case .center: .center
            case .topLeft: .topLeft
            case .bottomLeft, .bottom: preconditionFailure("a siting whose transpose has no name")
            }
        return TestPicture(format: turned, width: height, height: width) { plane, x, y in
            self[plane: plane, x: y, y: x]
        }
    }
}
