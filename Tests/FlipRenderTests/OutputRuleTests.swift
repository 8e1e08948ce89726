import FlipBase
import FlipMedia
import FlipRender
import Testing

/// What decides an output of inputs that differ (docs/OUTPUT.md).
@Suite struct OutputRuleTests {
    private func sound(
        _ rate: Int, _ layout: String = "stereo", seconds: Rational = Rational(2), clip: Int
    ) -> PlacedSound {
        let channels = ["mono": 1, "stereo": 2, "5.1": 6][layout] ?? 0
        let audio = AudioInfo(
            streamIndex: 0, codec: "pcm_s16le", sampleRate: rate, channels: channels, layout: layout, start: .zero)
        let info = MediaInfo(
            path: "\(rate).wav", format: "wav", byteCount: 0, video: nil, audioTracks: [audio], audioTrackCount: 1,
            title: nil, chapters: [], ignoredStreams: [])
        var sound = PlacedSound(info: info, origin: .zero, span: TimeSpan(start: .zero, duration: seconds))
        sound.clip = clip
        return sound
    }

    private func choice(
        _ sounds: [PlacedSound], keepsBest: Bool = false, countsAll: Bool = false
    ) throws -> (rate: Int, layout: String, rateFrom: Decider, layoutFrom: Decider) {
        try #require(OutputRule.audio(sounds, keepsBest: keepsBest, countsAll: countsAll))
    }

    /// A voice memo in first place does not make a film sound like a telephone.
    @Test func theBestAudioRateDecides() throws {
        let memo = try choice([sound(8000, "mono", clip: 0), sound(48000, "mono", clip: 1)])
        #expect(memo.rate == 48000 && memo.rateFrom == .input(1))
        #expect(memo.layout == "mono" && memo.layoutFrom == .input(0))
        #expect(try choice([sound(22050, "mono", clip: 0), sound(44100, clip: 1)]).rate == 44100)
        #expect(try choice([sound(96000, clip: 0), sound(48000, clip: 1)]).rate == 96000)
        #expect(try choice([sound(8000, clip: 0), sound(16000, clip: 1)]).rate == 16000)
    }

    /// What is heard for less than a second decides no more than that the rate is 44.1 kHz.
    @Test func aShortSoundDecidesLittle() throws {
        let half = Rational(1, 2)
        #expect(try choice([sound(22050, clip: 0), sound(96000, seconds: half, clip: 1)]).rate == 44100)
        #expect(try choice([sound(48000, clip: 0), sound(96000, seconds: half, clip: 1)]).rate == 48000)
        #expect(try choice([sound(48000, seconds: half, clip: 0)]).rate == 48000)
        let both = [sound(48000, clip: 0), sound(96000, seconds: half, clip: 1)]
        #expect(try choice(both, keepsBest: true).rate == 96000)
        #expect(try choice(both, countsAll: true).rate == 96000)
    }

    @Test func channelsAreThoseOfTheFirst() throws {
        let sounds = [sound(48000, "stereo", clip: 0), sound(48000, "5.1", clip: 1)]
        #expect(try choice(sounds).layout == "stereo")
        let best = try choice(sounds, keepsBest: true)
        #expect(best.layout == "5.1" && best.layoutFrom == .input(1))
        let mono = try choice([sound(48000, "mono", clip: 0), sound(48000, "5.1", clip: 1)])
        #expect(mono.layout == "stereo" && mono.layoutFrom == .input(1))
        #expect(OutputRule.audio([], keepsBest: false, countsAll: false) == nil)
    }

    @Test(arguments: [
        (["yuv420p"], "yuv420p"), (["yuv420p", "yuv420p10le"], "yuv420p10le"),
        (["yuv420p10le", "yuv422p"], "yuv422p10le"), (["yuv422p", "yuv420p"], "yuv422p"),
        (["yuv420p", "yuv444p12le", "yuv422p10le"], "yuv444p12le"), (["gray", "yuv420p10le"], "yuv420p10le"),
        (["yuv420p", "gray"], "yuv420p"), (["gbrp", "yuv420p10le"], "gbrp10le"), (["gray", "gray10le"], "gray10le"),
    ]) func theBestFormatHasAllDepthAndChroma(names: [String], expected: String) throws {
        let formats = try names.map { try #require(PixelFormat(name: $0)) }
        #expect(OutputRule.best(of: formats, like: formats[0]).name == expected)
    }

    /// HDR is HEVC where H.264 would be the default, and nowhere else.
    @Test func highDynamicRangeIsHEVC() throws {
        for (container, codec) in [("mp4", "libx265"), ("mov", "libx265"), ("matroska", "libx265"), ("nut", "libx264")]
        {
            let container = try #require(Container.named(container))
            #expect(OutputRule.standardCodec(in: container, isHDR: true) == codec)
            #expect(OutputRule.standardCodec(in: container, isHDR: false) == "libx264")
        }
        let webm = try #require(Container.named("webm"))
        #expect(OutputRule.standardCodec(in: webm, isHDR: true) == "libvpx-vp9")
    }
}

/// What decides an output of slides.
@Suite struct SlideRuleTests {
    private func video(
        _ codec: String, _ width: Int, _ height: Int, fps: Rational = Rational(25), isStill: Bool = false
    ) -> VideoInfo {
        VideoInfo(
            streamIndex: 0, codec: codec, profile: nil, width: width, height: height, sampleAspectRatio: Rational(1),
            transform: .identity, displayWidth: width, displayHeight: height, pixelFormat: .rgb24,
            color: ColorDescription(), hdr: nil, frameRate: fps, isVariableFrameRate: false, isInterlaced: false,
            frameCount: 10, start: .zero, duration: Rational(1), isStill: isStill, seekPoints: [])
    }

    private func rule(
        _ slides: SlideRule.Slide..., hasStillClips: Bool = false, size: (Int, Int)? = nil, fps: Rational? = nil
    ) -> SlideRule {
        var settings = OutputSettings(path: "out.mp4")
        settings.size = size.map { (width: $0.0, height: $0.1) }
        settings.frameRate = fps
        return SlideRule(slides, hasStillClips: hasStillClips, settings)
    }

    private var gif: SlideRule.Slide { .film(video("gif", 60, 104, fps: Rational(1))) }
    private var film: SlideRule.Slide { .film(video("h264", 320, 240, fps: Rational(30))) }
    private var photo: SlideRule.Slide { .picture(video("mjpeg", 4000, 3000, isStill: true)) }
    private let page = SlideRule.Slide.page(Rational(16, 9))

    @Test func pagesOutrankFilmsAndAnimations() throws {
        let talk = rule(film, page)
        #expect(try #require(talk.size) == (1920, 1080) && talk.frameRate == Rational(30))
        #expect(talk.sizeDecider == .input(1) && talk.rateDecider == .input(0))
        let animated = rule(gif, page)
        #expect(try #require(animated.size) == (1920, 1080) && animated.frameRate == Rational(25))
        #expect(animated.rateDecider == .standard)
    }

    @Test func photosOutrankFilmsAndAnimations() throws {
        let album = rule(gif, photo, film)
        // 4:3 within 1920x1080.
        #expect(try #require(album.size) == (1440, 1080) && album.frameRate == Rational(30))
        #expect(album.sizeDecider == .input(1))
    }

    /// A film with too few frames for transitions between slides, or more than they need, decides no rate.
    @Test(arguments: [(12, 25), (24, 24), (60, 60), (120, 25)]) func onlyUsualRatesDecide(rate: Int, expected: Int) {
        let slides = rule(.film(video("h264", 320, 240, fps: Rational(rate))), page)
        #expect(slides.frameRate == Rational(expected))
    }

    @Test func filmsAloneDecideAsInJoins() {
        let films = rule(gif, film)
        #expect(films.size == nil && films.frame == (320, 240) && films.frameRate == Rational(30))
        let animations = rule(gif)
        #expect(animations.size == nil && animations.frame == (60, 104) && animations.frameRate == Rational(1))
        // Pictures that are clips are outranked by films, as in joins.
        let clips = rule(photo, film, hasStillClips: true)
        #expect(clips.size == nil && clips.frameRate == Rational(30))
    }

    @Test func optionsComeFirst() throws {
        let given = rule(film, page, size: (640, 360), fps: Rational(50))
        #expect(try #require(given.size) == (640, 360) && given.frameRate == Rational(50))
        #expect(given.sizeDecider == .option && given.rateDecider == .option)
    }
}
