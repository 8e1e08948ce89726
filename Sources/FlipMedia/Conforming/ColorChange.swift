import FlipBase

/// How color matrix and range change from a picture to the output.
struct ColorChange: Equatable {
    var sourceMatrix: String
    var targetMatrix: String
    var isSourceFull: Bool
    var isTargetFull: Bool
    /// Whether YUV of one matrix is converted to YUV of another.
    var changesMatrix: Bool

    init(from picture: PictureShape, to conform: VideoConform) {
        isSourceFull = picture.color.usesFullRange(picture.pixelFormat)
        isTargetFull = conform.color.usesFullRange(conform.pixelFormat)
        let source = picture.color.assumedMatrix(width: picture.width, height: picture.height)
        let target = conform.color.assumedMatrix(width: conform.width, height: conform.height)
        // If neither side is tagged, both have the output's matrix; an RGB side takes on that of the other. Gray has
        // none.
        let areUntagged = picture.color.matrix == nil && conform.color.matrix == nil
        sourceMatrix = areUntagged || picture.pixelFormat.isRGB || source == "gbr" ? target : source
        targetMatrix = conform.pixelFormat.isRGB || target == "gbr" ? sourceMatrix : target
        let haveChroma = picture.pixelFormat.components == .yuv && conform.pixelFormat.components == .yuv
        changesMatrix = haveChroma && Self.family(sourceMatrix) != Self.family(targetMatrix)
    }

    var changesRange: Bool { isSourceFull != isTargetFull }

    /// The name by which libswscale's filter knows the matrix. BT.470BG and SMPTE 170M have the same coefficients
    /// (BT.601).
    static func family(_ matrix: String) -> String {
        switch matrix {
        case "bt470bg", "smpte170m", "bt601": "bt601"
        case "bt2020nc", "bt2020c": "bt2020"
        case "fcc", "smpte240m", "bt709": matrix
        default: "bt709"
        }
    }

    /// The weights of red and blue in luma under the matrix.
    static func weights(_ matrix: String) -> LumaWeights {
        switch family(matrix) {
        case "bt601": .bt601
        case "bt2020": .bt2020
        case "smpte240m": .smpte240m
        case "fcc": .fcc
        default: .bt709
        }
    }
}
