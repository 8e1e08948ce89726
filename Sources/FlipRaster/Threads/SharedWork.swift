/// Work that the threads of a crew do together, in parts that don't depend on each other.
protocol SharedWork: AnyObject {
    /// The number of parts.
    var count: Int { get }

    /// Does one part, in any thread, with that thread's buffers.
    func perform(_ part: Int, _ worker: Worker)
}
