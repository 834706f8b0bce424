import { Effect, Option } from "effect"
import { ChildProcess } from "effect/process"
import { Command } from "effect/cli"
import { moveQuestion } from "../../domain/surfaces/operations/actions.ts"
import type { MonitorCommand } from "../../domain/surfaces/monitor/Monitor.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { toBase64, utf8ToLatin1 } from "../../domain/words/text/Bytes.ts"
import { Paths } from "../../services/Paths.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { tilde } from "../../domain/surfaces/picker/Rows.ts"
import { GitView } from "../../services/GitView.ts"
import { Providers } from "../../services/Providers.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { isOffered, locate, versionOf } from "../starting/locateCli.ts"
import { askFinish } from "./finish.ts"
import { askChoice, askText, askYes } from "../prompts/ask.ts"
import { askDirectory } from "../prompts/directories.ts"
import { attach } from "../attach/attach.ts"
import { layer as sessionFeed } from "../client/SessionFeed.ts"
import { describe } from "../exit.ts"
import { callSession } from "../sessions/callSession.ts"
import { runMonitor } from "../monitor/monitor.ts"
import { openEditor } from "../sessions/openEditor.ts"
import { allStatuses, requireStatus } from "../client/statuses.ts"
import { openQueueClient } from "../queueClient/queueClient.ts"
import { beginSession, moveTo, noCli, startable } from "./shared/manage.ts"
import { hand } from "./hand.ts"
import { resume } from "./resume.ts"
import { hostNamed } from "../client/hostNamed.ts"
import { type RemoteTag, remoteTag } from "../../domain/words/session/RemoteHost.ts"
import { RemoteHosts } from "../../services/RemoteHosts.ts"
import { bad, compare, good, perform, saidLast } from "./shared/listActions.ts"
import { requireScreen } from "../prompts/requireScreen.ts"
import { newTag } from "../../domain/words/session/newTag.ts"
import { tagProblem } from "../sessions/askNewTag.ts"

const newSession = Effect.gen(function* () {
  const clis = yield* startable
  const [only] = clis
  if (only === undefined) return yield* noCli
  const taken: ReadonlySet<string> = new Set((yield* allStatuses()).map(({ tag }) => tag))
  const cli =
    clis.length === 1
      ? only.id
      : yield* askChoice(
          "Which CLI?",
          clis.map(({ displayName, id }) => ({ title: `${id}  ${displayName}`, value: id }))
        )
  const directory = yield* askDirectory("In which directory?")
  const branch = yield* (yield* GitView).branch(directory)
  const worktree = branch !== null && (yield* askYes(`In a git worktree of its own (this one is on ${branch})?`))
  const name = yield* askText("Its name?", newTag(directory, taken), (text) => Effect.succeed(tagProblem(text)))
  const first = yield* askText("A first message (or none)?")
  const tag = Tag.make(name)
  yield* beginSession({ tag, cli, directory, worktree, args: [], first }, false)
  if (first !== "") yield* attach({ tag, readOnly: false })
})

/** The most bytes of a text that terminals accept for the clipboard. */
const copyMost = 74_000

const copy = Effect.fn("monitor.copy")(function* ({ text, what }: Extract<MonitorCommand, { readonly _tag: "Copy" }>) {
  const bytes = utf8ToLatin1(text)
  if (bytes.length > copyMost) return bad(`${what} is too long for a terminal's clipboard`)
  yield* (yield* UserTerminal).write(`\x1b]52;c;${toBase64(bytes)}\x07`)
  return good(`${what} is in the clipboard, where your terminal lets programs write to it`)
})

const moveAsked = Effect.fnUntraced(function* (tag: Tag) {
  const to = yield* askDirectory(`Where is '${tag}' to live?`)
  const { cwd, state } = yield* requireStatus(tag)
  const restart = state !== "exited" && to !== cwd
  const asked = restart ? moveQuestion(tag) : `Move ${tag}?`
  const choice = yield* askChoice<"not" | "move" | "editor">(asked, [
    { title: "no", value: "not", key: "n" },
    { title: "yes", value: "move", key: "y" },
    { title: "yes, and open it in your editor", value: "editor", key: "e" }
  ])
  return choice === "not" ? null : good(yield* saidLast(moveTo(tag, to, { restart, editor: choice === "editor" })))
})

/** The commands that do in the terminal of another machine what a key asks for. */
const awayWords = { attach: "attach", queue: "queue", editor: "edit", hand: "hand", finish: "finish", move: null }

const visitAway = Effect.fnUntraced(function* (what: keyof typeof awayWords, { host, tag }: RemoteTag) {
  const command = awayWords[what]
  // the directories that a move asks for are completed from this machine's disk
  if (command === null) return bad(`'leap --host ${host} ${what} ${tag} DIRECTORY' moves it there`)
  yield* (yield* RemoteHosts).run(yield* hostNamed(host), [command, tag], "terminal")
  return null
})

const visit = Effect.fn("monitor.visit")(function* (command: Extract<MonitorCommand, { readonly _tag: "Visit" }>) {
  const { self, version } = yield* System
  return yield* Effect.gen(function* () {
    if ("tag" in command) {
      const away = remoteTag(command.tag)
      if (away !== null) return yield* visitAway(command.what, away)
    }
    switch (command.what) {
      case "attach":
        return yield* attach({ tag: Tag.make(command.tag), readOnly: false })
      case "queue":
        return yield* openQueueClient(Tag.make(command.tag))
      case "editor": {
        const session = yield* requireStatus(Tag.make(command.tag))
        return yield* openEditor(session.cwd, true)
      }
      case "hand":
        return yield* Command.runWith(hand(null), { version })([command.tag])
      case "move":
        return yield* moveAsked(Tag.make(command.tag))
      case "finish": {
        const said = yield* askFinish(Tag.make(command.tag))
        return said === "" ? null : good(`${command.tag}: ${said}`)
      }
      case "start":
        return yield* newSession
      case "resume":
        return yield* Command.runWith(resume(null), { version })([])
      case "demo": {
        // a process of its own, because its environment names files of its own
        const [program = "", ...args] = self
        // in the terminal's process group, so that it learns of size changes
        const inherit = { detached: false, stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const
        const show = yield* ChildProcess.make(program, [...args, "demo"], inherit)
        return yield* Effect.ignore(show.exitCode)
      }
    }
  }).pipe(
    Effect.scoped,
    Effect.match({
      onSuccess: (said) => (typeof said === "object" ? said : null),
      onFailure: (error) => {
        const { message } = describe(error)
        return message === "" ? null : bad(message)
      }
    })
  )
})

const look = Effect.gen(function* () {
  const { cwd, env } = yield* System
  const providers = yield* Providers
  const offered = yield* providers.load(isOffered)
  const seen = yield* Effect.forEach(
    offered,
    (provider) =>
      Effect.map(Effect.all([locate(provider), versionOf(provider)]), ([{ path }, version]) => ({
        provider,
        isThere: Option.isSome(path),
        version
      })),
    { concurrency: 4 }
  )
  const rows = yield* (yield* SessionRecords).rows
  return {
    place: tilde(cwd, env["HOME"] ?? ""),
    branch: yield* (yield* GitView).branch(cwd),
    clis: seen.flatMap(({ isThere, provider: { displayName }, version }) =>
      isThere ? [{ displayName, version }] : []
    ),
    missing: seen.flatMap(({ isThere, provider: { displayName, installHint } }) =>
      isThere ? [] : [{ displayName, hint: installHint }]
    ),
    earlier: rows.length
  }
})

export const monitor = Command.make(
  "monitor",
  {},
  Effect.fn(function* () {
    yield* requireScreen("the monitor", "'leap status --watch' prints the same line by line")
    // an unreadable directory would look like no sessions
    yield* (yield* Paths).readable
    const seen = (tag: string) => callSession(Tag.make(tag), { _tag: "Seen" })
    yield* runMonitor({ perform, copy, compare, seen, visit, look }).pipe(Effect.provide(sessionFeed))
  })
).pipe(
  Command.withDescription("All sessions at a glance, on the whole screen: what each does, and what it waits for"),
  Command.withShortDescription("All sessions on the whole screen, kept up to date")
)
