import TestSupport
import Testing

extension CommandTests {
    /// What presets make of clips of all kinds: deep, odd-sized, transparent, HDR, and whatever an archive has to keep.
    @Suite(.serialized) struct PresetSourceTests {
        let folder = TemporaryFolder.make()

        /// A lossless clip of 20 frames of 161x91 pixels and 0.8 s of audio.
        private func odd(_ name: String, _ pixelFormat: String, hue: Int = 0) throws -> String {
            try clips().make(
                "preset-odd-\(name)-\(pixelFormat).mkv", "-f lavfi -i testsrc2=s=200x120:r=25:d=0.8",
                "-f lavfi -i sine=f=\(440 + hue):r=48000:d=0.8 -vf",
                "hue=h=\(hue),format=\(pixelFormat),crop=161:91:0:0:exact=1 -c:v ffv1 -c:a pcm_s16le")
        }

        /// Outside of the transition, an archive has the clips' own frames, in their own format, and their samples.
        @Test(
            arguments: Places.some(
                [
                    "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p12le", "yuv444p16le", "gbrp",
                    "gbrp10le", "yuva420p", "yuva444p10le", "gray", "gray10le",
                ], every: 13))
        func archivesLoseNothing(pixelFormat: String) throws {
            let inputs = try [odd("a", pixelFormat), odd("b", pixelFormat, hue: 90)]
            let out = folder / "out.mkv"
            try succeed(inputs + ["--duration", "6f", "--preset-for", "archive", out])
            let video = try Judge.video(out)
            // FFV1 has 8-bit RGB in a packed format.
            #expect(try video.pixelFormat == Judge.video(inputs[0]).pixelFormat && video.width == 161)
            #expect(video.frameCount == 34 && (pixelFormat == "gbrp" || video.pixelFormat == pixelFormat))
            let sources = try inputs.map { try Judge.frameHashes($0) }
            let frames = try Judge.frameHashes(out)
            #expect(frames.prefix(14) == sources[0].prefix(14) && frames.suffix(14) == sources[1].suffix(14))
            try expectSamples(out, inputs, outside: 14, rate: 48_000)
        }

        /// Expects the clips' own samples in the `count` frames, at 25 fps, before and after the transition.
        private func expectSamples(_ out: String, _ inputs: [String], outside count: Int, rate: Int) throws {
            let sounds = try inputs.map { try Judge.samples($0) }
            let samples = try Judge.samples(out)
            let length = count * rate / 25
            let isSame =
                samples.prefix(length) == sounds[0].prefix(length) && samples.suffix(length) == sounds[1].suffix(length)
            #expect(isSame && !samples.isEmpty)
        }

        /// 24 bits stay 24 bits.
        @Test(arguments: [("archive", "mkv", "flac"), ("edit", "mov", "pcm_s24le")])
        func deepAudioStaysDeep(preset: String, ending: String, codec: String) throws {
            let inputs = try [440, 660].map { tone in
                try clips().make(
                    "preset-deep-\(tone).mkv", "-f lavfi -i testsrc2=s=64x36:r=25:d=0.8 -f lavfi -i",
                    "aevalsrc='0.3*sin(2*PI*\(tone)*t)':s=48000:d=0.8 -c:v ffv1 -c:a pcm_s24le")
            }
            let out = folder / "out.\(ending)"
            try succeed(inputs + ["--duration", "6f", "--preset-for", preset, out])
            let stream = try PresetKind.stream(out, "a")
            #expect(stream["codec_name"] as? String == codec && stream["bits_per_raw_sample"] as? String == "24")
            try expectSamples(out, inputs, outside: 14, rate: 48_000)
            // 16 bits could not hold these samples.
            #expect(try Judge.samples(inputs[0]).contains { ($0 * 32768).rounded() != $0 * 32768 })
        }

        @Test func editKeepsTransparency() throws {
            let clip = try clips().pattern("preset-alpha", frames: 12, pixelFormat: "yuva444p10le")
            let plain = try clips().pattern("preset-plain", frames: 12)
            try succeed([plain, clip, "--duration", "4f", "--preset-for", "edit", folder / "out.mov"])
            let stream = try PresetKind.stream(folder / "out.mov", "v")
            // libav decodes ProRes 4444 with 12 bits.
            #expect(stream["profile"] as? String == "4444" && stream["pix_fmt"] as? String == "yuva444p12le")
            #expect(try Judge.complaints(folder / "out.mov") == "")
            #expect(try Judge.video(folder / "out.mov").frameCount == 20)
        }

        /// Deep and odd-sized sources follow the rules that the encoders have without a preset.
        @Test(arguments: [
            ("web", "mp4", "yuv420p", 160, 90), ("youtube", "mp4", "yuv420p", 160, 90),
            ("edit", "mov", "yuv422p10le", 161, 91),
        ]) func otherSourcesAreConverted(preset: String, ending: String, format: String, width: Int, height: Int) throws
        {
            let clip = try odd("a", "yuv444p10le")
            let out = folder / "out.\(ending)"
            try succeed([clip, clip, "--duration", "4f", "--preset-for", preset, out])
            let video = try Judge.video(out)
            #expect(video.pixelFormat == format && video.width == width && video.height == height)
            #expect(try video.frameCount == 36 && Judge.complaints(out) == "")
        }

        private func hdr(_ transfer: String) throws -> String {
            try clips().make(
                "preset-\(transfer).mkv", "-f lavfi -i testsrc2=s=160x90:r=25 -frames:v 12 -vf format=yuv420p10le",
                "-c:v ffv1 -colorspace bt2020nc -color_primaries bt2020 -color_trc \(transfer) -color_range tv")
        }

        @Test(.turn(0, of: 2), arguments: ["smpte2084", "arib-std-b67"]) func hdrKeepsTenBitsOrIsRefused(
            transfer: String
        ) throws {
            let clip = try hdr(transfer)
            let join = [clip, clip, "--duration", "4f"]
            let run = try CommandTests.run(join + ["--preset-for", "web", folder / "web.mp4"])
            #expect(run.status == 64 && run.messageLines.count == 1 && run.messages.contains("HDR"), "\(run.story)")
            #expect(run.messages.contains("--preset-for youtube") && run.messages.contains("--video-codec libx265"))
            #expect(try folder.names == [])
            try succeed(join + ["--preset-for", "web", "--video-codec", "libx265", folder / "hevc.mp4"])
            try succeed(join + ["--preset-for", "youtube", folder / "youtube.mp4"])
            try succeed(join + ["--preset-for", "archive", folder / "archive.mkv"])
            for (name, codec) in [("hevc.mp4", "hevc"), ("youtube.mp4", "hevc"), ("archive.mkv", "ffv1")] {
                let video = try Judge.video(folder / name)
                #expect(video.codec == codec && video.pixelFormat == "yuv420p10le" && video.frameCount == 20, "\(name)")
                #expect(video.color["color_transfer"] == transfer && video.color["color_primaries"] == "bt2020")
            }
            let frames = try PresetKind.frames(folder / "youtube.mp4")
            #expect(frames.filter(\.isKey).count == frames.filter { $0.type == "I" }.count)
            #expect(try PresetKind.stream(folder / "youtube.mp4", "v")["profile"] as? String == "Main 10")
            // An SDR first clip makes SDR of what follows, with the usual warning.
            let sdr = try clips().pattern("preset-plain", frames: 12)
            let mapped = try succeed([sdr, clip, "--duration", "4f", "--preset-for", "web", folder / "sdr.mp4"])
            #expect(warnings(mapped).count == 1, "\(mapped.messages)")
            #expect(try Judge.video(folder / "sdr.mp4").color["color_transfer"] == "bt709")
        }
    }
}
