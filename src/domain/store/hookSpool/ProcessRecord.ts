/** The operating system's record of one process. `birth` distinguishes it from a later one with the same pid. */
export interface ProcessRecord {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Its session; null if the system does not show it. */
  readonly session: number | null
  /** Its controlling terminal and that terminal's foreground group; null without one. */
  readonly terminal: string | null
  readonly foreground: number | null
  /** Its start in the system's own notation, only to be compared for equality; null if unknown. */
  readonly birth: string | null
  readonly name: string
  /** It is dead, but not yet reaped by its parent: it has a pid, and accepts signals. */
  readonly isZombie: boolean
}

const natural = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null

/** Reads a line of `/proc/<pid>/stat`; null if malformed. The name may contain parentheses and spaces. */
export const fromProcStat = (line: string): ProcessRecord | null => {
  const open = line.indexOf(" (")
  const close = line.lastIndexOf(") ")
  if (open < 0 || close < open) return null
  const fields = line
    .slice(close + 2)
    .trimEnd()
    .split(" ")
  const [pid, parent, group, session, birth] = [
    natural(line.slice(0, open)),
    natural(fields[1]),
    natural(fields[2]),
    natural(fields[3]),
    natural(fields[19])
  ]
  if (pid === null || parent === null || group === null || session === null || birth === null) return null
  const terminal = fields[4] ?? "0"
  return {
    pid,
    parent,
    group,
    session,
    terminal: terminal === "0" ? null : terminal,
    foreground: natural(fields[5]),
    birth: String(birth),
    name: line.slice(open + 2, close),
    isZombie: /^[ZX]/.test(fields[0] ?? "")
  }
}

/** The columns that {@link fromPs} reads, for `ps -o`; each without a heading. */
export const psColumns = ["pid", "ppid", "pgid", "tpgid", "stat", "tty", "lstart", "comm"] as const

/** Reads a line of `ps`; null if malformed. */
export const fromPs = (line: string): ProcessRecord | null => {
  const match =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+[\d:]+\s+\d{4})\s+(.+?)\s*$/.exec(line)
  if (match === null) return null
  const [, pid, parent, group, foreground, state = "", tty = "", started = "", command = ""] = match
  const terminal = /^\?+$|^-$/.test(tty) ? null : tty
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    session: null,
    terminal,
    foreground: terminal === null ? null : natural(foreground),
    birth: started.replace(/\s+/g, " "),
    // A login shell's name is `-zsh`.
    name: command.replace(/^-/, "").replace(/^.*\//, ""),
    isZombie: state.startsWith("Z")
  }
}

export const familyOf = (
  roots: ReadonlyArray<number>,
  all: ReadonlyArray<ProcessRecord>
): ReadonlyArray<ProcessRecord> => {
  const members = new Set(roots)
  for (let before = -1; before !== members.size;) {
    before = members.size
    for (const { parent, pid } of all) if (members.has(parent)) members.add(pid)
  }
  return all.filter(({ pid }) => members.has(pid))
}
