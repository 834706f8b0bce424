/** One event of a session, as in an asciicast line. `at`: milliseconds since the epoch. */
export interface Recorded {
  readonly at: number
  /** `o` output, `i` input, `r` resize, `m` marker. */
  readonly code: "o" | "i" | "r" | "m"
  readonly data: string
}

export interface RecordingHeader {
  readonly tag: string
  readonly cli: string
  readonly cols: number
  readonly rows: number
  readonly version: string
  /** Milliseconds since the epoch of the first line. */
  readonly at: number
}

/** The whole second that a recording's times count from: asciicast has no finer timestamp. */
const baseOf = ({ at }: RecordingHeader): number => Math.floor(at / 1000) * 1000

export const headerLine = (header: RecordingHeader): string =>
  JSON.stringify({
    version: 2,
    width: header.cols,
    height: header.rows,
    timestamp: baseOf(header) / 1000,
    title: `leap ${header.tag}`,
    env: { TERM: "xterm-256color" },
    leap: { provider: header.cli, cli: header.cli, version: header.version }
  })

export const eventLine =
  (header: RecordingHeader) =>
  ({ at, code, data }: Recorded): string =>
    JSON.stringify([Math.max(0, Math.round(at - baseOf(header))) / 1000, code, data])
