// What can go wrong at an operation of a move.
import type { Fault } from "./relocation.ts"

const reads = new Set([
  "stat",
  "list",
  "readLink",
  "realPath",
  "isWritable",
  "head",
  "read",
  "compare",
  "byteAt",
  "record read"
])
const divisible = new Set(["copy", "append", "create", "extend"])

/** One way for an operation to go wrong. */
export interface Injection {
  readonly name: string
  readonly fault: Fault
  /** Every operation from this one on meets it. */
  readonly lasting: boolean
}

const fail = (code: string, lasting = false): Injection => ({
  name: lasting ? `${code} for good` : code,
  fault: { _tag: "fail", code },
  lasting
})

/**
 * What is tried at an operation. A disk can be full only for what writes, and a death leaves the same behind before one
 * read as before the next, so of those only the first after a write is tried.
 */
export const injections = (operations: ReadonlyArray<string>, k: number): ReadonlyArray<Injection> => {
  const operation = operations[k] ?? ""
  const last = operations[k - 1]
  const death: Injection = { name: "death", fault: { _tag: "die", torn: false }, lasting: true }
  if (reads.has(operation))
    return [fail(k % 2 === 0 ? "EIO" : "EACCES"), ...(last === undefined || !reads.has(last) ? [death] : [])]
  return [
    fail("EIO"),
    fail("EACCES"),
    fail("ENOSPC"),
    fail("EIO", true),
    death,
    ...(divisible.has(operation)
      ? [
          { name: "half, then ENOSPC", fault: { _tag: "half", code: "ENOSPC" } as const, lasting: false },
          { name: "death half way", fault: { _tag: "die", torn: true } as const, lasting: true }
        ]
      : [])
  ]
}
