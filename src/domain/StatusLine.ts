import { Result } from "effect"
import type { Node } from "jsonc-parser"
import { plain, properties, quote, valueOf } from "./HookEntries.ts"
import type { WiredFile, WiringProblem, WiringStatus } from "./HookWiring.ts"
import * as Jsonc from "./JsoncEdit.ts"

/**
 * A CLI hands its status to a command of the user's, which prints a line for the screen. leap hears it by standing in front
 * of that command: the settings keep all that the user has written but the command, and that stands within leap's:
 *
 *     sh -c '[ -x "$0" ] && exec "$0" "$1"; exec sh -c "$1"' …/leap-statusline.sh '<the user's command>'
 *
 * So it works on where leap's script is not, needs no other file to be put back, and a CLI that merely splits the command
 * into words runs it as well as one that gives it to a shell.
 */

/** When leap listens to a CLI's status line. */
export type StatusLineUse =
  /** Also where the user has none: the CLI draws nothing for one that prints nothing. */
  | "always"
  /** Where the user has one, for a new one would take a row of the screen; a new one when it is asked for. */
  | "existing"
  /** Only when it is asked for. */
  | "asked"

/** What is wanted of a CLI's status line. */
export interface WantedStatusLine {
  /** leap's script for it. */
  readonly script: string
  readonly use: StatusLineUse
  /** The user has asked for it. */
  readonly asked: boolean
}

const key = "statusLine"
const marker = "leap-statusline.sh"
const front = "sh -c '[ -x \"$0\" ] && exec \"$0\" \"$1\"; exec sh -c \"$1\"' "
/** Before the command as it was written, where JSON has more than one way to write it. */
const written = " # "

const newFile = 1
const blankFile = 2

/** The command that leap puts in the place of the user's; of leap's alone where the user has none. */
export const commandFor = (script: string, users: { readonly command: string; readonly literal: string } | null): string =>
  users === null
    ? quote(script)
    : `${front}${quote(script)} '${users.command.replaceAll("'", "'\\''")}'${
      users.literal === JSON.stringify(users.command) ? "" : `${written}${users.literal}`
    }`

const word = String.raw`(?:(?:[A-Za-z0-9_@%+=:,./-]*/)?leap-statusline\.sh|'(?:(?:[^']|'\\'')*/)?leap-statusline\.sh')`
const alone = new RegExp(`^${word}$`)
const around = new RegExp(String.raw`^${word} '((?:[^']|'\\'')*)'(?: # ([^]*))?$`)

/** The user's command within leap's, as it stood in the file; null where leap's stands alone, undefined for any other command. */
const usersOf = (command: string): { readonly command: string; readonly literal: string } | null | undefined => {
  if (alone.test(command)) return null
  const match = command.startsWith(front) ? around.exec(command.slice(front.length)) : null
  if (match === null) return undefined
  const users = (match[1] ?? "").replaceAll("'\\''", "'")
  return { command: users, literal: match[2] ?? JSON.stringify(users) }
}

/** What stands in the settings. */
type Found =
  | { readonly _tag: "Nothing" }
  /** Something that shows no line, or that leap cannot make out. */
  | { readonly _tag: "Odd"; readonly why: string | null }
  | { readonly _tag: "Users"; readonly at: Node; readonly command: string }
  | { readonly _tag: "Leaps"; readonly at: Node; readonly command: string; readonly users: { readonly command: string; readonly literal: string } | null }

const find = (root: Node | null): Found => {
  const value = root === null ? undefined : valueOf(root, key)
  if (value === undefined) return { _tag: "Nothing" }
  const at = valueOf(value, "command")
  const command = plain(at)
  if (at === undefined || typeof command !== "string") return { _tag: "Odd", why: null }
  const users = usersOf(command)
  if (users !== undefined) return { _tag: "Leaps", at, command, users }
  if (command.includes(marker)) return { _tag: "Odd", why: `its ${key} names ${marker} in a way that is not leap's` }
  return plain(valueOf(value, "type")) === "command" && command.trim() !== "" ? { _tag: "Users", at, command } : { _tag: "Odd", why: null }
}

interface Settings {
  readonly bom: string
  readonly text: string
  readonly root: Node | null
}

const read = (text: string): Result.Result<Settings, WiringProblem> => {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const tree = Jsonc.parse(text.slice(bom.length))
  if ("problem" in tree) return Result.fail(tree.problem)
  return Result.succeed({ bom, text: text.slice(bom.length), root: tree.root })
}

const put = (text: string, node: Node, literal: string): string =>
  text.slice(0, node.offset) + literal + text.slice(node.offset + node.length)

/** The text with leap listening to the status line. Twice is the same as once. */
export const install = (text: string | null, { asked, script, use }: WantedStatusLine): Result.Result<string | null, WiringProblem> => {
  const settings = read(text ?? "")
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: body } = settings.success
  if (root !== null && root.type !== "object") return Result.succeed(text)
  const found = find(root)
  switch (found._tag) {
    case "Odd":
      return Result.succeed(text)
    case "Leaps": {
      const command = commandFor(script, found.users)
      return Result.succeed(command === found.command ? text : bom + put(body, found.at, JSON.stringify(command)))
    }
    case "Users": {
      if (use === "asked" && !asked) return Result.succeed(text)
      const literal = body.slice(found.at.offset, found.at.offset + found.at.length)
      return Result.succeed(bom + put(body, found.at, JSON.stringify(commandFor(script, { command: found.command, literal }))))
    }
    case "Nothing": {
      // A file that is not there may mean something to the CLI.
      if (!asked && (use !== "always" || text === null)) return Result.succeed(text)
      const value = { type: "command", command: commandFor(script, null) }
      if (root !== null) return Result.succeed(bom + Jsonc.append(body, root, root, key, value, 0))
      const made = Jsonc.parse(`${body}{}`)
      if ("problem" in made || made.root === null) return Result.succeed(text)
      const filled = Jsonc.append(`${body}{}`, made.root, made.root, key, value, text === null ? newFile : blankFile)
      return Result.succeed(bom + filled + (text === null ? "\n" : ""))
    }
  }
}

/** The text with the user's status line as it was; null when the file was leap's own and nothing else is in it. */
export const remove = (text: string | null): Result.Result<string | null, WiringProblem> => {
  if (text === null || !text.includes(marker)) return Result.succeed(text)
  const settings = read(text)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: body } = settings.success
  const found = find(root)
  if (root === null || found._tag !== "Leaps") return Result.succeed(text)
  if (found.users !== null) return Result.succeed(bom + put(body, found.at, found.users.literal))
  const property = properties(root).findLast((it) => it.key === key)?.property
  if (property === undefined) return Result.succeed(text)
  const mark = Jsonc.markOf(body, root)
  if (root.children?.length === 1 && mark !== 0 && !Jsonc.hasComments(body, root)) {
    return Result.succeed(mark === newFile ? null : bom + body.slice(0, root.offset) + body.slice(root.offset + root.length))
  }
  return Result.succeed(bom + Jsonc.takeOut(body, root, root, property))
}

/** What is worth knowing of the status line, one reason each. Total: never fails. */
export const details = (text: string | null, { asked, script, use }: WantedStatusLine): ReadonlyArray<string> => {
  const settings = read(text ?? "")
  if (Result.isFailure(settings)) return []
  const found = find(settings.success.root)
  switch (found._tag) {
    case "Nothing":
      return []
    case "Odd":
      return found.why === null ? [] : [found.why]
    case "Users":
      return use === "asked" && !asked ? [] : ["your status line does not run through leap"]
    case "Leaps":
      return found.command === commandFor(script, found.users) ? [] : ["the status line runs through another installation of leap"]
  }
}

/** A settings file in which leap also listens to the status line. */
export const withStatusLine = (file: WiredFile, wanted: WantedStatusLine): WiredFile => ({
  path: file.path,
  install: (text, present) => Result.flatMap(file.install(text, present), (text) => install(text, wanted)),
  remove: (text, present) => Result.flatMap(remove(text), (text) => file.remove(text, present)),
  status: (text, present) => {
    const status = file.status(text, present)
    return status.state === "unreadable" || status.state === "missing" ? status : { ...status, details: [...status.details, ...details(text, wanted)] }
  }
})

/**
 * The file of a status line beside the one that names the hooks, which do without it. One that cannot be read keeps leap from
 * installing and removing, as any would, but only where leap has something to do in it.
 */
export const statusLineFile = (path: string, wanted: WantedStatusLine, hooks: WiredFile): WiredFile => {
  const isLeftAlone = (text: string | null) => wanted.use === "asked" && !wanted.asked && text?.includes(marker) !== true
  return {
    path,
    aside: true,
    install: (text) => isLeftAlone(text) ? Result.succeed(text) : install(text, wanted),
    remove,
    status: (text, present): WiringStatus => {
      const { state } = hooks.status(present(hooks.path), present)
      if (isLeftAlone(text)) return { state, details: [] }
      const settings = read(text ?? "")
      if (Result.isFailure(settings)) {
        const { column, line, why } = settings.failure
        return { state: "unreadable", details: [`line ${line}, column ${column}: ${why}`] }
      }
      return { state, details: state === "missing" || state === "unreadable" ? [] : details(text, wanted) }
    }
  }
}
