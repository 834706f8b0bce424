import { tryOr } from "../../words/reading/tryOr.ts"

/** The files that processes have open, by `device:inode` in decimal, from the output of `lsof -F pDi`. */
export const filesInLsof = (output: string): ReadonlyMap<string, ReadonlySet<number>> => {
  const found = new Map<string, Set<number>>()
  let pid = 0
  let device: string | null = null
  for (const line of output.split("\n")) {
    const value = line.slice(1)
    if (line.startsWith("p")) pid = Number(value)
    else if (line.startsWith("f")) device = null
    else if (line.startsWith("D") && /^0x[\da-f]+$/.test(value)) device = String(BigInt(value))
    else if (line.startsWith("i") && device !== null && pid > 0) {
      const key = `${device}:${value}`
      found.set(key, (found.get(key) ?? new Set<number>()).add(pid))
    }
  }
  return found
}

/** Processes and their directories, of `lsof -d cwd -F pcn`, which writes what is not ASCII as `\xNN`. */
export const workersInLsof = (output: string) => {
  let [pid, name] = [0, "?"]
  return output.split("\n").flatMap((line) => {
    const value = line.slice(1)
    if (line.startsWith("p")) pid = Number(value)
    else if (line.startsWith("c")) name = value
    const path = value.replace(/(?:\\x[\da-f]{2})+/g, (bytes) =>
      tryOr(() => decodeURIComponent(bytes.replaceAll("\\x", "%")), bytes)
    )
    return line.startsWith("n") ? [{ pid, name, path }] : []
  })
}

/** Why a file is not free: who has it open (`pids`), or that nobody knows (null); null if it is free. */
export const openText = (pids: ReadonlyArray<number> | null): string | null =>
  pids === null
    ? "nobody can tell whether a process has it open (there is neither /proc nor lsof)"
    : pids.length === 0
      ? null
      : `process ${pids.join(", ")} has it open`
