import type { Point } from "./Frames.ts"

/** The context and cost of a session from a moment on, until the next point. */

const pointsMost = 400
/** Milliseconds within which changes are one point: figures change with each line of a transcript. */
const pace = 5_000

/** The points with the figures since `point.at`. Unchanged figures add no point. */
export const withPoint = (points: ReadonlyArray<Point>, point: Point): ReadonlyArray<Point> => {
  const last = points.at(-1)
  if (last === undefined) return point.context === null && point.usd === null ? points : [point]
  if ((last.context === point.context && last.usd === point.usd) || point.at < last.at) return points
  const before = points.at(-2)
  // The point before the last one shows the figures until then.
  const isSoon = point.at - last.at < pace && before !== undefined
  return [...(isSoon ? points.slice(0, -1) : points).slice(1 - pointsMost), isSoon ? { ...point, at: last.at } : point]
}

export type FigureName = "context" | "usd"

export interface Step {
  readonly from: number
  readonly to: number
  readonly value: number
}

/** The values of a figure between two times; none while it is unknown. */
export const stepsOf = (
  points: ReadonlyArray<Point>,
  name: FigureName,
  begin: number,
  end: number
): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  points.forEach((point, index) => {
    const value = point[name]
    const step = { from: Math.max(begin, point.at), to: Math.min(end, points[index + 1]?.at ?? end), value: value ?? 0 }
    if (value === null || step.to <= step.from) return
    const last = steps.at(-1)
    if (last?.value === value && last.to === step.from) steps[steps.length - 1] = { ...last, to: step.to }
    else steps.push(step)
  })
  return steps
}

export interface Course {
  readonly first: number
  readonly last: number
  readonly least: number
  readonly most: number
  /** The sum of its growth. After a fall it counts again from zero. */
  readonly grown: number
}

export const courseOf = (steps: ReadonlyArray<Step>): Course | null => {
  const [first, ...others] = steps.map(({ value }) => value)
  if (first === undefined) return null
  const all = [first, ...others]
  let grown = 0
  all.forEach((value, index) => {
    const before = all[index - 1]
    if (before !== undefined) grown += value >= before ? value - before : value
  })
  return { first, last: all.at(-1) ?? first, least: Math.min(...all), most: Math.max(...all), grown }
}

/** The steps in a box of this size as an SVG path: a line for each value, joined where they touch. */
export const stepPath = (
  steps: ReadonlyArray<Step>,
  {
    begin,
    end,
    height,
    top,
    width
  }: {
    readonly begin: number
    readonly end: number
    readonly width: number
    readonly height: number
    readonly top: number
  }
): string => {
  const x = (at: number): string => (((at - begin) / (end - begin)) * width).toFixed(1)
  const y = (value: number): string => (height - (Math.min(value, top) / top) * height).toFixed(1)
  return steps
    .map(({ from, to, value }, index) => {
      const joins = steps[index - 1]?.to === from
      return `${joins ? `V${y(value)}` : `M${x(from)} ${y(value)}`}H${x(to)}`
    })
    .join("")
}

/** The lowest readable upper edge with room for this value: 0.1, 0.2, 0.5, 1, 2, 5 … */
export const niceTop = (value: number): number => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const found = [1, 2, 5, 10].map((step) => step * power).find((top) => top >= value) ?? value
  return Number(found.toPrecision(6))
}
