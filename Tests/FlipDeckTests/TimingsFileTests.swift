import FlipDeck
import Testing

@Suite struct TimingsFileTests {}
