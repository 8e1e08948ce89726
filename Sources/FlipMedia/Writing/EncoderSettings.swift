import CLibav

/// The settings of an encoder that are not fields of AVCodecContext: each encoder has options of its own for them.
package struct EncoderSettings {
    package private(set) var options: [(String, String)] = []
    /// A fixed quantizer, 1 (best)...31; nil where another setting determines the quality.
    package private(set) var quantizer: Int?

    /// - Parameters:
    ///   - codec: libav's name of the encoder.
    ///   - isForThisMachine: whether this machine encodes, so that what its processor needs is included.
    init(_ encoding: VideoEncoding, codec: String, isForThisMachine: Bool = true) {
        if let preset = encoding.preset { options.append(("preset", preset)) }
        if let crf = encoding.crf ?? (encoding.bitrate == nil ? Self.defaultCRF[codec] : nil) {
            options.append(("crf", crf == crf.rounded() ? String(Int(crf)) : String(crf)))
            // Without a bit rate of 0, libvpx takes crf only as a lower bound.
            if codec.hasPrefix("libvpx"), encoding.bitrate == nil { options.append(("b", "0")) }
        } else if encoding.bitrate == nil {
            quantizer = Self.defaultQuantizer[codec].map { encoding.quantizer ?? $0 }
        }
        guard let list = Self.parameterList[codec] else {
            options += encoding.options
            return
        }
        // One option holds a list of parameters: our own, and after them those asked for, which override ours.
        var entries = encoding.hdr?.encoderParameters(codec: codec) ?? []
        // x265 writes to standard error by itself.
        if codec == "libx265" { entries.append("log-level=error") }
        if isForThisMachine, av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0, codec.hasPrefix("libx264"),
            Self.needsNarrowRegisters(encoding.width)
        {
            entries.append("asm=avx2,fma3,bmi2,lzcnt")
        }
        if let pass = encoding.pass {
            if codec == "libx265" {
                // A colon ends an entry of the list.
                let path = pass.statistics.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                entries += ["pass=\(pass.isFirst ? 1 : 2)", "stats=\(path)"]
            } else {
                options.append(("stats", pass.statistics))
            }
        }
        if encoding.isSegmented { entries += Self.soleThread[codec] ?? [] }
        let encoder = avcodec_find_encoder_by_name(codec)
        let asked = Self.sorted(encoding.options, behind: list) { option in
            encoder.map { Encoders.knowsOption($0, option) } ?? true
        }
        entries += asked.list
        options += asked.options
        if !entries.isEmpty { options.append((list, entries.joined(separator: ":"))) }
    }

    /// Separates parameters of the list from options of the encoder. An entry after the list belongs to it where the
    /// encoder has no option of that name, so that `x265-params=aq-mode=3:psy-rd=2` means what it does elsewhere.
    private static func sorted(
        _ options: [(String, String)], behind list: String, isOption: (String) -> Bool
    ) -> (list: [String], options: [(String, String)]) {
        var entries: [String] = []
        var others: [(String, String)] = []
        for (key, value) in options {
            if key == list {
                entries.append(value)
            } else if !entries.isEmpty, !isOption(key) {
                entries.append("\(key)=\(value)")
            } else {
                others.append((key, value))
            }
        }
        return (entries, others)
    }

    /// Whether x264 may give different bytes for the same frames with AVX-512: where a row of macroblocks does not fill its 512-bit
    /// registers, its weighted prediction takes in memory beyond the row. Build 164 does so at widths of 2, 4, 11, 15
    /// and 17 macroblocks, and not at 8, 16, 20, 40 and 80.
    private static func needsNarrowRegisters(_ width: Int) -> Bool { (width + 15) / 16 % 8 != 0 }

    /// The number of reference frames of an x264 preset (x264 --fullhelp).
    package static func references(ofPreset preset: String?) -> Int {
        switch preset {
        case "ultrafast", "superfast", "veryfast": 1
        case "faster", "fast": 2
        case "slow": 5
        case "slower": 8
        case "veryslow", "placebo": 16
        default: 3
        }
    }

    /// Parameters that keep an encoder from starting threads beyond libav's thread count. The bitstream of x265 depends
    /// on whether it has a thread pool.
    private static let soleThread = ["libx265": ["pools=none", "frame-threads=1", "wpp=0"]]
    private static let parameterList = [
        "libx264": "x264-params", "libx264rgb": "x264-params", "libx265": "x265-params", "libsvtav1": "svtav1-params",
    ]
    private static let defaultCRF = [
        "libx264": 18.0, "libx264rgb": 18, "libx265": 20, "libvpx-vp9": 28, "libvpx": 10, "libsvtav1": 28,
        "libaom-av1": 26,
    ]
    private static let defaultQuantizer = ["mpeg4": 2, "mjpeg": 2, "mpeg2video": 2, "libxvid": 2]
}
