import { useSignal } from "@preact/signals"
import type { Share } from "../domain/words/session/states.ts"
import { pieces, type Piece, totals } from "../domain/surfaces/web/Timeline.ts"
import { listed, minutes, now, stripNow, timeline } from "./store.ts"
import { WindowSelect } from "./WindowSelect.tsx"
import { duration, shareWords, timeOfDay } from "./words.ts"

const shares: ReadonlyArray<Share> = ["working", "waiting", "resting", "over"]
const width = 1000
const rowHeight = 22

/** Each share has a height and a pattern of its own, beside its colour. The page has the pattern once. */
export const Patterns = () => (
  <svg class="hidden" aria-hidden="true">
    <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="fill-waiting" width="6" height="6" />
      <rect class="hatch" width="2" height="6" />
    </pattern>
  </svg>
)
const shapes: Readonly<Record<Share, { readonly y: number; readonly height: number }>> = {
  working: { y: 4, height: 14 },
  waiting: { y: 1, height: 20 },
  resting: { y: 9, height: 4 },
  over: { y: 10, height: 2 }
}
interface BoxOptions {
  readonly share: Share
  readonly width: number
  readonly x: number
  readonly y: number
}
const Box = ({ share, width, x, y }: BoxOptions) => (
  <rect
    x={x}
    y={y + shapes[share].y}
    width={Math.max(1, width)}
    height={shapes[share].height}
    class={`fill-${share}`}
    {...(share === "waiting" ? { fill: "url(#hatch)" } : {})}
  />
)

interface Row {
  readonly tag: string
  readonly all: ReadonlyArray<Piece>
}

interface ChartOptions {
  readonly rows: ReadonlyArray<Row>
  readonly begin: number
  readonly end: number
}
const Chart = ({ begin, end, rows }: ChartOptions) => {
  const height = rows.length * rowHeight
  const at = (time: number) => ((time - begin) / (end - begin)) * width
  return (
    <div class="chart" aria-hidden="true">
      <ul>
        {rows.map(({ tag }) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} preserveAspectRatio="none">
        {rows.map(({ all, tag }, row) => (
          <g key={tag}>
            {all.map(({ from, share, to }) => (
              <Box key={from} share={share} x={at(from)} width={at(to) - at(from)} y={row * rowHeight} />
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

/** What a session did lately, as thin as its row. */
export const Strip = ({ tag }: { readonly tag: string }) => {
  const end = stripNow.value
  const begin = end - minutes.value * 60_000
  const at = (time: number) => ((time - begin) / (end - begin)) * width
  return (
    <svg viewBox={`0 0 ${width} ${rowHeight}`} height={rowHeight / 2} preserveAspectRatio="none" aria-hidden="true">
      {pieces(timeline.value.get(tag) ?? [], begin, end).map(({ from, share, to }) => (
        <Box key={from} share={share} x={at(from)} width={at(to) - at(from)} y={0} />
      ))}
    </svg>
  )
}

const Table = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => (
  <table>
    <caption>How long each session did what</caption>
    <thead>
      <tr>
        <th scope="col">Session</th>
        {shares.map((share) => (
          <th key={share} scope="col">
            {shareWords[share]}
          </th>
        ))}
        <th scope="col">waited for you from … to …</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ all, tag }) => {
        const sum = totals(all)
        const waits = all.filter(({ share }) => share === "waiting").slice(-10)
        return (
          <tr key={tag}>
            <th scope="row">{tag}</th>
            {shares.map((share) => (
              <td key={share} class="number">
                {sum[share] === 0 ? "–" : duration(sum[share])}
              </td>
            ))}
            <td>{waits.map(({ from, to }) => `${timeOfDay(from)} to ${timeOfDay(to)}`).join(", ")}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)

const Whole = () => {
  const end = now.value
  const begin = end - minutes.value * 60_000
  const isTable = useSignal(false)
  const rows = listed.value.map(({ tag }) => ({ tag, all: pieces(timeline.value.get(tag) ?? [], begin, end) }))
  return (
    <>
      <WindowSelect />
      {rows.length === 0 ? null : <Chart rows={rows} begin={begin} end={end} />}
      <ul class="legend" aria-hidden="true">
        {shares.map((share) => (
          <li key={share}>
            <svg width="30" height={rowHeight} viewBox={`0 0 30 ${rowHeight}`}>
              <Box share={share} x={0} width={30} y={0} />
            </svg>
            {shareWords[share]}
          </li>
        ))}
      </ul>
      <details onToggle={({ currentTarget }) => (isTable.value = currentTarget.open)}>
        <summary>The timeline as a table</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="The timeline as a table">
          {isTable.value ? <Table rows={rows} /> : null}
        </div>
      </details>
    </>
  )
}

/** Drawn on demand: with hundreds of sessions it is long. */
export const TimelinePanel = () => {
  const isOpen = useSignal(false)
  return (
    <details class="timeline" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>Timeline</summary>
      {isOpen.value ? <Whole /> : null}
    </details>
  )
}
