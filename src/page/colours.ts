import { type Signal, signal } from "@preact/signals"
import type { PatchLine } from "../domain/store/worktrees/patchLines.ts"

/** What a part of a program is, by its colour; "": nothing special. */
export type Colour = "" | "comment" | "string" | "number" | "keyword" | "name"

/** What the worker is asked, and answers: the text's parts in order, with their lengths. */
export interface Asked {
  readonly id: number
  readonly language: string
  readonly text: string
}
export interface Coloured {
  readonly id: number
  readonly parts: ReadonlyArray<readonly [Colour, number]>
}

export type Parts = Coloured["parts"]

const languages: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "bash: sh bash zsh bats env",
    "c: c h",
    "cpp: cc cpp cxx hh hpp hxx ino cu",
    "css: css",
    "docker: dockerfile containerfile",
    "go: go",
    "ini: ini cfg conf properties editorconfig gitconfig",
    "java: java",
    "javascript: js mjs cjs",
    "json: json jsonc json5 webmanifest",
    "jsx: jsx",
    "kotlin: kt kts",
    "lua: lua",
    "makefile: makefile mk",
    "markup: html htm xml svg vue svelte xhtml plist",
    "python: py pyi pyw",
    "ruby: rb rake gemspec gemfile rakefile",
    "rust: rs",
    "scss: scss less",
    "sql: sql",
    "toml: toml",
    "tsx: tsx",
    "typescript: ts mts cts",
    "yaml: yml yaml"
  ].flatMap((row) => {
    const [language = "", endings = ""] = row.split(": ")
    return endings.split(" ").map((ending) => [ending, language] as const)
  })
)

/** The language of a file by its name, if its colours are known. */
const languageOf = (path: string): string | undefined => {
  const ending = /[^./]*$/.exec(path)?.[0].toLowerCase() ?? ""
  return Object.hasOwn(languages, ending) ? languages[ending] : undefined
}

/** Lines and characters that are coloured together; a comment that begins before them is not known in them. */
const linesMost = 400
const charactersMost = 40_000
/** Milliseconds for an answer: a text can be made so that a language's patterns need years for it. */
const patience = 2_000

/** Lines that stand one after the other in the former or in the present file. */
interface Piece {
  readonly lines: ReadonlyArray<PatchLine>
  readonly parts: Signal<ReadonlyMap<PatchLine, Parts>>
  isAsked: boolean
}

/** The parts of lines, of the text that they have together, with line breaks between them. */
const byLines = (texts: ReadonlyArray<string>, parts: Parts): ReadonlyArray<Parts> => {
  const rest = [...parts].toReversed()
  return texts.map((text) => {
    const its: Array<readonly [Colour, number]> = []
    // the line break belongs to a part, too
    for (let left = text.length + 1; left > 0;) {
      const [colour, length] = rest.pop() ?? ["" as const, left]
      const taken = Math.min(left, length)
      its.push([colour, taken])
      left -= taken
      if (length > taken) rest.push([colour, length - taken])
    }
    return its
  })
}

let worker: Worker | null = null
let asked = 0
/** What is not answered yet, in the order in which it was asked. */
const waiting = new Map<number, { readonly language: string; readonly answer: (parts: Parts) => void }>()
/** Languages for which the worker did not answer. */
const givenUp = new Set<string>()
let timer: ReturnType<typeof setTimeout> | null = null

const wait = (): void => {
  if (timer !== null) clearTimeout(timer)
  timer = waiting.size === 0 ? null : setTimeout(giveUp, patience)
}

/** Ends a worker that does not answer: what it was asked stays without colours, and so does the language. */
const giveUp = (): void => {
  const [first] = waiting.values()
  if (first !== undefined) givenUp.add(first.language)
  worker?.terminate()
  worker = null
  waiting.clear()
  wait()
}

const ask = (language: string, text: string, answer: (parts: Parts) => void): void => {
  if (givenUp.has(language)) return
  if (worker === null) {
    worker = new Worker("colours.js")
    worker.addEventListener("error", giveUp)
    worker.addEventListener("message", ({ data }: MessageEvent<Coloured>) => {
      waiting.get(data.id)?.answer(data.parts)
      waiting.delete(data.id)
      wait()
    })
  }
  waiting.set(++asked, { language, answer })
  worker.postMessage({ id: asked, language, text } satisfies Asked, [])
  if (timer === null) wait()
}

/** Finds the colours of a file's lines, those of a piece of the file when one of its lines is drawn. */
export const coloursOf = (path: string, lines: ReadonlyArray<PatchLine>): ((line: PatchLine) => Parts | null) => {
  const language = languageOf(path)
  if (language === undefined) return () => null
  const pieces = new Map<PatchLine, Piece>()
  for (const side of ["removed", "added"] as const) {
    let its: Array<PatchLine> = []
    let length = 0
    const end = (): void => {
      const piece: Piece = { lines: its, parts: signal(new Map()), isAsked: false }
      // a line that is in both files has the colours of the present one
      for (const line of its) if (line.kind === side || side === "added") pieces.set(line, piece)
      ;[its, length] = [[], 0]
    }
    for (const line of lines) {
      if (line.kind === "hunk") end()
      if (line.kind !== side && line.kind !== "same") continue
      its.push(line)
      length += line.text.length
      if (its.length >= linesMost || length > charactersMost) end()
    }
    end()
  }
  return (line) => {
    const piece = pieces.get(line)
    if (piece === undefined) return null
    if (!piece.isAsked) {
      piece.isAsked = true
      const texts = piece.lines.map(({ text }) => text.slice(1))
      ask(language, texts.join("\n"), (parts) => {
        const found = byLines(texts, parts)
        piece.parts.value = new Map(piece.lines.map((one, n) => [one, found[n]!]))
      })
    }
    return piece.parts.value.get(line) ?? null
  }
}
