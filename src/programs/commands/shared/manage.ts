import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { fromTilde } from "../../../domain/surfaces/picker/Rows.ts"
import { Tag } from "../../../domain/words/session/Tag.ts"
import { Output } from "../../../services/Output.ts"
import { System } from "../../../services/System.ts"
import { hasConversation } from "../../client/continueCommand.ts"
import { installed } from "../../starting/locateCli.ts"
import { statusOf } from "../../client/statuses.ts"
import { fail } from "../../exit.ts"
import { tagProblem } from "../../sessions/askNewTag.ts"
import { callSession } from "../../sessions/callSession.ts"
import { hand } from "../hand.ts"
import { move } from "../move.ts"
import { resume } from "../resume.ts"
import { start } from "../start.ts"
import { forget } from "../stop.ts"

/** Runs a command of the command line for the monitor and the web page. */
const run = <N extends string, I, C, E, R>(command: Command.Command<N, I, C, E, R>, words: ReadonlyArray<string>) =>
  Effect.flatMap(System, ({ version }) => Command.runWith(command, { version })(words))

/** Runs commands and returns their output lines instead of printing them. */
export const quietly = Effect.fnUntraced(function* <A, E, R>(running: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const keep = (text: string) => Effect.sync(() => void lines.push(text))
  const output = yield* Output
  yield* Effect.provideService(running, Output, {
    ...output,
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    colour: false,
    line: keep,
    raw: keep,
    note: keep
  })
  return lines.filter((line) => line.trim() !== "")
})

export const tagged = (text: string) => {
  const problem = tagProblem(text)
  return problem === null ? Effect.succeed(Tag.make(text)) : Effect.fail(fail("usage", problem))
}

/** The CLIs that a session can be started with, the preset one first. */
export const startable = Effect.gen(function* () {
  const preset = (yield* System).env["LEAP_CLI"]
  return (yield* installed).toSorted((a, b) => Number(b.id === preset) - Number(a.id === preset))
})

export const noCli = fail(
  "notInstalled",
  "no CLI that leap can host is installed; 'leap doctor' tells where to get them"
)

/** `first`: its first message, or "". */
export interface NewSession {
  readonly tag: Tag
  readonly cli: string
  readonly directory: string
  readonly worktree: boolean
  readonly args: ReadonlyArray<string>
  readonly first: string
}

/** Starts a session; with a first message it does not attach. */
export const beginSession = Effect.fnUntraced(function* (session: NewSession, detach: boolean) {
  const { args, cli, directory, first, tag, worktree } = session
  yield* run(start(args.length === 0 ? null : args), [
    tag,
    `--cli=${cli}`,
    `--cwd=${directory}`,
    ...(worktree ? ["--worktree="] : []),
    ...(detach || first !== "" ? ["--detach"] : [])
  ])
  if (first !== "") yield* callSession(tag, { _tag: "Send", text: first, images: [], front: false, force: false })
})

export const resumeEnded = Effect.fnUntraced(function* (tag: Tag) {
  const goesOn = yield* hasConversation(tag)
  if (goesOn) yield* run(resume(null), [`--tag=${tag}`, "--last", "--there", "--detach"])
  else {
    // without a conversation it starts anew in the same directory
    const cwd = Option.match(yield* statusOf(tag), { onNone: () => [], onSome: ({ cwd }) => [`--cwd=${cwd}`] })
    yield* run(start(null), [tag, ...cwd, "--detach"])
  }
  yield* (yield* Output).line(`${tag} ${goesOn ? "goes on" : "was started anew"}`)
})

export const resumeEarlier = (cli: string, sessionId: string, tag: Tag) =>
  run(resume(null), [`--cli=${cli}`, `--session=${sessionId}`, `--as=${tag}`, "--last", "--there", "--detach"])

export const handTo = (tag: Tag, cli: string, as: Tag) =>
  run(hand(null), [`--to=${cli}`, `--as=${as}`, "--detach", "--", tag])

export const forgetEnded = (tag: Tag, force: boolean) => run(forget, [tag, ...(force ? ["--force"] : [])])

export const moveTo = Effect.fnUntraced(function* (
  tag: Tag,
  directory: string,
  how: { readonly restart: boolean; readonly editor: boolean }
) {
  const to = fromTilde(directory, (yield* System).env["HOME"] ?? "")
  const flags = [...(how.restart ? ["--restart"] : []), ...(how.editor ? ["--editor"] : [])]
  yield* run(move(null), [...flags, "--", tag, to])
})
