/** A line of a patch. `at`: its number in the file (for a removed line in the former file); null for other lines. */
export interface PatchLine {
  readonly kind: "added" | "removed" | "same" | "hunk" | "about"
  readonly text: string
  readonly at: number | null
}

export interface PatchFile {
  readonly name: string
  readonly added: number
  readonly removed: number
  readonly lines: ReadonlyArray<PatchLine>
}

const kinds: Readonly<Record<string, PatchLine["kind"]>> = { "+": "added", "-": "removed", " ": "same" }

const nameIn = (text: string): string => text.replace(/\t$/, "").replace(/^"?(?:[ab]\/)?|"$/g, "")

/** The files of a `git diff` with prefixes `a/` and `b/`. A line outside of hunks is about its file. */
export const patchFiles = (patch: string): ReadonlyArray<PatchFile> =>
  patch
    .split(/(?<![^\n])(?=diff --(?:git|cc|combined) )/)
    .filter((part) => part.startsWith("diff --"))
    .map((part) => {
      const [head = "", ...rest] = part.replace(/\n+$/, "").split("\n")
      let name = nameIn(/ "?b\/(.*)$/.exec(head)?.[1] ?? head.replace(/^diff --\S+ /, ""))
      const lines: Array<PatchLine> = []
      // State of the hunk: the next line's number before and after, and how many lines are still to come.
      let [before, after, left, come] = [0, 0, 0, 0]
      const count = { added: 0, removed: 0 }
      for (const text of rest) {
        const kind = left > 0 || come > 0 ? kinds[text[0] ?? " "] : undefined
        if (kind !== undefined) {
          const at = kind === "removed" ? before : after
          if (kind === "added") count.added++
          if (kind === "removed") count.removed++
          if (kind !== "added") [before, left] = [before + 1, left - 1]
          if (kind !== "removed") [after, come] = [after + 1, come - 1]
          lines.push({ kind, text, at })
          continue
        }
        const [, from, many = "1", to, more = "1"] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
        if (from !== undefined) {
          ;[before, after, left, come] = [Number(from), Number(to), Number(many), Number(more)]
          lines.push({ kind: "hunk", text, at: null })
          continue
        }
        const [, now] = /^\+\+\+ (?!\/dev\/null)(.*)$/.exec(text) ?? /^rename to (.*)$/.exec(text) ?? []
        if (now !== undefined) name = nameIn(now)
        if (!/^(?:index|---|\+\+\+) /.test(text)) lines.push({ kind: "about", text, at: null })
      }
      return { name, ...count, lines }
    })

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
