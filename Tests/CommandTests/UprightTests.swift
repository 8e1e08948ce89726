import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    /// Real clips are shown upright and with their aspect ratio, each frame when ffmpeg shows it.
    @Suite(.serialized, .needsMedia) struct UprightTests {
        let folder = TemporaryFolder.make()

        /// Clips whose frames need no conversion other than rotation: with B-frames, edit lists, late starts,
        /// fragments, odd sizes, 10 bits, old progressive codecs and display matrices.
        static let exact = [
            "h264-aac-mono-1080x720-edit-list-bframes.mp4", "h264-444-edit-list-bframes-1fps.mp4",
            "h264-edit-list-video-starts-1s.mp4", "h264-aac-fragmented-sidx.mp4", "vp9-odd-size-161x121.webm",
            "h264-high10-420-10bit-200x200.mp4", "prores-422hq-10bit-320x240.mov", "mjpeg-pcm-320x240-15fps-camera.avi",
            "theora-vorbis-560x320-lego.ogv", "hevc-854x480-1s.ts", "h264-aac-rotate-and-mirror.mp4",
            "h264-aac-rotate90-720p-android.mp4", "h264-rotate90-568x320-3frames.mov",
        ]

        @Test(arguments: Places.some(exact, every: 8)) func everyFrameIsTheOneFfmpegShows(name: String) throws {
            let clip = try medium(name)
            try succeed([clip, clip, "--transition", "cut", "--video-codec", "ffv1", "--no-audio", folder / "out.mkv"])
            let frames = try Judge.frameHashes(clip)
            #expect(frames.count > 2)
            #expect(try Judge.frameHashes(folder / "out.mkv") == frames + frames)
        }

        /// Clips with non-square pixels keep their height and get the width that they have in square pixels.
        @Test(
            arguments: Places.some(
                [
                    ("h264-sar2-1-640x360.mp4", 1280, 360), ("h264-sar64-45-800x640-bpyramid.mp4", 1138, 640),
                    ("mpeg2-interlaced-tff-1440x1080-sar4-3.mov", 1920, 1080),
                    ("mpeg4-1frame-sar16-11-176x144.mp4", 256, 144),
                ], every: 8))
        func anamorphicClipsAreWide(name: String, width: Int, height: Int) throws {
            let clip = try medium(name)
            try succeed(
                "\(clip) \(clip) --transition cut --video-codec ffv1 --no-audio --deinterlace off \(folder / "out.mkv")"
            )
            let video = try Judge.video(folder / "out.mkv")
            #expect(video.width == width && video.height == height && ["1:1", "N/A"].contains(video.sampleAspect))
            let shown = try Judge.frameHashes(clip, filter: "scale=\(width):\(height):\(Judge.exactScaling)")
            #expect(try Judge.frameHashes(folder / "out.mkv") == shown + shown)
        }

        /// Photos are upright with every EXIF orientation. The eight show the same landscape, with different numbers in
        /// the middle.
        @Test func photosStandAsTheirOrientationSays() throws {
            let upright = try thumbnail(medium("jpeg-exif-orientation-1.jpg"))
            for number in Places.some(Array(1...8), every: 4) {
                let photo = try medium("jpeg-exif-orientation-\(number).jpg") + "#t=0.08"
                try succeed("\(photo) \(photo) --transition cut --video-codec ffv1 -y \(folder / "out.mkv")")
                let video = try Judge.video(folder / "out.mkv")
                #expect(video.width == 600 && video.height == 450, "\(number)")
                let found = try thumbnail(folder / "out.mkv")
                #expect(psnr(found, upright) > 21, "\(number): \(psnr(found, upright))")
                for filter in ["hflip", "vflip", "hflip,vflip", "transpose,scale=60:45"] {
                    let turned = try thumbnail(folder / "out.mkv", filter: filter)
                    #expect(psnr(turned, upright) < 16, "\(number) \(filter): \(psnr(turned, upright))")
                }
            }
        }

        private func thumbnail(_ path: String, filter: String = "null") throws -> TestPicture {
            let folder = try TemporaryFolder()
            try Tool.ffmpeg(
                "-i \(path) -frames:v 1 -vf format=gray,scale=60:45:flags=area,\(filter)",
                "-c:v ffv1 \(folder / "small.mkv")")
            return try Judge.pictures(folder / "small.mkv", pixelFormat: "gray", width: 60, height: 45)[0]
        }

        /// Transparent clips look as if ffmpeg's overlay had put them over a plain color.
        @Test(
            arguments: Places.some(
                [
                    "png-palette-trns.png", "png-rgba-photo-500px.png", "png-rgba-2048x1536-layer.png",
                    "qtrle-argb-alpha-320x240.mov", "apng-animated-alpha-245x245.apng", "vp9-alpha-vorbis-200x200.webm",
                ], every: 3))
        func transparencyLiesOverTheBackground(name: String) throws {
            let clip = try medium(name)
            // libav's own VP9 decoder ignores alpha.
            let decoder = name.hasPrefix("vp9") ? ["-c:v", "libvpx-vp9"] : []
            try succeed(
                "\(clip) \(clip) --transition cut --background #40c080 --video-codec ffv1 --pix-fmt gbrp10le --no-audio",
                "--still-duration 1f \(folder / "out.mkv")")
            let video = try Judge.video(folder / "out.mkv")
            let (width, height) = (video.width, video.height)
            try Tool.ffmpeg(
                "-f lavfi -i color=#40c080:s=\(width)x\(height):r=25,format=gbrp \(decoder) -i \(clip)",
                "-lavfi [0]format=gbrp[a];[1]format=gbrap[b];[a][b]overlay=format=gbrp -frames:v 1 -pix_fmt gbrp",
                "-c:v ffv1 \(folder / "expected.mkv")")
            let pictures = try ["out", "expected"].map {
                try Judge.pictures(
                    folder / "\($0).mkv", pixelFormat: "gbrp", width: width, height: height, range: 0..<1)[0]
            }
            #expect(psnr(pictures[0], pictures[1]) > 45, "\(psnr(pictures[0], pictures[1]))")
        }
    }
}
