import { runs } from "../../domain/words/session/states.ts"
import { Effect, FileSystem, Option } from "effect"
import { Command } from "effect/cli"
import { Tag } from "../../domain/words/session/Tag.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { Worktrees } from "../../services/Worktrees.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { askChoice, askYes } from "../prompts/ask.ts"
import { endSession, ownSession } from "../sessions/stopSession.ts"
import { hooksRemove } from "../cliSetup/hooks.ts"
import { jsonFlag, print, toggle } from "./shared/common.ts"
import { removeSkills } from "./skill.ts"

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`
const running = (tags: ReadonlyArray<string>): string =>
  `${counted(tags.length, "session")} ${tags.length === 1 ? "runs" : "run"} (${tags.join(", ")})`

/** Asks whether running sessions end. Without a user they continue; with `all` it then fails. */
const askRunning = Effect.fnUntraced(function* (all: boolean) {
  const tags = (yield* allStatuses()).filter(runs).map(({ tag }) => tag)
  if (tags.length === 0) return { end: [], goOn: [] }
  const output = yield* Output
  const them = tags.length === 1 ? "it" : "them"
  const isSeen = output.isTerminal && output.inputIsTerminal
  if (isSeen) {
    const choice = yield* askChoice<"leave" | "end" | "on">(`${running(tags)}.`, [
      { title: "change nothing", value: "leave" },
      { title: `end ${them} first`, value: "end" },
      ...(all ? [] : [{ title: `let ${them} go on, without hooks from now on`, value: "on" } as const])
    ])
    if (choice === "leave") return yield* fail("cancelled", "nothing was changed")
    return choice === "end" ? { end: tags, goOn: [] } : { end: [], goOn: tags }
  }
  return all ? yield* fail("refused", `${running(tags)}; 'leap stop --all' ends ${them}`) : { end: [], goOn: tags }
})

export const uninstall = Command.make(
  "uninstall",
  {
    all: toggle("all", "Remove what leap keeps, too: sessions with their queues, the record, settings"),
    json: jsonFlag
  },
  Effect.fn(function* ({ all, json }) {
    const output = yield* Output
    const paths = yield* Paths
    const fs = yield* FileSystem.FileSystem
    const { end, goOn } = yield* askRunning(all)
    const worktrees = (yield* (yield* Worktrees).all).map(({ path }) => path)
    const held = (yield* allStatuses()).reduce((sum, { queue }) => sum + queue.length, 0)
    const kept = yield* paths.kept
    if (all && kept.length > 0 && output.isTerminal && output.inputIsTerminal) {
      for (const { paths, what } of kept) yield* output.note(`${what}: ${paths.join(", ")}`)
      const unsent = held === 0 ? "" : `, with ${counted(held, "unsent message")}`
      if (!(yield* askYes(`Remove all of these${unsent}?`))) return yield* fail("cancelled", "nothing was changed")
    }
    // after the last question
    yield* Effect.forEach(end, (tag) => endSession(Tag.make(tag), false))
    const hooks = yield* hooksRemove(Option.none())
    const skills = yield* removeSkills
    const failed = hooks.filter(({ problem }) => problem !== null)
    // the scripts stay while settings still name them
    const removed = all && failed.length === 0 ? kept : []
    if (removed.length > 0)
      yield* Effect.forEach(yield* paths.tags, (tag) =>
        Effect.scoped(Effect.andThen(ownSession(tag), paths.removeSession(tag)))
      )
    yield* Effect.forEach(
      removed.flatMap(({ paths }) => paths),
      (path) => fs.remove(path, { recursive: true, force: true })
    )
    const left = removed.length > 0 ? [] : kept
    const others = removed.length === 0 ? [] : yield* paths.others
    yield* print(json, { schema: 1, hooks, skills, removed, left, running: goOn, worktrees }, () => {
      const rows = [
        ...hooks
          .filter(({ changed, problem }) => changed || problem !== null)
          .map(({ displayName, file, problem }) => [
            problem === null ? "taken out of" : "still in",
            file,
            problem ?? displayName
          ]),
        ...skills.map((file) => ["removed", file, "the page for agents"]),
        ...removed.flatMap(({ paths, what }) => paths.map((path) => ["removed", path, what])),
        ...left.flatMap(({ paths, what }) => paths.map((path) => ["left", path, what])),
        ...worktrees.map((path) => ["left", path, "a git worktree that leap made: 'git worktree remove' removes it"])
      ]
      return rows.length === 0 ? "leap is in no CLI's settings, and keeps nothing here" : table(rows)
    })
    if (!json) {
      if (others.length > 0) yield* output.note(`leap: left, as they are not leap's: ${others.join(", ")}`)
      if (goOn.length > 0)
        yield* output.note(`leap: these sessions go on, without hooks from now on: ${goOn.join(", ")}`)
      if (left.length > 0 && failed.length === 0)
        yield* output.note("leap: 'leap uninstall --all' removes what is left, with all sessions and the record")
      yield* output.note("leap: the program itself goes as it came: 'npm uninstall -g' of it, or its link and folder")
    }
    if (failed.length > 0)
      return yield* fail(
        "failed",
        `leap is still in the settings of ${failed.map((one) => one.displayName).join(", ")}`
      )
  })
).pipe(
  Command.withDescription(
    "Take leap out of all CLIs' settings, and say what is left of it. Sessions that run are asked about, and go on " +
      "where nobody answers"
  ),
  Command.withShortDescription("Take leap out of all CLIs, and say what is left of it")
)
