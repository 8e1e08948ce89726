import FlipGeometry

/// Draws rows of frames with a bent sheet, with the buffers of one thread.
final class BentComposer {
    let buffers = BentRowBuffers()
    let kernels: KernelTable
    private var row: BentRow?

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Draws the rows of a job.
    func draw(_ rows: Range<Int>, layout index: Int, _ plan: BentPlan, _ context: FrameContext) {
        let layout = plan.layouts[index]
        let row = self.row ?? BentRow(plan, layout, context, self)
        self.row = row
        row.prepare(plan, layout, context)
        for number in rows { row.draw(number) }
    }
}
