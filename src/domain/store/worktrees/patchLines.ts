/**
 * A line of a patch. `at`: its number in the file (for a removed line in the former file); `was`: its number in the
 * former file. Null where it has none.
 */
export interface PatchLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "about"
  readonly text: string
  readonly at: number | null
  readonly was: number | null
}

export interface PatchFile {
  readonly name: string
  readonly added: number
  readonly removed: number
  readonly lines: ReadonlyArray<PatchLine>
}

const kinds: Readonly<Record<string, PatchLine["kind"]>> = { "+": "added", "-": "removed", " ": "same" }

const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" }
const decoder = new TextDecoder()
const utf8 = (bytes: Uint8Array): string => decoder.decode(bytes)
const unescaped = (text: string, decode: (bytes: Uint8Array) => string): string =>
  text.replace(/(?:\\[0-7]{3})+|\\./g, (its) =>
    /\d/.test(its)
      ? decode(Uint8Array.from(its.slice(1).split("\\"), (digits) => Number.parseInt(digits, 8)))
      : (escapes[its.slice(1)] ?? its.slice(1))
  )

/** A name as git writes it: in quotes, with escapes, if it has characters that most names do not have. */
export const unquoted = (name: string, decode = utf8): string => {
  const [, quoted] = /^"(.*)"$/s.exec(name) ?? []
  return quoted === undefined ? name : unescaped(quoted, decode)
}

// a name with a blank ends with a tab
const nameIn = (text: string): string => unquoted(text.replace(/\t$/, "")).replace(/^[ab]\//, "")

/** The name in the first line of a file's patch, which has it twice; one that was renamed has another line for it. */
const headName = (head: string): string => {
  const [, plain, quoted] = /^diff --git (?:a\/(.*) b\/\1|("a\/.*") "b\/.*")$/s.exec(head) ?? []
  return plain ?? nameIn(quoted ?? / ("?b\/.*)$/.exec(head)?.[1] ?? head.replace(/^diff --\S+ /, ""))
}

/** The patches of single files in a `git diff`, in order. */
export const splitPatch = (patch: string): ReadonlyArray<string> =>
  patch
    // Not '^', which also matches after other line separators that a line of a file may contain.
    .split(/(?<![^\n])(?=diff --(?:git|cc|combined) )/)
    .filter((part) => part.startsWith("diff --"))

/** Reads a file's patch with the prefixes `a/` and `b/`. A line outside of hunks is about the file. */
export const patchFile = (patch: string): PatchFile => {
  const [head = "", ...rest] = patch.replace(/\n+$/, "").split("\n")
  let name = headName(head)
  const lines: Array<PatchLine> = []
  // State of the hunk: the next line's number before and after, and how many lines are still to come.
  let [before, after, left, come] = [0, 0, 0, 0]
  const count = { added: 0, removed: 0 }
  for (const text of rest) {
    const kind = left > 0 || come > 0 ? kinds[text[0] ?? " "] : undefined
    if (kind !== undefined) {
      lines.push({ kind, text, at: kind === "removed" ? before : after, was: kind === "added" ? null : before })
      if (kind === "added") count.added++
      if (kind === "removed") count.removed++
      if (kind !== "added") [before, left] = [before + 1, left - 1]
      if (kind !== "removed") [after, come] = [after + 1, come - 1]
      continue
    }
    const [, from, many = "1", to, more = "1"] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
    if (from !== undefined) {
      ;[before, after, left, come] = [Number(from), Number(to), Number(many), Number(more)]
      lines.push({ kind: "hunk", text, at: null, was: null })
      continue
    }
    const [, now] = /^\+\+\+ (?!\/dev\/null)(.*)$/.exec(text) ?? /^rename to (.*)$/.exec(text) ?? []
    if (now !== undefined) name = nameIn(now)
    if (!/^(?:index|---|\+\+\+) /.test(text)) lines.push({ kind: "about", text, at: null, was: null })
  }
  return { name, ...count, lines }
}

export const patchFiles = (patch: string): ReadonlyArray<PatchFile> => splitPatch(patch).map(patchFile)

export interface Remark {
  readonly name: string
  readonly line: PatchLine
  readonly text: string
}

export const remarksText = (remarks: ReadonlyArray<Remark>): string =>
  remarks
    .map(({ line, name, text }) => {
      const gone = line.kind === "removed" ? " (removed)" : ""
      return `${name}:${line.at ?? 1}${gone}\n> ${line.text.slice(1)}\n${text.trim()}`
    })
    .join("\n\n")
