/// The numbers of the rules, with their sources. Lengths are CSS pixels of the frame as it is shown.
package enum GestureConstants {
    // MARK: MPFlipViewController, Mark Pospesel's page view controller

    /// A tap this near to an edge turns the page (`MARGIN`).
    package static let edgeMargin = 44.0
    /// The speed on release, in pixels a second, above which it decides to which side the page falls
    /// (`SWIPE_THRESHOLD`).
    package static let decidingSpeed = 125.0
    /// The speed while dragging, in pixels a second, above which the page leaves the hand at once
    /// (`SWIPE_ESCAPE_VELOCITY`).
    package static let escapeSpeed = 650.0
    /// The samples and the time in milliseconds over which that speed has to be measured. Our own: a single event may carry
    /// a movement of any length, and two displayed frames of 60 Hz are 33 ms.
    package static let escapeSamples = 3
    package static let escapeTime = 30.0
    /// The rubber band of the first and the last page: `bandLimit` u / (1 + u) of the two stages, where
    /// u = way^`bandPower` / (`bandStiffness` half') (`MPFlipTransition`'s rubber-banding).
    package static let bandLimit = 0.667
    package static let bandPower = 1.6667
    package static let bandStiffness = 3.0
    /// How far a tap lifts a page that has nothing on its other side, of two stages.
    package static let tapBump = 1.0 / 3

    // MARK: Rosetta Stone, Interactive card flip

    /// The least and the greatest speed of a card that was let go, in whole turns per duration.
    package static let cardSpeeds = 1.0...4.0
    /// The time in which a card's speed approaches its target, in seconds.
    package static let cardSettling = 0.2
    /// The step of the card's motion, in seconds: the display's refresh, at which the original moves the card.
    package static let cardStep = 1.0 / 60

    // MARK: CEHorizontalSwipeInteractionController, of VCTransitionsLibrary

    /// The way of a whole swipe, in pixels.
    package static let swipeWay = 200.0
    /// The most that a swipe reaches while the finger is down.
    package static let swipeLimit = 0.99
    /// The part of the way beyond which a swipe completes.
    package static let swipeHalf = 0.5

    // MARK: MPFold's touch project, CEPinchInteractionController, and Tuts+ 3D page folding

    /// The speed of a pinch, in whole progress a second, above which it decides.
    package static let pinchSpeed = 1.0
    /// How far a tap closes the book of spine-fold, in degrees of each of the two stages' 90.
    package static let tapDegrees = 7.5

    // MARK: Systems of pointers

    /// How far a pointer moves before its movement is a drag and no tap: UIKit's pan recognizer begins after 10 points.
    package static let slop = 10.0
    /// The time over which speeds are measured, in milliseconds: the horizon of Android's VelocityTracker, which
    /// Chromium uses as well.
    package static let speedWindow = 100.0
    /// How far the wheel turns for a pinch by a factor of e, in CSS pixels: Chromium sends -100 ln(scale).
    package static let wheelScale = 100.0
    /// The pause after which a pinch with the wheel has ended, in milliseconds, since no event says so. Our own: events
    /// come every 8 to 16 ms, and less often only where a hand has stopped.
    package static let wheelPause = 200.0
}
