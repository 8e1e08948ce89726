import FlipMedia
import Testing

/// Which tags an output has, by the clips' tags.
@Suite struct FileTagsTests {
    private func kept(_ tags: KeyValuePairs<String, String>) -> [String: String] {
        FileTags.kept(tags.map { (key: $0.key, value: $0.value) })
    }

    @Test func whatDescribesAFileIsLeftOut() {
        let tags = kept([
            "major_brand": "isom", "encoder": "Lavf", "TITLE": "One", "_STATISTICS_TAGS": "BPS",
            "timecode": "01:00:00:00",
            "empty": "", "creation_time": "2024-01-01T00:00:00.000000Z",
        ])
        #expect(tags == ["title": "One", "creation_time": "2024-01-01T00:00:00.000000Z"])
        #expect(kept(["creation_time": "yesterday"]) == [:])
        #expect(kept(["software": "Lavf59.27.100"]) == [:])
        #expect(kept(["software": "HD7.01.01.70.00"]) == ["software": "HD7.01.01.70.00"])
        #expect(kept(["creation_time": "1970-01-01T00:00:00.000000Z"]) == [:])
    }

    @Test func aTextInOneLanguageCountsOnce() {
        #expect(kept(["location-eng": "+1+2/", "location": "+1+2/"]) == ["location": "+1+2/"])
        // Another language's text is another text.
        #expect(kept(["title": "One", "title-deu": "Eins"]) == ["title": "One", "title-deu": "Eins"])
    }

    @Test func quickTimesNamesMeanTheSame() {
        let apple = ["com.apple.quicktime.location.iso6709": "+1.5-002/", "com.apple.quicktime.make": "Apple"]
        var tags = kept(["com.apple.quicktime.location.ISO6709": "+1.5-002/", "com.apple.quicktime.make": "Apple"])
        #expect(tags == apple.merging(["location": "+1.5-002/", "make": "Apple"]) { one, _ in one })
        FileTags.set("location", "", in: &tags)
        FileTags.set("make", "Mine", in: &tags)
        #expect(tags == ["make": "Mine"])
    }

    @Test func clipsMayDisagree() {
        let (tags, disputed) = FileTags.common([
            ["title": "One", "artist": "Ann"], [:], ["title": "Two", "artist": "Ann", "mood": "calm"], ["title": "One"],
        ])
        #expect(tags == ["artist": "Ann", "mood": "calm"])
        #expect(disputed == ["title"])
    }

    @Test func theEarliestDateCounts() {
        let (tags, disputed) = FileTags.common([
            [
                "creation_time": "2024-05-02T10:00:00.000000Z",
                "com.apple.quicktime.creationdate": "2024-05-02T12:00:00+0200",
            ],
            [
                "creation_time": "2024-05-01T23:00:00.000000Z",
                "com.apple.quicktime.creationdate": "2024-05-02T01:00:00+0200",
            ],
            [:],
        ])
        #expect(
            tags == [
                "creation_time": "2024-05-01T23:00:00.000000Z",
                "com.apple.quicktime.creationdate": "2024-05-02T01:00:00+0200",
            ])
        #expect(disputed == [])
        // A time of day in one clip's zone says nothing of another clip's date.
        #expect(
            FileTags.common([
                ["creation_time": "2024-05-01T23:00:00.000000Z"],
                ["com.apple.quicktime.creationdate": "2020-05-02T01:00:00+0200"],
            ]).tags == ["creation_time": "2024-05-01T23:00:00.000000Z"])
    }

    /// About a kilometer is the same place.
    @Test(arguments: [
        ("+37.5002+127.0362/", "+37.5042+127.0299+012.5/", true), ("+37.5002+127.0362/", "+37.5202+127.0362/", false),
        ("+37.5002+127.0362/", "-37.5002+127.0362/", false), ("+37.5002+127.0362/", "Seoul", false),
        ("Seoul", "Seoul", true),
    ])
    func placesMayDifferALittle(one: String, other: String, isSame: Bool) {
        let name = "com.apple.quicktime.location.iso6709"
        let (tags, disputed) = FileTags.common([["location": one, name: one], ["location": other]])
        #expect(tags == (isSame ? ["location": one, name: one] : [:]))
        #expect(disputed == (isSame ? [] : ["location"]))
    }

    /// `date -u -d TEXT` gives these.
    @Test(arguments: [
        ("2026-05-17T14:30:00Z", "2026-05-17T14:30:00.000000Z"), ("2026-05-17 14:30:00", "2026-05-17T14:30:00.000000Z"),
        ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00.000000Z"),
        ("2024-02-28T22:15:00.25-0300", "2024-02-29T01:15:00.250000Z"),
        ("1969-12-31T23:59:59.75Z", "1969-12-31T23:59:59.750000Z"),
        ("now", nil), ("14:30:00", nil), ("2026-05-17", nil), ("", nil), ("2026-05-17T14:30:00 or so", nil),
    ])
    func datesAreReadInTheirZones(text: String, expected: String?) {
        #expect(RecordingDate(text)?.text == expected)
    }

    @Test(arguments: [
        ("+37.5002+127.0362/", 37.5002, 127.0362), ("-15.8355-048.0153", -15.8355, -48.0153),
        ("+00.0000+000.0000+034.000CRSWGS_84/", 0, 0),
    ])
    func placesAreRead(text: String, latitude: Double, longitude: Double) {
        let place = Place(text)
        #expect(place?.latitude == latitude && place?.longitude == longitude)
    }

    @Test(arguments: ["", "/", "+1/", "Paris", "+91+0/", "++/"]) func otherTextsAreNoPlaces(text: String) {
        #expect(Place(text) == nil)
    }

    /// Texts as FFmpeg 5.1 writes those of an iPhone's photo, and as others might.
    @Test func photosSayWhereTheyWereTaken() {
        let phone = [
            "Make": "Apple", "Model": "iPhone 6s", "DateTimeOriginal": "2018:02:17 16:39:33",
            "GPSLatitude": "     35:1      ,      39:1      ,    2603:100    ", "GPSLatitudeRef": "N",
            "GPSLongitude": "    139:1      ,      44:1      ,    5874:100    ", "GPSLongitudeRef": "E",
        ]
        #expect(
            PictureTags { phone[$0] }.tags == [
                "make": "Apple", "model": "iPhone 6s", "creation_time": "2018-02-17T16:39:33.000000Z",
                "location": "+35.657231+139.749650/",
            ])
        let south = phone.merging(["GPSLatitudeRef": "S", "GPSLongitudeRef": "W", "OffsetTimeOriginal": "+09:00"]) {
            $1
        }
        #expect(PictureTags { south[$0] }.tags["location"] == "-35.657231-139.749650/")
        #expect(PictureTags { south[$0] }.tags["creation_time"] == "2018-02-17T07:39:33.000000Z")
        for (name, value) in [("GPSLatitude", "0:0, 0:0, 0:0"), ("GPSLatitude", "1:1"), ("GPSLongitudeRef", "?")] {
            let broken = phone.merging([name: value]) { $1 }
            #expect(PictureTags { broken[$0] }.tags["location"] == nil)
        }
        // Cameras whose clock was never set write zeros.
        #expect(PictureTags { $0 == "DateTimeOriginal" ? "0000:00:00 00:00:00" : nil }.tags == [:])
        #expect(PictureTags { _ in nil }.tags == [:])
    }
}
