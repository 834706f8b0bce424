import { Result } from "effect"
import type { Node } from "jsonc-parser"
import { scalarOf, properties, valueOf } from "./HookEntries.ts"
import { shellWord } from "../../words/text/shellWord.ts"
import type { WiredFile, WiringStatus } from "./HookWiring.ts"
import { type EditProblem, problemText } from "../../words/formats/EditProblem.ts"
import * as Jsonc from "../../words/formats/JsoncEdit.ts"

/**
 * A CLI passes its status to a command of the user's, which prints a line for the screen. leap reads the status by
 * wrapping that command: everything else in the settings stays as the user wrote it, and the command becomes an
 * argument of leap's:
 *
 *     sh -c '[ -x "$0" ] && exec "$0" "$1"; exec sh -c "$1"' …/leap-statusline.sh '<the user's command>'
 *
 * It therefore works even if leap's script is missing, can be undone without any other file, and runs in a CLI that
 * only splits the command into words as well as in one that uses a shell.
 */

export type StatusLineUse =
  /** Even if an existing file has none: the CLI draws nothing for a command that prints nothing. */
  | "always"
  /** Only if the user has one, or requests one: a new one takes a row of the screen. */
  | "existing-or-requested"
  /** Only if the user requests it. */
  | "requested"

export interface WantedStatusLine {
  readonly script: string
  readonly use: StatusLineUse
  readonly requested: boolean
}

const key = "statusLine"
const marker = "leap-statusline.sh"
const wrapper = 'sh -c \'[ -x "$0" ] && exec "$0" "$1"; exec sh -c "$1"\' '
/** Before the command as written in JSON, if that is not its standard form. */
const literalMark = " # "

const newFile = 1
const blankFile = 2

/** The command that replaces the user's; leap's alone if the user has none. */
export const commandFor = (
  script: string,
  users: { readonly command: string; readonly literal: string } | null
): string =>
  users === null
    ? shellWord(script)
    : `${wrapper}${shellWord(script)} '${users.command.replaceAll("'", "'\\''")}'${
        users.literal === JSON.stringify(users.command) ? "" : `${literalMark}${users.literal}`
      }`

const word = String.raw`(?:(?:[A-Za-z0-9_@%+=:,./-]*/)?leap-statusline\.sh|'(?:(?:[^']|'\\'')*/)?leap-statusline\.sh')`
const leapAlone = new RegExp(`^${word}$`)
const leapAroundUser = new RegExp(String.raw`^${word} '((?:[^']|'\\'')*)'(?: # ([^]*))?$`)

/** The user's command within leap's, as written; null: leap's alone; undefined: any other command. */
const userCommandOf = (command: string): { readonly command: string; readonly literal: string } | null | undefined => {
  if (leapAlone.test(command)) return null
  const match = command.startsWith(wrapper) ? leapAroundUser.exec(command.slice(wrapper.length)) : null
  if (match === null) return undefined
  const users = (match[1] ?? "").replaceAll("'\\''", "'")
  return { command: users, literal: match[2] ?? JSON.stringify(users) }
}

type Found =
  | { readonly _tag: "Absent" }
  /** A status line that shows nothing, or that leap does not understand. */
  | { readonly _tag: "Unsupported"; readonly why: string | null }
  | { readonly _tag: "UserCommand"; readonly at: Node; readonly command: string }
  | {
      readonly _tag: "Installed"
      readonly at: Node
      readonly command: string
      readonly users: { readonly command: string; readonly literal: string } | null
    }

const find = (root: Node | null): Found => {
  const value = root === null ? undefined : valueOf(root, key)
  if (value === undefined) return { _tag: "Absent" }
  const at = valueOf(value, "command")
  const command = scalarOf(at)
  if (at === undefined || typeof command !== "string") return { _tag: "Unsupported", why: null }
  const users = userCommandOf(command)
  if (users !== undefined) return { _tag: "Installed", at, command, users }
  if (command.includes(marker))
    return { _tag: "Unsupported", why: `its ${key} names ${marker} in a way that is not leap's` }
  return scalarOf(valueOf(value, "type")) === "command" && command.trim() !== ""
    ? { _tag: "UserCommand", at, command }
    : { _tag: "Unsupported", why: null }
}

const put = (text: string, node: Node, literal: string): string =>
  text.slice(0, node.offset) + literal + text.slice(node.offset + node.length)

/** The text in which leap reads the status line. Idempotent. */
export const install = (
  text: string | null,
  { requested, script, use }: WantedStatusLine
): Result.Result<string | null, EditProblem> => {
  const settings = Jsonc.parseFile(text ?? "")
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: body } = settings.success
  if (root !== null && root.type !== "object") return Result.succeed(text)
  const found = find(root)
  switch (found._tag) {
    case "Unsupported":
      return Result.succeed(text)
    case "Installed": {
      const command = commandFor(script, found.users)
      return Result.succeed(command === found.command ? text : bom + put(body, found.at, JSON.stringify(command)))
    }
    case "UserCommand": {
      if (use === "requested" && !requested) return Result.succeed(text)
      const literal = body.slice(found.at.offset, found.at.offset + found.at.length)
      return Result.succeed(
        bom + put(body, found.at, JSON.stringify(commandFor(script, { command: found.command, literal })))
      )
    }
    case "Absent": {
      // A missing file may mean something to the CLI.
      if (!requested && (use !== "always" || text === null)) return Result.succeed(text)
      const value = { type: "command", command: commandFor(script, null) }
      if (root !== null) return Result.succeed(bom + Jsonc.append(body, root, root, key, value, 0))
      const made = Result.getOrElse(Jsonc.parse(`${body}{}`), () => null)
      if (made === null) return Result.succeed(text)
      const filled = Jsonc.append(`${body}{}`, made, made, key, value, text === null ? newFile : blankFile)
      return Result.succeed(bom + filled + (text === null ? "\n" : ""))
    }
  }
}

/** The text with the user's status line restored; null if the file was leap's own and nothing else is in it. */
export const remove = (text: string | null): Result.Result<string | null, EditProblem> => {
  if (text === null || !text.includes(marker)) return Result.succeed(text)
  const settings = Jsonc.parseFile(text)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: body } = settings.success
  const found = find(root)
  if (root === null || found._tag !== "Installed") return Result.succeed(text)
  if (found.users !== null) return Result.succeed(bom + put(body, found.at, found.users.literal))
  const property = properties(root).findLast((it) => it.key === key)?.property
  if (property === undefined) return Result.succeed(text)
  const mark = Jsonc.markOf(body, root)
  if (root.children?.length === 1 && mark !== 0 && !Jsonc.hasComments(body, root)) {
    return Result.succeed(
      mark === newFile ? null : bom + body.slice(0, root.offset) + body.slice(root.offset + root.length)
    )
  }
  return Result.succeed(bom + Jsonc.takeOut(body, root, root, property))
}

/** Notes about the status line, one reason each. Total: never fails. */
export const details = (text: string | null, { requested, script, use }: WantedStatusLine): ReadonlyArray<string> => {
  const settings = Jsonc.parseFile(text ?? "")
  if (Result.isFailure(settings)) return []
  const found = find(settings.success.root)
  switch (found._tag) {
    case "Absent":
      return []
    case "Unsupported":
      return found.why === null ? [] : [found.why]
    case "UserCommand":
      return use === "requested" && !requested ? [] : ["your status line does not run through leap"]
    case "Installed":
      return found.command === commandFor(script, found.users)
        ? []
        : ["the status line runs through another installation of leap"]
  }
}

export const withStatusLine = (file: WiredFile, wanted: WantedStatusLine): WiredFile => ({
  path: file.path,
  install: (text, present) => Result.flatMap(file.install(text, present), (text) => install(text, wanted)),
  remove: (text, present) => Result.flatMap(remove(text), (text) => file.remove(text, present)),
  status: (text, present) => {
    const status = file.status(text, present)
    return status.state === "unreadable" || status.state === "missing"
      ? status
      : { ...status, details: [...status.details, ...details(text, wanted)] }
  }
})

/** The file of a status line, which hooks do not need: one that leap leaves alone may be unreadable. */
export const statusLineFile = (path: string, wanted: WantedStatusLine, hooks: WiredFile): WiredFile => {
  const isLeftAlone = (text: string | null) =>
    wanted.use === "requested" && !wanted.requested && text?.includes(marker) !== true
  return {
    path,
    aside: true,
    install: (text) => (isLeftAlone(text) ? Result.succeed(text) : install(text, wanted)),
    remove,
    status: (text, present): WiringStatus => {
      const { state } = hooks.status(present(hooks.path), present)
      if (isLeftAlone(text)) return { state, details: [] }
      const settings = Jsonc.parseFile(text ?? "")
      if (Result.isFailure(settings)) return { state: "unreadable", details: [problemText(settings.failure)] }
      return { state, details: state === "missing" || state === "unreadable" ? [] : details(text, wanted) }
    }
  }
}
