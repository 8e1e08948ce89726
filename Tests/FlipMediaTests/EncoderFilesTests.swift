import FlipMedia
import Testing

/// The options that make an encoder read or write files are found; their names are those in the encoders' manuals.
@Suite struct EncoderFilesTests {
    @Test(arguments: [
        ("x264-params", "pass=1:stats=/home/me/x"), ("x264-params", "stats=x"), ("x264-params", "pass=1"),
        ("x264opts", "qpfile=q.txt"), ("x264-params", "dump-yuv=frames.yuv"), ("x264-params", "cqmfile=m.cfg"),
        ("x264-params", "cqm=m.cfg"), ("stats", "log"), ("passlogfile", "log"), ("flags", "+pass1"),
        ("x265-params", "csv=out.csv"), ("x265-params", "aq-mode=3:csv=out.csv"), ("x265-params", "analysis-save=a"),
        ("x265-params", "analysis-load=a"), ("x265-params", "analysis-reuse-file=a"), ("x265-params", "qpfile=a"),
        ("x265-params", "scaling-list=a.txt"), ("x265-params", "lambda-file=a"), ("x265-params", "dhdr10-info=a.json"),
        ("x265-params", "film-grain=a.bin"), ("x265-params", "recon=a.yuv"), ("x265-params", "zonefile=a"),
        ("svtav1-params", "fgs-table=a"), ("svtav1-params", "errlog=a"), ("svtav1-params", "stats=a"),
        ("svtav1-params", "qp-file=a"), ("svtav1-params", "roi-map-file=a"), ("aom-params", "film-grain-table=a"),
        ("aom-params", "vmaf-model-path=a"), ("aom-params", "partition-info-path=a"), ("wobble", "/etc/passwd"),
        ("wobble", "../up"), ("X264-PARAMS", "stats=x"), ("kvazaar-params", "stats-file=a,qp=3"),
        // A name without a slash, and an option that no list of ours has.
        ("kvazaar-params", "roi=map.txt"), ("kvazaar-params", "qp=3,cqmfile=m"), ("wobble", "plain"), ("wobble", "1"),
    ]) func filesAreFound(key: String, value: String) {
        #expect(EncoderFiles.firstOption(in: [("g", "12"), (key, value)]) != nil, "\(key)=\(value)")
    }

    @Test(arguments: [
        ("profile", "high"), ("x264-params", "keyint=50:bframes=3:cqm=flat"), ("tune", "film"), ("g", "250"),
        ("x265-params", "aq-mode=3:psy-rd=2:no-sao:output-depth=10:log-level=none"), ("sar", "16/11"),
        ("x265-params", "scaling-list=default"), ("svtav1-params", "film-grain=8:tune=0:lookahead=40"),
        ("row-mt", "1"), ("deadline", "realtime"), ("lag-in-frames", "25"), ("flags", "+ilme+ildct"), ("refs", "5"),
        ("x264-params", "zones=0,100,crf=20"), ("partitions", "all"), ("profile", "dnxhr_sq"),
        ("x264-params", "me=umh:trellis=2:no-psy=1:vbv-maxrate=900"), ("global_quality", "23"), ("rc", "vbr"),
    ]) func theRestIsNot(key: String, value: String) {
        #expect(EncoderFiles.firstOption(in: [(key, value)]) == nil, "\(key)=\(value)")
    }
}
