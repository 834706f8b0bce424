import { Effect, Layer } from "effect"
import { fromLatin1, latin1ToText, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { parseMarker, parseSize } from "../../../src/domain/terminal/recording/Cast.ts"
import * as InputBytes from "../../../src/domain/terminal/sequences/InputBytes.ts"
import type { InputPart } from "../../../src/domain/terminal/sequences/InputBytes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { read, truthOf } from "./recordings.ts"

/**
 * What a frame shows, by the label of its recording and the keys that were pressed, and never by a reader: a dialog, a
 * picker, text that was typed and not sent, a turn's work, a prompt at rest; `other` where that cannot be told.
 */
export type Shows = "dialog" | "picker" | "draft" | "work" | "rest" | "other"

/** One frame of a real session, cut out of its recording. */
export interface Still {
  readonly name: string
  readonly shows: Shows
  readonly cols: number
  readonly rows: number
  /** Bytes (latin1) that draw it on a fresh terminal of its size. */
  readonly paint: string
  readonly lines: ReadonlyArray<string>
}

/** What came out of a CLI between two frames, as it came. */
export interface Clip {
  readonly from: Still
  readonly chunks: ReadonlyArray<{ readonly wait: number; readonly bytes: string }>
  readonly to: Still
}

/** What can be cut out of recordings of one CLI. */
export interface Footage {
  readonly cli: string
  readonly stills: ReadonlyArray<Still>
  readonly clips: ReadonlyArray<Clip>
  readonly hooks: ReadonlyArray<{ readonly event: string; readonly payload: unknown }>
  readonly statuses: ReadonlyArray<unknown>
  /** Program-status reports, as bytes. */
  readonly reports: ReadonlyArray<string>
}

const labels: Readonly<Record<string, Shows>> = {
  needs_permission: "dialog",
  needs_input: "dialog",
  picker: "picker",
  running: "work",
  idle: "rest"
}
/** After a change of its label a screen may lag behind it, and before the next run ahead. Seconds. */
const margin = 0.6
/**
 * After a key that may open or close it, a dialog may be drawn, or gone, before or after its label says so. Seconds.
 */
const lag = 1.5
/** One whose pickers only unfold text in place: the box stays and takes what is typed. */
const mislabelled: ReadonlySet<string> = new Set(["codex/local-commands"])
/** Longer output between two frames makes no clip. */
const clipLimit = 60_000

/** Text typed since the last Enter; null when what is in the box cannot be told, until then. */
const typedAfter = (typed: string | null, parts: ReadonlyArray<InputPart>): string | null =>
  parts.reduce((typed, part) => {
    if (part._tag !== "Keys") return typed
    if (part.kind === "enter") return ""
    return typed !== null && (part.kind === "text" || part.kind === "paste")
      ? typed + part.data.replace(/\u001b\[20[01]~/g, "")
      : null
  }, typed)

const squeeze = (text: string) => text.replace(/\s+/g, "")

interface Taken extends Pick<Footage, "stills" | "clips" | "hooks" | "statuses" | "reports"> {}

const cut = Effect.fnUntraced(function* (name: string) {
  const { header, lines } = read(name)
  const truth = truthOf(lines)
  const end = lines.at(-1)?.[0] ?? 0
  const moments = truth.flatMap(({ state, t: at }, i) => {
    const until = truth[i + 1]?.t ?? end
    const inside = [at + margin, (at + until) / 2, until - margin].filter(
      (t) => t >= at + margin && t <= until - margin
    )
    return inside.map((t) => ({ t, state, since: at }))
  })

  const size = { cols: header.width, rows: header.height }
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
  const stills: Array<Still> = []
  const clips: Array<Clip> = []
  const hooks: Array<Footage["hooks"][number]> = []
  const statuses: Array<unknown> = []
  const reports = new Set<string>()
  let input = InputBytes.start
  let typed: string | null = ""
  let typedAt = 0
  let chosenAt = -Infinity
  let chunks: Array<{ readonly at: number; readonly bytes: string }> | null = null as Array<{
    readonly at: number
    readonly bytes: string
  }> | null
  let from: Still | null = null
  let main: string | null = null

  const take = ({ since, state, t }: { t: number; state: string; since: number }) => {
    const view = screen.view()
    if (!view.whole) return
    const label = labels[state] ?? "other"
    const text = squeeze(latin1ToText(typed ?? "")).slice(-12)
    const drafted = text.length >= 3 && t - typedAt >= margin && squeeze(view.lines.join("")).includes(text)
    const calm = typed === "" && t - Math.max(since, typedAt) >= 2.5
    const shows =
      mislabelled.has(name) || view.lines.every((line) => line.trim() === "")
        ? "other"
        : label === "dialog" || label === "picker"
          ? t - chosenAt >= lag
            ? label
            : "other"
          : label !== "rest"
            ? label
            : drafted
              ? "draft"
              : calm
                ? "rest"
                : "other"
    const still: Still = {
      name: `${name}@${t.toFixed(1)}`,
      shows,
      ...size,
      paint: utf8ToLatin1(screen.repaint({ scrollback: false })),
      lines: view.lines
    }
    const length = chunks?.reduce((sum, chunk) => sum + chunk.bytes.length, 0) ?? Infinity
    if (from !== null && chunks !== null && chunks.length > 0 && length < clipLimit) {
      clips.push({
        from,
        to: still,
        chunks: chunks.map(({ at, bytes }, i) => ({
          wait: Math.max(0, at - (chunks?.[i - 1]?.at ?? at)) * 1000,
          bytes
        }))
      })
    }
    stills.push(still)
    from = still
    chunks = []
  }

  for (const [at, code, data] of lines) {
    while (moments[0] !== undefined && moments[0].t < at) take(moments.shift()!)
    if (code === "o") {
      const bytes = utf8ToLatin1(data)
      screen.feed(fromLatin1(bytes))
      chunks?.push({ at, bytes })
      for (const [report] of bytes.matchAll(/\u001b\]7501;state[^\u0007\u001b]*(?:\u0007|\u001b\\)/g))
        reports.add(report)
    } else if (code === "i") {
      const sorted = InputBytes.classify(input, utf8ToLatin1(data), at * 1000)
      input = sorted.state
      if (!sorted.parts.some((part) => part._tag === "Keys")) continue
      typed = typedAfter(typed, sorted.parts)
      typedAt = at
      if (sorted.parts.some((part) => part._tag === "Keys" && part.kind !== "navigate" && part.kind !== "text"))
        chosenAt = at
    } else if (code === "r") {
      const wanted = parseSize(data)
      if (wanted === null) continue
      screen.resize(wanted.cols, wanted.rows)
      Object.assign(size, wanted)
      chunks = null
    } else if (code === "m") {
      const marker = parseMarker(data)
      if (marker._tag === "OwnStatus") statuses.push(marker.content)
      if (marker._tag === "Hook") {
        // All sessions become one, so that none is taken for another's.
        main ??= /"session(?:_i|I)[dD]":"([^"]+)"/.exec(data)?.[1] ?? null
        const again = main === null ? marker : parseMarker(data.replaceAll(main, "the-session"))
        if (again._tag === "Hook") hooks.push({ event: again.event, payload: again.payload })
      }
    }
  }
  return { stills, clips, hooks, statuses, reports: [...reports] } satisfies Taken
}, Effect.scoped)

/** Everything that a list holds, once. */
const distinct = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(list.map((item) => [JSON.stringify(item), item])).values()
]
/** So many of a list, evenly. */
const spread = <A>(list: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!)

/** Cuts up recordings of one CLI, given by name. */
export const footageOf = Effect.fnUntraced(
  function* (cli: string, names: ReadonlyArray<string>) {
    const taken = yield* Effect.forEach(names, cut)
    const hooks = distinct(taken.flatMap((one) => one.hooks))
    const events = [...new Set(hooks.map(({ event }) => event))]
    return {
      cli,
      stills: taken.flatMap((one) => one.stills),
      clips: taken.flatMap((one) => one.clips),
      hooks: events.flatMap((event) =>
        spread(
          hooks.filter((hook) => hook.event === event),
          6
        )
      ),
      statuses: spread(distinct(taken.flatMap((one) => one.statuses)), 30),
      reports: spread(distinct(taken.flatMap((one) => one.reports)), 30)
    } satisfies Footage
  },
  Effect.provide(Layer.fresh(ScreenXterm.layer))
)
