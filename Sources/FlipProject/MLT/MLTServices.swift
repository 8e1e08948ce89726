/// The services of MLT that projects may use: this is an allow list, and whatever isn't in it is refused by name.
enum MLTServices {
    /// Why a service may not be used, as a clause; nil if it may be.
    static func refusal(of service: String) -> String? {
        if allowed.contains(service) { return nil }
        let family = service.prefix { $0 != "." }
        let name = String(service.dropFirst(family.count + 1))
        switch family {
        case "frei0r", "ladspa": return nil
        case "avfilter" where !filtersWithFiles.contains(name): return nil
        case "sox" where name != "noiseprof" && name != "noisered": return nil
        case "avfilter", "sox": return "it opens files or devices of its own"
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

    private static let allowed: Set<String> = Set(
        """
        avformat avformat-novalidate blipflash color colour count framebuffer glaxnimate kdenlivetitle loader noise pango pgm \
        pixbuf qimage qtext timewarp tone vorbis xml xml-nogl
        affine composite luma matte mix qtblend vqm dissolve
        BurningTV burningtv audiochannels audioconvert audiolevel audiolevelgraph audiomap audioseam audiospectrum audiowave \
        audiowaveform autofade avcolor_space avcolour_space avdeinterlace box_blur boxblur brightness cairoblend_mode \
        channelcopy channelswap charcoal choppy chroma chroma_hold crop dance data_feed data_show deinterlace deshake dust \
        dynamic_loudness dynamictext fft fieldorder freeze gamma gpsgraphic gpstext gradientmap grain grayscale greyscale \
        hslprimaries hslrange imageconvert invert lift_gamma_gain lightshow lines loudness loudness_meter lumakey \
        lumaliftgaingamma mask_apply mask_start mirror mono motion_est obscure oldfilm opencv.tracker outline panner \
        pillar_echo qtcrop rbpitch region resize rescale rgblut rotoscoping sepia shape spot_remover strobe subtitle swresample \
        swscale tcolor telecide text threshold timer timeremap transition typewriter vidstab vignette volume watermark wave \
        autotrack_rectangle
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Filters of libavfilter that open files, devices, sockets or plugins, or change those of others, whatever the project
    /// says. Those that read one file that they are given are not among them.
    private static let filtersWithFiles: Set<String> = [
        "movie", "amovie", "azmq", "zmq", "sendcmd", "asendcmd", "frei0r", "frei0r_src", "ladspa", "lv2", "ocr",
        "dnn_classify", "dnn_detect", "dnn_processing", "derain", "sr", "asr", "metadata", "ametadata", "signature",
        "vmafmotion", "libvmaf", "psnr", "ssim", "program_opencl", "openclsrc", "libplacebo", "find_rect", "cover_rect",
        "bench", "abench", "hwupload", "hwmap",
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
