/** One line of the benchmark: leap's figure, and that of the same work without leap in the same run. */
export interface Row {
  readonly what: string
  readonly unit: "ms" | "k/s" | "MB/s" | "MB" | "kB" | "per second" | "per minute" | "% of a core"
  readonly leap: number
  readonly base: { readonly what: string; readonly value: number } | null
}

const figure = (value: number) =>
  value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 0.1
        ? value.toFixed(2)
        : value.toPrecision(2)

/** The rows as an aligned table; the ratio is leap's figure divided by the bare one. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const cells = [
    ["what", "unit", "leap", "bare", "ratio", "bare is"],
    ...rows.map(({ base, leap, unit, what }) => [
      what,
      unit,
      figure(leap),
      base === null ? "" : figure(base.value),
      base === null || base.value === 0 ? "" : `${figure(leap / base.value)}×`,
      base?.what ?? ""
    ])
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, column) =>
        column >= 2 && column <= 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd()
  return [line(cells[0] ?? []), widths.map((width) => "-".repeat(width)).join("  "), ...cells.slice(1).map(line)].join(
    "\n"
  )
}

/** The value below which this share of the samples lies. */
export const quantile = (samples: ReadonlyArray<number>, share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: ReadonlyArray<number>): number => quantile(samples, 0.5)
