interface Job {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** One clock, which the test moves, and what is to happen on the way. */
export abstract class Timeline {
  now: number
  private jobs: Array<Job> = []
  private order = 0

  constructor(now: number) {
    this.now = now
  }

  /** Nothing happens any more. */
  protected get over(): boolean {
    return false
  }

  protected at(at: number, run: () => void): void {
    this.jobs.push({ at, order: this.order++, run })
  }

  /** When something happens next. */
  get next(): number | null {
    return this.jobs.length === 0 ? null : Math.min(...this.jobs.map((job) => job.at))
  }

  /** Moves the clock, doing what is due on the way. */
  advance(to: number): void {
    for (;;) {
      const due = this.jobs.filter((job) => job.at <= to).sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (due === undefined) break
      this.jobs = this.jobs.filter((job) => job !== due)
      this.now = Math.max(this.now, due.at)
      if (!this.over) due.run()
    }
    this.now = Math.max(this.now, to)
  }
}
