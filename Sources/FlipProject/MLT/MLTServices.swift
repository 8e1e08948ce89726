/// The services of MLT that projects may use: this is an allow list, and whatever isn't in it is refused by name.
enum MLTServices {
    /// Why a service may not be used, as a clause; nil if it may be.
    static func refusal(of service: String) -> String? {
        if allowed.contains(service) { return nil }
        let family = service.prefix { $0 != "." }
        let name = String(service.dropFirst(family.count + 1))
        switch family {
        case "frei0r" where !name.isEmpty && !classifiers.contains(name): return nil
        case "ladspa" where !name.isEmpty && name.allSatisfy(\.isNumber): return nil
        case "avfilter" where !name.isEmpty && !filtersWithFiles.contains(name): return nil
        case "sox" where soundEffects.contains(name): return nil
        case "avfilter", "frei0r", "ladspa", "sox": return "it may open files, devices or plugins of its own"
        case "movit", "glsl": return "it needs a graphics card (render without GPU effects)"
        default: return reasons[service] ?? "it isn't among those that are known to be harmless"
        }
    }

    private static let reasons = [
        "qml": "it runs a script", "webvfx": "it runs scripts and fetches pages",
        "melt": "it runs a command line of melt",
        "melt_file": "it runs a command line of melt", "consumer": "it writes to files and devices",
        "xml-string": "it hides a document", "decklink": "it opens a device", "jack": "it opens a device",
        "jackrack": "it loads plugins", "lv2": "it loads plugins", "vst2": "it loads plugins",
    ]

    private static let allowed = pictureFilters.union(soundFilters).union(
        """
        avformat avformat-novalidate blipflash color colour count framebuffer glaxnimate kdenlivetitle loader noise pango pgm \
        pixbuf qimage timewarp tone vorbis xml xml-nogl composite luma matte mix vqm dissolve audiolevelgraph audiospectrum \
        audiowave audiowaveform choppy dance data_feed data_show freeze gpsgraphic gpstext imageconvert lightshow mask_apply \
        mask_start motion_est region swscale telecide timeremap transition autotrack_rectangle
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Why a property of an allowed service may not be set, as a clause; nil if it may be.
    static func refusal(of property: String, _ value: String, in service: String) -> String? {
        let name = property.prefix { $0 != "." }
        if service.hasPrefix("sox"), name.hasPrefix("effect"), !value.isEmpty {
            let effect = value.prefix { !$0.isWhitespace }
            return soundEffects.contains(String(effect)) ? nil : "it may open files, devices or plugins of its own"
        }
        if service == "vidstab", property == "analyze", value != "0" { return "it writes a file" }
        guard service.hasPrefix("avfilter."), property.hasPrefix("av."), !value.isEmpty else { return nil }
        return writingOptions.contains(property) ? "it writes a file" : nil
    }

    /// Effects of SoX that need nothing but numbers.
    private static let soundEffects: Set<String> = Set(
        """
        allpass band bandpass bandreject bass bend biquad chorus compand contrast dcshift deemph delay dither downsample earwax \
        echo echos equalizer fade flanger gain highpass hilbert loudness lowpass mcompand norm oops overdrive pad phaser pitch \
        rate remix repeat reverb reverse riaa silence sinc speed stretch swap synth tempo treble tremolo trim upsample vad vol
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Plugins of frei0r that open a file.
    private static let classifiers: Set<String> = ["facebl0r", "facedetect"]

    /// The options that name the files of those filters of libavfilter that are allowed to read one.
    static let fileOptions: [String: Set<String>] = [
        "avfilter.arnndn": ["av.model", "av.m"], "avfilter.ass": ["av.filename", "av.f", "av.fontsdir"],
        "avfilter.curves": ["av.psfile"], "avfilter.drawtext": ["av.fontfile", "av.textfile"],
        "avfilter.lut1d": ["av.file"], "avfilter.lut3d": ["av.file"], "avfilter.removelogo": ["av.filename", "av.f"],
        "avfilter.selectivecolor": ["av.psfile"], "avfilter.sofalizer": ["av.sofa"],
        "avfilter.subtitles": ["av.filename", "av.f", "av.fontsdir"],
    ]

    /// Options of filters of libavfilter for files that they write.
    private static let writingOptions: Set<String> = ["av.dumpfile", "av.plot", "av.debug_kdtree", "av.stats_file"]

    /// Filters of libavfilter that open files, devices, sockets or plugins, or change those of others, whatever the project
    /// says. Those in `fileOptions` are not among them.
    private static let filtersWithFiles: Set<String> = [
        "movie", "amovie", "azmq", "zmq", "sendcmd", "asendcmd", "frei0r", "frei0r_src", "ladspa", "lv2", "ocr",
        "dnn_classify", "dnn_detect", "dnn_processing", "derain", "sr", "asr", "metadata", "ametadata", "signature",
        "vmafmotion", "libvmaf", "psnr", "ssim", "program_opencl", "openclsrc", "libplacebo", "find_rect", "cover_rect",
        "bench", "abench", "hwupload", "hwmap", "vidstabdetect", "vidstabtransform", "deshake", "flite", "fieldhint",
        "nnedi", "xfade_opencl", "cellauto", "life", "showcqt", "identity", "msad", "whisper", "qrencode",
        "qrencodesrc",
        "libvmaf_cuda", "xpsnr", "scale_vulkan", "drawvg",
    ]

    // MARK: What they do

    /// Filters that change nothing but sound.
    private static let soundFilters: Set<String> = [
        "audiochannels", "audioconvert", "audiolevel", "audiomap", "audioseam", "autofade", "channelcopy",
        "channelswap",
        "dynamic_loudness", "fft", "loudness", "loudness_meter", "mono", "panner", "rbpitch", "swresample", "volume",
    ]
    /// Filters that change nothing at all.
    private static let idleFilters: Set<String> = ["audiolevel", "loudness_meter"]
    /// Filters that change pictures and no sound.
    private static let pictureFilters: Set<String> = [
        "affine", "avcolor_space", "avcolour_space", "avdeinterlace", "box_blur", "boxblur", "brightness", "burningtv",
        "BurningTV",
        "cairoblend_mode", "charcoal", "chroma", "chroma_hold", "crop", "deinterlace", "deshake", "dust", "dynamictext",
        "fieldorder", "gamma", "gradientmap", "grain", "grayscale", "greyscale", "hslprimaries", "hslrange", "invert",
        "lift_gamma_gain", "lines", "lumakey", "lumaliftgaingamma", "mirror", "obscure", "oldfilm", "opencv.tracker",
        "outline", "pillar_echo", "qtblend", "qtcrop", "qtext", "resize", "rescale", "rgblut", "rotoscoping", "sepia",
        "shape", "spot_remover", "strobe", "subtitle", "tcolor", "text", "threshold", "timer", "typewriter", "vidstab",
        "vignette", "watermark", "wave",
    ]

    static func changesPicture(_ service: String) -> Bool {
        !soundFilters.contains(service) && !idleFilters.contains(service) && !service.hasPrefix("ladspa.")
            && !service.hasPrefix("sox.")
    }

    static func changesSound(_ service: String) -> Bool {
        !pictureFilters.contains(service) && !idleFilters.contains(service) && !service.hasPrefix("frei0r.")
    }

    /// Producers that show something and are never heard.
    static let silentProducers: Set<String> = [
        "color", "colour", "glaxnimate", "kdenlivetitle", "noise", "pango", "pgm", "pixbuf", "qimage", "qtext",
    ]
    /// Producers of films.
    static let filmProducers: Set<String> = ["avformat", "avformat-novalidate"]
    /// Transitions that lay one track over the other.
    static let compositing: Set<String> = ["frei0r.cairoblend", "qtblend", "composite", "affine"]
    /// Producers whose resource is nothing that could be a file, unless it begins with a slash.
    static let withoutFiles: Set<String> = [
        "blipflash", "color", "colour", "count", "kdenlivetitle", "noise", "qtext", "tone",
    ]
}
