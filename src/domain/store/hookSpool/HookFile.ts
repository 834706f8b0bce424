import { exactJson } from "../../words/formats/ExactJson.ts"
import { fromProcStat, type ProcessRecord } from "./ProcessRecord.ts"

/** The parts of a spool file's name: `<Event>,<writer>,<parent>,<count>`. */
export interface HookFileName {
  readonly event: string
  /** The pid of the script that wrote it, or of a CLI whose plugin did. */
  readonly writer: number
  /** Distinguishes files of one writer, and of an earlier process with its pid. The later file has the higher one. */
  readonly count: number
  /** The pid that called the script. */
  readonly parent: number
}

export interface HookFile extends HookFileName {
  /** The calling process, as it was while the hook ran; null if the script could not read it. */
  readonly caller: ProcessRecord | null
  readonly raw: string
  readonly payload: unknown
  /** Why `payload` may differ from what the CLI means, for people; null if it is certain. */
  readonly flaw: string | null
}

export const parseName = (name: string): HookFileName | null => {
  const match = /^([A-Za-z0-9_:-][A-Za-z0-9_.:-]*),(\d+),(\d+),(\d+)$/.exec(name)
  return match === null
    ? null
    : { event: match[1] ?? "", writer: Number(match[2]), parent: Number(match[3]), count: Number(match[4]) }
}

export const dataName = (mark: string): string => `.${mark}`

export const markOf = (name: string): string | null =>
  name.startsWith(".") && parseName(name.slice(1)) !== null ? name.slice(1) : null

/**
 * If this file exists, a script appends the mark's name to it as a line instead of creating the mark: on some file
 * systems, creating and deleting a file for each event costs more than everything else. A script of an older leap, or
 * one that could not write its line, creates the mark.
 */
export const bellFile = "bell"

/** Reads a spool file. Without a header all is payload (null if not JSON). `damage`: what decoding lost. */
export const parseFile = (name: HookFileName, text: string, damage: string | null = null): HookFile => {
  let raw = text
  let caller: ProcessRecord | null = null
  const header = `leap-hook 1 ${name.event} ${name.parent}\n`
  if (raw.startsWith(header)) {
    raw = raw.slice(header.length)
    const end = raw.indexOf("\n")
    const record = end > 0 && raw.startsWith(`${name.parent} (`) ? fromProcStat(raw.slice(0, end)) : null
    if (record !== null) {
      caller = record
      raw = raw.slice(end + 1)
    }
  }
  const { flaw, value } = exactJson(raw)
  return { ...name, caller, raw, payload: value, flaw: damage ?? flaw }
}

/** The sort key of a spool file. `at`: when it was finished, in nanoseconds since the epoch. */
export interface HookArrival {
  readonly at: bigint
  readonly writer: number
  readonly count: number
}

/**
 * Orders files, oldest first. Some file systems keep times only to a few milliseconds. Within one instant the writers'
 * pids decide, which the system assigns in rising order, and for one writer the count. A wide gap between two pids of
 * one instant means that the pids have wrapped around.
 */
export const byArrival = (a: HookArrival, b: HookArrival): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  if (a.writer === b.writer) return a.count - b.count
  const gap = a.writer - b.writer
  return Math.abs(gap) > 10_000 ? -gap : gap
}
