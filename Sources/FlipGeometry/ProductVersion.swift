/// What program, libraries and plugins are.
public enum ProductVersion {
    /// By https://semver.org, such as `0.1.0`.
    public static let text = "0.1.0"
}
