import * as fs from "node:fs"
import * as path from "node:path"
import {
  type Candidate,
  type CompletionCommand,
  type CompletionSource,
  wanted
} from "../domain/words/arguments/Completion.ts"
import { completionShells } from "../domain/words/arguments/completionShells.ts"
import { completionAnswer } from "../domain/words/arguments/completionAnswer.ts"
import { shortId } from "../domain/words/session/shortId.ts"
import { tagLength, tagPattern } from "../domain/words/session/tagRules.ts"
import { placesIn } from "../layers/files/leapPaths.ts"
import { readRegularSync } from "../layers/files/regularFile.ts"
import { tryOr } from "../domain/words/reading/tryOr.ts"
import tree from "#generated/completionTree.mts"
import { line } from "./print.ts"

/** The result of a look at a file, or null: a completing shell gets no error messages. */
const attempt = <A>(look: () => A): A | null => tryOr(look, null)

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Parses JSON with comments and trailing commas, as in hand-written settings. */
const lenient = (text: string): unknown =>
  JSON.parse(
    text
      .replace(/^\ufeff/, "")
      .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
      .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1")
  )

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

type Places = ReturnType<typeof placesIn>

/** The part of a session that completions show, read leniently because another version of leap may have written it. */
interface Seen {
  readonly runs: boolean
  readonly text: string
  readonly messages: ReadonlyArray<Candidate>
  readonly options: ReadonlyArray<Candidate>
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const listOf = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(value) ? value.map(fieldsOf) : []

/** A session's last written status, at most half a second old, since its host might not answer. Null if unreadable. */
const seen = (places: Places, tag: string): Seen | null =>
  attempt(() => {
    const { session } = fieldsOf(JSON.parse(readRegularSync(places.session(tag).status).toString("utf8")))
    const { cli, hostPid, message, question, queue, state } = fieldsOf(session)
    const runs = state !== "exited" && typeof hostPid === "number" && isAlive(hostPid)
    const messages = listOf(queue).map(({ id, status, text }) => ({
      value: shortId(textOf(id)),
      text: `${textOf(status)}: ${textOf(text)}`
    }))
    const parts = [
      textOf(state).replace("_", " "),
      textOf(message),
      messages.length > 0 ? `${messages.length} queued` : ""
    ]
    return {
      runs,
      text: runs ? parts.filter((part) => part !== "").join(" · ") : `ended (${textOf(cli)})`,
      messages,
      options: listOf(fieldsOf(question)["options"]).flatMap(({ label, number }) =>
        typeof number === "number" ? [{ value: String(number), text: textOf(label) }] : []
      )
    }
  })

const seenOf = (places: Places, tag: string): Seen | null => (tagPattern.test(tag) ? seen(places, tag) : null)

const tagsOf = (places: Places, of: "running" | "ended" | "all"): ReadonlyArray<Candidate> => {
  const entries = attempt(() => fs.readdirSync(places.sessions, { withFileTypes: true })) ?? []
  return entries
    .filter((entry) => entry.isDirectory() && tagPattern.test(entry.name) && entry.name.length <= tagLength)
    .map(({ name }) => ({ name, its: seen(places, name) }))
    .filter(({ its }) => of === "all" || (its !== null && its.runs === (of === "running")))
    .map(({ its, name }) => ({ value: name, text: its?.text ?? "" }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1))
}

const inSettings = (places: Places, name: "clis" | "hosts"): Readonly<Record<string, unknown>> =>
  fieldsOf(
    attempt(() => fieldsOf(lenient(readRegularSync(path.join(places.config, "settings.json")).toString("utf8")))[name])
  )

const clis = (places: Places): ReadonlyArray<Candidate> => {
  const own = inSettings(places, "clis")
  const isHidden = (id: string): boolean => fieldsOf(own[id])["hidden"] === true
  const variants = Object.entries(own)
    .filter(([id]) => !tree.clis.some(({ value }) => value === id))
    .map(([value, cli]) => {
      const { base } = fieldsOf(cli)
      return { value, text: typeof base === "string" ? `your own, of ${base}` : "your own" }
    })
  return [...tree.clis, ...variants].filter(({ value }) => !isHidden(value))
}

const candidatesOf = (places: Places, source: CompletionSource): ReadonlyArray<Candidate> => {
  switch (source._tag) {
    case "Words":
      return source.words
    case "Tags":
      return tagsOf(places, source.of)
    case "Clis":
      return clis(places)
    case "Hosts":
      return Object.entries(inSettings(places, "hosts")).map(([value, host]) => ({
        value,
        text: textOf(fieldsOf(host)["destination"])
      }))
    case "Messages":
      return seenOf(places, source.tag)?.messages ?? []
    case "Settings":
      return tree.settings
    case "SettingValues":
      return (tree.settings.find(({ value }) => value === source.name)?.takes ?? []).map((value) => ({
        value,
        text: ""
      }))
    case "Options":
      return seenOf(places, source.tag)?.options ?? []
    case "Files":
    case "Directories":
      return []
  }
}

/**
 * Answers a shell's completion request: `__complete SHELL WORD…`, with the unfinished word last. Prints nothing on
 * standard error, and nothing at all for an unknown shell.
 */
export const complete = ([name, ...words]: ReadonlyArray<string>): number => {
  const shell = completionShells.find((one) => one === name)
  if (shell === undefined) return 2
  const places = placesIn(process.env)
  const root: CompletionCommand = tree.root
  line(completionAnswer(shell, wanted(root, shell, words), (source) => candidatesOf(places, source)))
  return 0
}
