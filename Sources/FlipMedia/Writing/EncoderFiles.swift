/// Options by which an encoder reads or writes files of its own. Only the user may give them, not a project or a
/// manifest, which may come from anybody.
package enum EncoderFiles {
    /// The name of the first option that is not known to be harmless: it could name a file, or make the encoder write one
    /// under a name of its own; nil if all are.
    package static func firstOption(in options: [(key: String, value: String)]) -> String? {
        options.lazy.compactMap { first(in: $0.key, $0.value) }.first
    }

    /// The error message that refuses the option `name`.
    package static func refusal(of name: String) -> String {
        "the encoder's option '\(name)' isn't one that is known to name no file, so it is accepted on the command line only "
            + "(--video-options)"
    }

    /// The name of the first option that asks for one of several passes, whose statistics the encoder keeps in files of
    /// its own between runs; nil where there is none.
    package static func passOption(in options: [(key: String, value: String)]) -> String? {
        options.lazy.flatMap { isList($0.key) ? [$0] + entries(of: $0.value) : [$0] }.first { key, value in
            key == "flags" && value.contains("pass") || ["pass", "passes", "stats"].contains(key.lowercased())
        }?.key
    }

    /// Why several passes are refused, and what to do, as a clause.
    package static let passHint =
        "there is one pass only, unless --target-size 10M asks for a size (--crf keeps a quality, --bitrate an average rate)"

    /// Whether an option holds a list of the encoder library's own options, as `x264-params` and `x264opts` do.
    package static func isList(_ key: String) -> Bool {
        let name = key.lowercased()
        return name.hasSuffix("-params") || name.hasSuffix("opts")
    }

    /// The entries of such a list, with dashes for the underscores that x264 takes for the same.
    static func entries(of list: String) -> [(key: String, value: String)] {
        list.split(whereSeparator: { $0 == ":" || $0 == "," }).map { entry in
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            return ((parts.first ?? "").replacing("_", with: "-"), parts.count > 1 ? parts[1] : "")
        }
    }

    private static func first(in key: String, _ value: String) -> String? {
        if isList(key) { return entries(of: value).lazy.compactMap { first(in: $0.key, $0.value) }.first }
        let name = plain(key)
        if let words = harmlessWords[name] { return words.contains(value) || Int(value) != nil ? nil : key }
        // In a list, what follows a comma is a part of a value such as `zones=0,100,crf=20`.
        let isKnown = harmless.contains(name) || Int(name) != nil
        return !isKnown || looksLikePath(value) || name == "flags" && value.contains("pass") ? key : nil
    }

    /// The name of an option in lower case, with dashes, and without what only negates it.
    private static func plain(_ key: String) -> String {
        let name = key.lowercased().replacing("_", with: "-")
        return name.hasPrefix("no-") ? String(name.dropFirst(3)) : name
    }

    /// Options that take a word, a number or a file name, with the words that are allowed. Numbers always are.
    private static let harmlessWords = ["cqm": ["flat", "jvt"], "scaling-list": ["off", "default"], "film-grain": []]

    /// The options that never name a file, and never make an encoder choose one: those of libavcodec, x264, x265, SVT-AV1,
    /// libaom, libvpx and the encoders in hardware that people set. Any other option is refused, because each version of
    /// an encoder brings new ones.
    private static let harmless = Set(
        """
        b bf bitrate bufsize maxrate minrate crf crf-max cq qp q quality qmin qmax qdiff qcomp qblur qpmin qpmax qpstep \
        min-qp max-qp cplxblur ratetol ipratio pbratio chroma-qp-offset chromaoffset global-quality rc rc-mode rc-lookahead \
        rc-init-occupancy lookahead look-ahead look-ahead-depth vbv-maxrate vbv-bufsize vbv-init strict-cbr const-vbv \
        undershoot-pct overshoot-pct lossless cu-lossless compression-level mbtree cutree aq-mode aq-strength qg-size nr \
        spatial-aq temporal-aq variance-boost-strength ac-bias sharpness multipass extbrc psy psy-rd psy-rdoq \
        profile level level-idc high-tier tune preset usage deadline cpu-used speed row-mt tiles tile-columns tile-rows \
        fast-decode realtime allow-sw prio-speed low-power zerolatency async-depth surfaces \
        g keyint min-keyint keyint-min sc-threshold scenecut scd open-gop closed-gop intra-refresh irefresh-type forced-idr \
        strict-gop bframes b-adapt b-bias b-pyramid b-strategy b-ref-mode ref refs weightb weightp weighted-pred lag-in-frames \
        auto-alt-ref arnr-maxframes arnr-strength arnr-type hierarchical-levels pred-struct enable-overlays enable-tf \
        me me-method me-range merange motion-est mvrange subme subq cmp subcmp mbd mv4 chroma-me mixed-refs trellis \
        fast-pskip dct-decimate deadzone-inter deadzone-intra partitions direct direct-pred 8x8dct deblock loop filter \
        sao selective-sao strong-intra-smoothing rect amp ctu min-cu-size max-tu-size tu-intra-depth tu-inter-depth \
        limit-refs limit-modes limit-tu max-merge rd rdoq-level rdpenalty rskip early-skip signhide tskip b-intra \
        enable-cdef enable-restoration enable-qm qm-min qm-max film-grain-denoise denoise-noise-level static-thresh \
        noise-sensitivity error-resilient constrained-intra cabac coder context slices slicecrc slice-max-size zones flags \
        threads pools frame-threads wpp lp log-level output-depth interlace tff bff pic-struct fake-interlaced pulldown \
        frame-packing aud hrd nal-hrd repeat-headers annexb a53cc bluray-compat avcintra-class sar overscan videoformat \
        range colorprim transfer colormatrix chromaloc hdr10 hdr10-opt max-cll master-display \
        bits-per-mb mbs-per-slice alpha-bits quant-mat vendor
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Whether the value has a slash or backslash, unless it is a fraction of two whole numbers.
    private static func looksLikePath(_ value: String) -> Bool {
        guard value.contains(where: { $0 == "/" || $0 == "\\" }) else { return false }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count != 2 || !parts.allSatisfy { Int($0) != nil }
    }
}
