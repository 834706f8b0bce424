/** Milliseconds during which other sessions are told of a write. */
export const writeWindow = 10 * 60_000

export interface WritingSession {
  readonly tag: string
  readonly state: string
  readonly writes?: ReadonlyArray<{ readonly path: string; readonly at: string }> | undefined
}

export interface Clash {
  readonly path: string
  readonly others: ReadonlyArray<string>
  /** The latest of all their writes, in milliseconds since the epoch. */
  readonly at: number
}

/** The files that several running sessions are writing or just wrote, by each session's tag, the latest first. */
export const clashesOf = (
  sessions: Iterable<WritingSession>,
  now: number
): ReadonlyMap<string, ReadonlyArray<Clash>> => {
  const writers = new Map<string, Map<string, number>>()
  for (const { state, tag, writes = [] } of sessions) {
    if (state === "exited") continue
    for (const { at, path } of writes) {
      const moment = Date.parse(at)
      if (Number.isNaN(moment) || now - moment > writeWindow) continue
      const known = writers.get(path) ?? new Map<string, number>()
      known.set(tag, Math.max(known.get(tag) ?? 0, moment))
      writers.set(path, known)
    }
  }
  const clashes = new Map<string, Array<Clash>>()
  for (const [path, tags] of writers) {
    if (tags.size < 2) continue
    const at = Math.max(...tags.values())
    for (const tag of tags.keys()) {
      const own = clashes.get(tag) ?? []
      own.push({ path, others: [...tags.keys()].filter((other) => other !== tag).toSorted(), at })
      clashes.set(tag, own)
    }
  }
  for (const own of clashes.values()) own.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1))
  return clashes
}
