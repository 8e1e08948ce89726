import RealModule

/// The page curl (EFFECTS 7): a sheet rolls off over a cylinder.
package struct Curl: TransitionStyle {
    package let name = "curl"
    package let summary = "a sheet of paper bends and rolls off, or a book's page turns"
    package let origin = "the page curls of editing programs and e-book readers, as the geometry of paper"
    package let options: [LookOption] = [
        .direction, .orientation, .mode, .easing, .shutter, .perspective, .viewpoint, .radius, .angle, .spine, .paper,
        .paperOpacity, .shadow, .shadowStrength, .shadowColor, .pullBack,
    ]
    package let shadows: [Shadow] = [.paper, .none]
    package let modes: [Mode] = [.peel, .book]
    package let leastPerspective = StyledLook.leastHeightOverPage

    package var defaults: Look { defaults(in: .peel) }

    package func defaults(in mode: Mode) -> Look {
        var look = Look()
        look.pullBack = 1
        look.mode = mode
        look.shadow = .paper
        look.angle = mode == .book ? 10 : 20
        look.easing = mode == .book ? .halves(.easeIn, .easeOut) : .easeInOut
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let isBook = look.mode == .book
        let start = isBook ? look.spine * length : 0
        let page = length - start
        let angle = look.angle * (isBook ? 1 - progress : 1) * .pi / 180
        let radius = look.radius * page * (isBook ? 1 - progress * progress : 1)
        let normal = SIMD2(Double.cos(angle), Double.sin(angle))
        // The corner that leaves first is at the top if the angle is negative; the one that leaves last is opposite.
        let first = SIMD2(length, look.angle < 0 ? 0 : breadth)
        let last = SIMD2(start, (look.angle < 0) != isBook ? breadth : 0)
        let highest = (normal * first).sum()
        let lowest = (normal * last).sum() - (isBook ? 0 : 2.2 * radius)
        let contact = highest + (lowest - highest) * progress

        set.pageLength = page
        if isBook { set.sheets.append(.flat(.outgoing, cut: 0...start)) }
        set.sheets.append(.flat(.incoming, cut: start...length))
        let bend = Bend(
            normal: normal, contact: contact, radius: radius, lift: min(1, (highest - contact) / (.pi * radius)),
            strength: look.shadow == .paper ? look.shadowStrength : 0)
        set.sheets.append(
            Sheet(
                .outgoing,
                back: isBook ? .picture(.incoming, spine: start) : .paper(look.paper, opacity: look.paperOpacity),
                cut: start...length, bent: bend))
    }
}
