import XtermHeadless, { type IBufferLine } from "@xterm/headless"
import { coloursOf, escaped, ground, text } from "./pens.ts"

/** What of the screen is drawn in which place, as SVG without that place; `x`, `y`: in pixels. */
interface Piece {
  readonly drawing: string
  readonly y: number
}
type Span = readonly [from: number, to: number]

const [cellWidth, cellHeight, fontSize] = [8.4, 18, 14]
const [margin, captionHeight] = [12, 34]
/** Output that follows within this time is one frame with what came before, in seconds. */
const frameGap = 0.12
/** How long the last frame stays before all begins again, in seconds. */
const hold = 4

/** Characters that many fonts lack, and what is drawn for them. */
const likenesses: Readonly<Record<string, string>> = { "⎿": "└", "⏸": "‖", "⏵": "▸" }

const px = (value: number): string => String(Number(value.toFixed(1)))

/** A row of the screen: its grounds, then its texts, a run of one look each. */
const rowOf = (line: IBufferLine | undefined, cols: number): string => {
  interface Run {
    readonly at: number
    readonly look: string
    readonly paper: string
    chars: string
    width: number
  }
  const runs: Array<Run> = []
  for (let x = 0; x < cols; x++) {
    const cell = line?.getCell(x)
    if (cell === undefined || cell.getWidth() === 0) continue
    const { ink, paper } = coloursOf(cell)
    const chars = likenesses[cell.getChars()] ?? (cell.getChars() || " ")
    const look =
      (ink === text ? "" : ` fill="${ink}"`) +
      (cell.isBold() === 0 ? "" : ' font-weight="700"') +
      (cell.isDim() === 0 ? "" : ' opacity=".65"') +
      (cell.isUnderline() === 0 ? "" : ' text-decoration="underline"')
    const last = runs.at(-1)
    if (last !== undefined && last.paper === paper && (last.look === look || chars === " ")) {
      last.chars += chars
      last.width += cell.getWidth()
    } else runs.push({ at: x, look, paper, chars, width: cell.getWidth() })
  }
  const papers = runs
    .filter(({ paper }) => paper !== ground)
    .map(
      ({ at, paper, width }) =>
        `<rect x="${px(at * cellWidth)}" width="${px(width * cellWidth)}" height="${cellHeight}" fill="${paper}"/>`
    )
  const texts = runs.flatMap(({ at, chars, look, width }) => {
    const shown = chars.trimEnd()
    if (shown === "") return []
    // each in its place, whatever the reader's font makes of its characters
    const length = (width - (chars.length - shown.length)) * cellWidth
    return `<text x="${px(at * cellWidth)}" y="14" textLength="${px(length)}"${look}>${escaped(shown)}</text>`
  })
  return [...papers, ...texts].join("")
}

/** What is shown when: pieces of all frames, by the stretches of time that each is on screen. */
const piecesOf = async (cast: string) => {
  const [head = "", ...lines] = cast.trim().split("\n")
  const { height, width } = JSON.parse(head) as { readonly height: number; readonly width: number }
  const terminal = new XtermHeadless.Terminal({ cols: width, rows: height, allowProposedApi: true, scrollback: 0 })
  const events = lines.map((line) => JSON.parse(line) as readonly [at: number, code: string, data: string])
  const end = (events.at(-1)?.[0] ?? 0) + hold
  const shown = new Map<string, { readonly piece: Piece; readonly spans: Array<Span> }>()
  const since = new Map<string, readonly [piece: Piece, from: number]>()
  const put = (place: string, at: number, piece: Piece | null) => {
    const before = since.get(place)
    if (before?.[0].drawing === piece?.drawing && before?.[0].y === piece?.y) return
    if (before !== undefined) {
      const key = `${before[0].y} ${before[0].drawing}`
      const known = shown.get(key) ?? { piece: before[0], spans: [] }
      shown.set(key, { ...known, spans: [...known.spans, [before[1], at]] })
    }
    if (piece === null || piece.drawing === "") since.delete(place)
    else since.set(place, [piece, at])
  }
  const frame = (at: number) => {
    for (let y = 0; y < height; y++)
      put(String(y), at, { drawing: rowOf(terminal.buffer.active.getLine(y), width), y: margin + y * cellHeight })
    const { cursorX, cursorY } = terminal.buffer.active
    const size = `width="${cellWidth}" height="${cellHeight}"`
    const cursor = `<rect x="${px(cursorX * cellWidth)}" ${size} opacity=".6"/>`
    put("cursor", at, hasCursor ? { drawing: cursor, y: margin + cursorY * cellHeight } : null)
  }
  const captionY = margin * 1.5 + height * cellHeight
  let framed = 0
  let hasCursor = true
  for (const [index, [at, code, data]] of events.entries()) {
    if (code === "o") {
      await new Promise<void>((resolve) => terminal.write(data, resolve))
      // a sequence that two pieces of output share is one that this does not see
      hasCursor = /^[^]*\x1b\[\?25([hl])/.exec(data)?.[1]?.startsWith("h") ?? hasCursor
    }
    if (code === "m" && data.startsWith("note:"))
      put("caption", at, { drawing: `<text y="20" class="c">${escaped(data.slice(5))}</text>`, y: captionY })
    const next = events[index + 1]?.[0] ?? Infinity
    if (next - at < frameGap && next - framed < frameGap * 2) continue
    frame(at)
    framed = at
  }
  for (const place of since.keys()) put(place, end, null)
  terminal.dispose()
  return {
    shown: [...shown.values()],
    end,
    width: width * cellWidth + 2 * margin,
    height: captionY + captionHeight
  }
}

const isAt = (spans: ReadonlyArray<Span>, at: number): boolean => spans.some(([from, to]) => from <= at && at < to)

/**
 * A recording as a picture that moves by itself, over and over, and needs no script: what GitHub shows as an image.
 * Where nothing moves (programs that only draw it, browsers that hand on a wish for less motion) it shows the moment
 * `still`, in seconds. Markers of the form `note:TEXT` are told below the screen.
 */
export const castSvg = async (cast: string, title: string, still: number): Promise<string> => {
  const { end, height, shown, width } = await piecesOf(cast)
  const names = new Map<string, string>()
  const named = (kind: string, of: string): string => {
    const name = names.get(kind + of) ?? `${kind}${names.size.toString(36)}`
    names.set(kind + of, name)
    return name
  }
  const uses = shown.map(({ piece: { drawing, y }, spans }) => {
    const place = `href="#${named("d", drawing)}" x="${margin}" y="${y}"`
    if (spans.length === 1 && spans[0]?.[0] === 0 && spans[0][1] === end) return `<use ${place}/>`
    return `<use ${place} class="${isAt(spans, still) ? "" : "h "}${named("k", JSON.stringify(spans))}"/>`
  })
  const kind = (of: string) =>
    [...names].flatMap(([key, name]) => (key.startsWith(of) ? [[key.slice(1), name] as const] : []))
  const percent = (at: number) => `${Number(((at / end) * 100).toFixed(2))}%`
  const moves = kind("k").map(([key, name]) => {
    const steps = (JSON.parse(key) as ReadonlyArray<Span>).flatMap(([from, to]) => [
      `${percent(from)}{visibility:visible}`,
      `${percent(to)}{visibility:hidden}`
    ])
    const first = steps[0]?.startsWith("0%") === true ? "" : "0%{visibility:hidden}"
    return `.${name}{animation:${name} ${px(end)}s step-end infinite}@keyframes ${name}{${first}${steps.join("")}}`
  })
  const style =
    `text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}` +
    ".c{font:600 15px system-ui,sans-serif;fill:#facc15}.h{visibility:hidden}" +
    moves.join("") +
    "@media(prefers-reduced-motion:reduce){use{animation:none!important}}"
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" ` +
    `height="${px(height)}" fill="${text}" role="img" aria-labelledby="t"><title id="t">${escaped(title)}</title><style>${style}</style>` +
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>` +
    `<defs>${kind("d")
      .map(([drawing, name]) => `<g id="${name}">${drawing}</g>`)
      .join("")}</defs>${uses.join("")}</svg>\n`
  )
}

/** README's moving picture. It stands still at the dialog, in which the queued message waits. */
export const mainJob = (cast: string): Promise<string> => {
  const asks = cast.split("\n").find((line) => line.includes("note:It asks"))
  const [at = 0] = asks === undefined ? [] : (JSON.parse(asks) as readonly [number])
  return castSvg(
    cast,
    "A message is queued while Claude Code works, waits in its dialog, and is typed after the turn",
    at + 1
  )
}
