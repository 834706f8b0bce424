import { useSignal } from "@preact/signals"
import { courseOf, type FigureName, niceTop, type Step, stepPath, stepsOf } from "../domain/surfaces/web/Figures.ts"
import { figures, minutes, now } from "./store.ts"
import { WindowSelect } from "./WindowSelect.tsx"
import { duration, timeOfDay } from "./words.ts"

const width = 1000
const height = 120
/** Rows of a chart's table: the latest. */
const rowsMost = 50

interface Kind {
  readonly name: FigureName
  readonly title: string
  readonly text: (value: number) => string
  readonly top: (most: number) => number
  readonly marks: ReadonlyArray<number>
}

const kinds: ReadonlyArray<Kind> = [
  {
    name: "context",
    title: "Context",
    text: (value) => `${value} %`,
    top: (most) => Math.max(100, most),
    // The same as in the monitor: a context that fills, and one that is nearly full.
    marks: [70, 90]
  },
  { name: "usd", title: "Cost", text: (value) => `$${value.toFixed(value < 10 ? 2 : 1)}`, top: niceTop, marks: [] }
]

interface Shown {
  readonly kind: Kind
  readonly tag: string
  readonly steps: ReadonlyArray<Step>
  readonly begin: number
  readonly end: number
}

const sentence = ({ kind: { text, title }, steps, tag }: Shown): string => {
  const course = courseOf(steps)
  return course === null
    ? `${title} of ${tag}: not known in this time`
    : `${title} of ${tag}: ${text(course.last)} now, ${text(course.first)} at the beginning, ` +
        `between ${text(course.least)} and ${text(course.most)}`
}

const Chart = (shown: Shown) => {
  const { begin, end, kind, steps } = shown
  const course = courseOf(steps)
  if (course === null) return <p class="hint">{sentence(shown)}</p>
  const top = kind.top(course.most)
  const y = (value: number) => height - (value / top) * height
  return (
    <div class="figure" role="img" tabIndex={0} aria-label={sentence(shown)}>
      <p>
        <span>{kind.text(top)}</span>
        <span>{kind.text(0)}</span>
      </p>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} preserveAspectRatio="none" aria-hidden="true">
        {kind.marks.map((mark) => (
          <line key={mark} class="mark" x1={0} x2={width} y1={y(mark)} y2={y(mark)} />
        ))}
        <path class="course" d={stepPath(steps, { begin, end, width, height, top })} />
      </svg>
      <p>
        <span>{timeOfDay(begin)}</span>
        <span>{timeOfDay(end)}</span>
      </p>
    </div>
  )
}

const Table = (shown: Shown) => {
  const { kind, steps, tag } = shown
  const course = courseOf(steps)
  const name = `${kind.title} of ${tag} as a table`
  return (
    <details>
      <summary>{name}</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table>
          <caption>
            {sentence(shown)}
            {course !== null && kind.name === "usd" ? `; ${kind.text(course.grown)} in this time` : ""}
          </caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">{kind.title}</th>
            </tr>
          </thead>
          <tbody>
            {steps.slice(-rowsMost).map(({ from, to, value }) => (
              <tr key={from}>
                <th scope="row">{timeOfDay(from)}</th>
                <td>{timeOfDay(to)}</td>
                <td class="number">{kind.text(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const Whole = ({ tag }: { readonly tag: string }) => {
  const end = now.value
  const begin = end - minutes.value * 60_000
  const points = figures.value.get(tag) ?? []
  if (points.length === 0) return <p class="hint">neither is known: the CLI does not tell, or has not begun</p>
  return (
    <>
      <WindowSelect />
      {kinds.map((kind) => {
        const shown = { kind, tag, begin, end, steps: stepsOf(points, kind.name, begin, end) }
        return (
          <div key={kind.name}>
            <h3>
              {kind.title}, the last {duration(minutes.value * 60_000)}
            </h3>
            <Chart {...shown} />
            <Table {...shown} />
          </div>
        )
      })}
    </>
  )
}

export const Charts = ({ tag }: { readonly tag: string }) => {
  const isOpen = useSignal(false)
  return (
    <details class="charts" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>Context and cost</summary>
      {isOpen.value ? <Whole tag={tag} /> : null}
    </details>
  )
}
