import { fromProcStat, type ProcessRecord } from "./ProcessRecord.ts"

/** What the name of a spool file says: `<Event>,<writer>,<parent>,<count>`. */
export interface HookFileName {
  readonly event: string
  /** The pid of the script that wrote it, or of a CLI whose plugin did. */
  readonly writer: number
  /** How many the writer had written before. */
  readonly count: number
  /** The pid that called the script. */
  readonly parent: number
}

/** A spool file: who called, and the payload as the CLI gave it. */
export interface HookFile extends HookFileName {
  /** The calling process, as it was while the hook ran; null where the script could not tell. */
  readonly caller: ProcessRecord | null
  readonly raw: string
  /** The parsed payload; null when it is not JSON. */
  readonly payload: unknown
}

/** Reads the name of a spool file or of its mark; null for a file that is none of ours. */
export const parseName = (name: string): HookFileName | null => {
  const match = /^([A-Za-z0-9_:-][A-Za-z0-9_.:-]*),(\d+),(\d+),(\d+)$/.exec(name)
  return match === null ? null : { event: match[1] ?? "", writer: Number(match[2]), parent: Number(match[3]), count: Number(match[4]) }
}

/** The hidden name under which the script writes what `mark` stands for. */
export const dataName = (mark: string): string => `.${mark}`

/** The mark of a hidden spool file; null for any other name. */
export const markOf = (name: string): string | null =>
  name.startsWith(".") && parseName(name.slice(1)) !== null ? name.slice(1) : null

/**
 * The file to which a script adds a line, the mark's name, instead of making the mark, where there is such a file: for a file
 * that is made for each event and deleted, some file systems take longer than for all else that an event costs. A script of an
 * older leap, or one whose line could not be written, makes the mark.
 */
export const bellFile = "bell"

const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return null
  }
}

/** Reads a spool file. Nothing in it is trusted: what does not fit is payload, and what is no JSON stays text. */
export const parseFile = (name: HookFileName, text: string): HookFile => {
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
  return { ...name, caller, raw, payload: parsed(raw) }
}

/** A spool file as it is put in order: when it was finished, to the nanosecond where the file system keeps them. */
export interface HookArrival {
  readonly at: bigint
  readonly writer: number
  readonly count: number
}

/**
 * Oldest first. File systems may keep time no finer than a few milliseconds; within one instant the writers' pids tell,
 * which the system gives out in rising order, and of one writer the count. A wide gap between two pids of the same
 * instant means they started over.
 */
export const byArrival = (a: HookArrival, b: HookArrival): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  if (a.writer === b.writer) return a.count - b.count
  const gap = a.writer - b.writer
  return Math.abs(gap) > 10_000 ? -gap : gap
}
