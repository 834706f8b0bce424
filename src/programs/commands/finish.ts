import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  type Finish,
  finishes,
  finishLabel,
  offeredFinishes,
  worktreeLine
} from "../../domain/store/worktrees/Finish.ts"
import type { CallOf } from "../../domain/surfaces/operations/calls.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { requireStatus } from "../client/statuses.ts"
import { askChoice, askText, askYes } from "../prompts/ask.ts"
import { fail } from "../exit.ts"
import { callSession } from "../sessions/callSession.ts"
import { jsonFlag, print, tagArgument, textFlag } from "./shared/common.ts"

type Wish = Omit<CallOf<"Finish">, "_tag">

const losing = (tag: Tag, lines: ReadonlyArray<string>, id: string): string =>
  `nothing is discarded: ${lines.join("; ")} would be lost; 'leap finish ${tag} discard --losses ${id}' loses that`

const finishing = Effect.fnUntraced(function* (tag: Tag, wish: Wish) {
  const { done } = yield* callSession(tag, { _tag: "Finish", ...wish })
  return done._tag === "Finish" ? done.result : yield* Effect.die("another call's answer")
})

/** Asks how to finish a session's worktree, and does it. Returns the line about it; "" if nothing was done. */
export const askFinish = Effect.fn("askFinish")(function* (tag: Tag) {
  const output = yield* Output
  const { done } = yield* callSession(tag, { _tag: "Changes", against: null })
  const worktree = done._tag === "Changes" ? done.result.worktree : undefined
  if (worktree === undefined) return yield* fail("refused", `session '${tag}' lives in no worktree of its own`)
  yield* output.note(`${tag}: ${worktreeLine(worktree)}`)
  const { base, uncommitted } = worktree
  const offered = offeredFinishes(worktree, (yield* requireStatus(tag)).state === "exited")
  const how = yield* askChoice<Finish | null>("What is to become of it?", [
    ...offered.map((one) => ({ title: finishLabel(one, base), value: one, key: one.slice(0, 1) })),
    { title: "nothing now", value: null, key: "n" }
  ])
  if (how === null) return ""
  const message =
    uncommitted === 0 || how === "discard"
      ? null
      : yield* askText("The commit's message", "", (text) =>
          Effect.succeed(text.trim() === "" ? "a commit needs a message" : null)
        )
  const first = yield* finishing(tag, { how, message, base, losses: null })
  if (first.losses === null) return first.said
  for (const line of first.losses.lines) yield* output.note(`would be lost: ${oneLine(line, 500)}`)
  if (!(yield* askYes("Discard it all the same?"))) return ""
  return (yield* finishing(tag, { how, message, base, losses: first.losses.id })).said
})

export const finish = Command.make(
  "finish",
  {
    tag: tagArgument,
    how: Argument.Literals("how", finishes).pipe(
      Argument.withDescription("Merge its branch, rebase and merge it, commit only, or discard; asked without it"),
      Argument.optional
    ),
    message: textFlag("message", "Of the commit of what is not committed").pipe(Flag.withAlias("m")),
    losses: textFlag("losses", "Discard what a refusal told with this id"),
    json: jsonFlag
  },
  Effect.fn(function* ({ how, json, losses, message, tag }) {
    const output = yield* Output
    if (Option.isNone(how)) {
      if (json || !output.inputIsTerminal || !output.isTerminal)
        return yield* fail("usage", `what is to become of it? ${finishes.join(", ")}`)
      const said = yield* askFinish(tag)
      return said === "" ? undefined : yield* output.line(said)
    }
    const wish: Wish = {
      how: how.value,
      message: Option.getOrNull(message),
      base: null,
      losses: Option.getOrNull(losses)
    }
    const done = yield* finishing(tag, wish)
    if (done.losses !== null) return yield* fail("refused", losing(tag, done.losses.lines, done.losses.id))
    yield* print(json, { schema: 1, tag, ...done }, () => done.said)
  })
).pipe(
  Command.withDescription(
    "Finish the worktree that a session lives in: commit what is not committed, and merge its branch into the one " +
      "that the main work tree has checked out, or rebase it onto that; or discard it. All of it or nothing"
  ),
  Command.withShortDescription("Commit, merge or discard a session's worktree")
)
