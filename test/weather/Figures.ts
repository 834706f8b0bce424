/** What a CLI's soak came to. */
export class Figures {
  readonly cli: string
  readonly kinds = new Set<string>()
  messages = 0
  answered = 0
  /** Messages that are finished as failed and were their own failure's, as leap says. */
  own = 0
  /** Messages whose bad reply was whole, and that the CLI took for an answer. */
  taken = 0
  /** Messages whose turn the user stopped, since the CLI would have waited for long. */
  stopped = 0
  /** What broke the law, each with what was seen. */
  readonly burnt: Array<string> = []
  readonly doubled: Array<string> = []
  readonly outOfOrder: Array<string> = []
  readonly unexplained: Array<string> = []
  readonly stalled: Array<string> = []
  /** Kinds of which leap said something else than what they are: no breach of the law. */
  readonly toldAs = new Map<string, string>()
  /** Milliseconds from the world's return to the next answered request: after the user's word; by itself. */
  readonly afterWord: Array<number> = []
  readonly byItself: Array<number> = []

  constructor(cli: string) {
    this.cli = cli
  }

  get breaches(): ReadonlyArray<string> {
    return [
      ...this.burnt.map((what) => `burnt: ${what}`),
      ...this.doubled.map((what) => `doubled: ${what}`),
      ...this.outOfOrder.map((what) => `out of order: ${what}`),
      ...this.unexplained.map((what) => `unexplained: ${what}`),
      ...this.stalled.map((what) => `stalled: ${what}`)
    ]
  }

  /** All of it, as people read it. */
  told(): string {
    const lines = [
      `${this.cli}: ${this.kinds.size} kinds, ${this.messages} messages, ${this.answered} answered, ` +
        `${this.own} finished as their own failure, ${this.taken} whose bad reply was taken for an answer, ` +
        `${this.stopped} stopped by the user; burnt ${this.burnt.length}, doubled ${this.doubled.length}, ` +
        `out of order ${this.outOfOrder.length}, unexplained ${this.unexplained.length}, stalled ${this.stalled.length}`,
      `  from the world's return to the next message: ${spread(this.afterWord)} after the user's word, ` +
        `${spread(this.byItself)} by itself`,
      ...(this.toldAs.size === 0
        ? []
        : ["  told as another kind:", ...[...this.toldAs].map(([kind, as]) => `    ${kind} as ${as}`)]),
      ...this.breaches.map((breach) => `  ${breach}`)
    ]
    return lines.join("\n")
  }
}

const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(1)} s`

const spread = (list: ReadonlyArray<number>): string => {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted.length === 0
    ? "never measured"
    : `median ${seconds(sorted[Math.floor(sorted.length / 2)])}, at most ${seconds(sorted.at(-1))} (${sorted.length})`
}
