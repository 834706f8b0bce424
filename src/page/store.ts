import { batch, computed, signal } from "@preact/signals"
import { clashesOf } from "../domain/words/session/WriteClashes.ts"
import { withPoint } from "../domain/surfaces/web/Figures.ts"
import type { CallName } from "../domain/surfaces/operations/calls.ts"
import { byNeed, needing } from "../domain/words/attention/needOrder.ts"
import { groupOf, type SessionGroup, sessionGroups } from "../domain/words/attention/sessionGroups.ts"
import { extend, type Timeline } from "../domain/surfaces/web/Timeline.ts"
import type { Point, ServerFrame, WebSession, Wish } from "../domain/surfaces/web/Frames.ts"
import { clashWords, hasWords, stateWords } from "./words.ts"

/** `quiet`: nothing is heard; `lost`: it is tried again; `locked`: the server does not know this browser. */
export type Connection = "opening" | "open" | "quiet" | "lost" | "locked"

export const connection = signal<Connection>("opening")
/** When the server was last heard, by this machine's clock, once what is shown may be old. */
export const heardAt = signal<number | null>(null)
/** The pushes to this device, as the server knows them. */
export const pushes = signal<Extract<ServerFrame, { readonly _tag: "Pushes" }> | null>(null)
export const lostWhy = signal("")
export const version = signal("")
/** The operations and requests that this browser may make. */
export const allowed = signal<ReadonlySet<string>>(new Set())
export const may = (name: CallName | Wish["_tag"]): boolean => allowed.value.has(name)
export const sessions = signal<ReadonlyMap<string, WebSession>>(new Map())
/** Whether the server has sent its sessions: before that there is no number to show. */
export const isKnown = signal(false)
export const timeline = signal<Timeline>(new Map())
export const figures = signal<ReadonlyMap<string, ReadonlyArray<Point>>>(new Map())
export const minutes = signal(15)
/** How far the server's clock is ahead, in milliseconds. */
export const clockAhead = signal(0)
/** The time by the server's clock, in milliseconds since the epoch; each second. */
export const now = signal(Date.now())
/** The time in steps in which a timeline as thin as a row moves visibly. */
export const stripNow = computed(() => Math.ceil(now.value / 10_000) * 10_000)
export const filter = signal("")
/** The one group whose sessions are listed; null for all. */
export const onlyGroup = signal<SessionGroup | null>(null)
export const selectedTag = signal<string | null>(null)
/** Whether the changes of the selected session are shown in its place. */
export const reviewing = signal(false)
/** The last outcome, also for screen readers. */
export const announcement = signal("")
/** The shown screen; {@link unshownWhy}: why it is no longer shown. */
export const shown = signal<{
  readonly tag: string
  readonly typing: boolean
  readonly cols: number
  readonly rows: number
} | null>(null)
export const unshownWhy = signal<string | null>(null)

export const selected = computed(() => {
  const tag = selectedTag.value
  return tag === null ? null : (sessions.value.get(tag) ?? null)
})

const byName = new Intl.Collator("en", { numeric: true })

const needingNow = (tag: string, need: WebSession["needs"][number]) =>
  needing(tag, { ...need, since: Date.parse(need.since) })

export const inGroup = ({ needs, state }: WebSession): SessionGroup => groupOf(needs.length > 0, state)

/** The groups that have sessions, each with their number. */
export const groupCounts = computed(() => {
  const counts = Map.groupBy(sessions.value.values(), inGroup)
  return sessionGroups.flatMap((group) => {
    const count = counts.get(group)?.length ?? 0
    return count === 0 ? [] : [{ group, count }]
  })
})

/** Sessions that match the filter, in their groups; those that need the user in the order of their needs. */
export const grouped = computed(() => {
  const words = filter.value
  const fitting = [...sessions.value.values()]
    .filter((session) => hasWords(words, `${session.tag} ${session.cli} ${stateWords(session)} ${session.cwd}`))
    .sort((a, b) => {
      const [needOfA, needOfB] = [a.needs[0], b.needs[0]]
      return needOfA === undefined || needOfB === undefined
        ? byName.compare(a.tag, b.tag)
        : byNeed(needingNow(a.tag, needOfA), needingNow(b.tag, needOfB))
    })
  const byGroup = Map.groupBy(fitting, inGroup)
  return sessionGroups.flatMap((group) => {
    const members = onlyGroup.value === null || onlyGroup.value === group ? byGroup.get(group) : undefined
    return members === undefined ? [] : [{ group, members }]
  })
})
export const listed = computed(() => grouped.value.flatMap(({ members }) => members))

/** The sessions with recent writes: few of all. */
const writing = signal<ReadonlyMap<string, WebSession>>(new Map())
export const clashes = computed(() => clashesOf(writing.value.values(), now.value))

const noteWrites = (tag: string, session: WebSession | undefined): void => {
  const isWriting = session !== undefined && session.writes.length > 0
  if (!isWriting && !writing.value.has(tag)) return
  const next = new Map(writing.value)
  if (isWriting) next.set(tag, session)
  else next.delete(tag)
  writing.value = next
}

/** The files of the clashes at the last look. */
let known: ReadonlySet<string> = new Set()
/** Announces a new clash: the user may still stop one of the sessions. */
const announceClashes = (): void => {
  const before = known
  known = new Set([...clashes.value.values()].flatMap((own) => own.map(({ path }) => path)))
  for (const [tag, own] of clashes.value) {
    const fresh = own.find(({ path }) => !before.has(path))
    if (fresh === undefined) continue
    announcement.value = `${[tag, ...fresh.others].sort().join(" and ")} write the same file: ${fresh.path}`
    return
  }
}

const spansOf = (session: WebSession): void => {
  const before = timeline.value.get(session.tag) ?? []
  const after = extend(before, session.state, session.since)
  if (after !== before) timeline.value = new Map(timeline.value).set(session.tag, after)
}

const pointsOf = ({ figures: now, tag }: WebSession): void => {
  const before = figures.value.get(tag) ?? []
  const after = withPoint(before, { at: Date.now() + clockAhead.value, ...now })
  if (after !== before) figures.value = new Map(figures.value).set(tag, after)
}

const announce = (before: WebSession | undefined, session: WebSession): void => {
  const [need] = session.needs
  if (need === undefined || before?.needs[0]?.kind === need.kind) return
  const clash = clashes.value.get(session.tag)?.[0]
  announcement.value =
    `${session.tag} ${stateWords(session)}: ${need.text}` + (clash === undefined ? "" : `; ${clashWords(clash)}`)
}

const noted = (session: WebSession): void => {
  spansOf(session)
  pointsOf(session)
  noteWrites(session.tag, session)
}

/** Milliseconds in which changes are collected: hundreds of sessions change faster than anybody reads. */
const pause = 50
const changed = new Map<string, WebSession>()
let flushed = -pause
let flushing: ReturnType<typeof setTimeout> | null = null
const flush = (): void => {
  if (flushing !== null) clearTimeout(flushing)
  flushing = null
  flushed = performance.now()
  if (changed.size === 0) return
  batch(() => {
    const before = sessions.value
    sessions.value = new Map([...before, ...changed])
    for (const session of changed.values()) noted(session)
    for (const [tag, session] of changed) announce(before.get(tag), session)
    changed.clear()
    announceClashes()
  })
}

/** Takes a frame of the server, except those of screens. */
export const take = (frame: ServerFrame): void => {
  switch (frame._tag) {
    case "Hello":
      connection.value = "open"
      lostWhy.value = ""
      version.value = frame.version
      allowed.value = new Set(frame.may)
      clockAhead.value = frame.now - Date.now()
      now.value = frame.now
      return
    case "Pushes":
      pushes.value = frame
      return
    case "Sessions":
      changed.clear()
      timeline.value = new Map(frame.timeline.map(({ spans, tag }) => [tag, spans]))
      figures.value = new Map(frame.figures.map(({ points, tag }) => [tag, points]))
      sessions.value = new Map(frame.sessions.map((session) => [session.tag, session]))
      isKnown.value = true
      writing.value = new Map()
      for (const session of frame.sessions) noted(session)
      announceClashes()
      return
    case "Changed":
      changed.set(frame.session.tag, frame.session)
      flushing ??= setTimeout(flush, Math.max(0, flushed + pause - performance.now()))
      return
    case "Gone": {
      flush()
      noteWrites(frame.tag, undefined)
      const [rest, spans, points] = [new Map(sessions.value), new Map(timeline.value), new Map(figures.value)]
      rest.delete(frame.tag)
      spans.delete(frame.tag)
      points.delete(frame.tag)
      sessions.value = rest
      timeline.value = spans
      figures.value = points
      return
    }
  }
}
