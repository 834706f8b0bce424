import { Effect, Exit, Option } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { worktreeAt, worktreeOf, type WorktreeRecord } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { type WorktreeRequest, Worktrees } from "../../services/Worktrees.ts"
import { lastStatus } from "../client/client.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { isWithin } from "../../domain/words/text/paths.ts"

const shownPath = (path: string): string => oneLine(path, 300)

export type WorktreeWords = Pick<WorktreeRequest, "branch" | "from"> & { readonly setup: string | null }

/** Runs `use` in the session's worktree, made or reused. If it fails, a new one is removed unless it is in use. */
export const inWorktree = <A, E, R>(
  tag: Tag,
  directory: string,
  words: WorktreeWords,
  use: (directory: string) => Effect.Effect<A, E, R>
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const output = yield* Output
      const worktrees = yield* Worktrees
      const { worktrees: preferred } = (yield* (yield* UserSettings).read).settings
      const home = (yield* System).env["HOME"] ?? ""
      const tell = (line: string) => output.note(`leap: ${line}`)
      const { notes, record, reused } = yield* restore(
        worktrees.make(
          {
            tag,
            directory,
            branch: words.branch,
            from: words.from,
            setup: words.setup ?? preferred.setup,
            parent: preferred.directory == null ? null : fromTilde(preferred.directory, home)
          },
          tell
        )
      )
      yield* tell(
        `${reused ? "the session's own" : "made the"} worktree ${shownPath(record.path)} ` +
          `(branch '${oneLine(record.branch, 100)}')`
      )
      for (const note of notes) yield* tell(note)
      const exit = yield* Effect.exit(restore(use(record.path)))
      if (Exit.isFailure(exit) && !reused) {
        const kept = yield* worktrees.undo(record)
        yield* tell(
          kept.length === 0
            ? "the worktree was taken back"
            : `the worktree ${shownPath(record.path)} stays: ${kept.join("; ")}`
        )
      }
      return yield* exit
    })
  )

/** The session's own worktree, if it last lived there. Fails if it is gone: another checkout would be wrong. */
export const ownWorktree = Effect.fn("ownWorktree")(function* (tag: Tag) {
  const before = yield* lastStatus(tag)
  if (Option.isNone(before)) return Option.none<string>()
  const { cwd } = before.value
  const record = worktreeOf(yield* (yield* Worktrees).all, tag, cwd)
  if (record === null || !isWithin(cwd, record.path)) return Option.none<string>()
  const system = yield* System
  for (const directory of [cwd, record.path])
    if (Option.isSome(yield* system.directory(directory))) return Option.some(directory)
  const hidden = yield* system.hidden(record.path)
  return yield* fail(
    "refused",
    hidden === null
      ? `the worktree of session '${tag}' is gone (${shownPath(record.path)}): '--worktree' makes one again, ` +
          "--cwd DIR starts it elsewhere"
      : `the worktree of session '${tag}', ${shownPath(record.path)}, ${goneOr(hidden)}; --cwd DIR starts it elsewhere`
  )
})

/** The worktree that the session was, or will be, moved out of; null for none. */
export const worktreeLeft = Effect.fn("worktreeLeft")(function* (tag: string, from: string, to: string) {
  const record = worktreeAt(yield* (yield* Worktrees).all, from)
  return record === null || record.tag !== tag || isWithin(to, record.path) ? null : record
})

const usersOf = Effect.fnUntraced(function* (record: WorktreeRecord, tag: Tag) {
  const sessions = (yield* allStatuses()).filter((status) => status.tag !== tag && isWithin(status.cwd, record.path))
  return sessions.map((status) =>
    status.state === "exited" ? `session '${status.tag}', which has ended there,` : `session '${status.tag}'`
  )
})

/** The worktree that leap made for a session; null for none. */
export const madeWorktree = Effect.fn("madeWorktree")(function* (tag: Tag) {
  const cwd = Option.getOrNull(yield* lastStatus(tag))?.cwd ?? null
  return worktreeOf(yield* (yield* Worktrees).all, tag, cwd)
})

/** Removes the worktree that leap made for a session. `discard`: the one at `cwd`, with the losses of this id. */
export const forgetWorktree = Effect.fn("forgetWorktree")(function* (
  tag: Tag,
  discard?: { readonly cwd: string; readonly agreed: string | null }
) {
  const worktrees = yield* Worktrees
  const record = yield* madeWorktree(tag)
  if (record === null) return yield* fail("notFound", `leap has made no worktree for session '${tag}'`)
  if (discard !== undefined && !isWithin(discard.cwd, record.path))
    return yield* fail(
      "refused",
      `session '${tag}' lived last in ${shownPath(discard.cwd)}, which is no worktree that leap has made for it; ` +
        `'leap forget --worktree ${tag}' takes away ${shownPath(record.path)}`
    )
  const users = yield* usersOf(record, tag)
  const { branch, branchKept, gone, ignored } = yield* worktrees.remove(record, users, discard?.agreed)
  const name = oneLine(record.branch, 100)
  return (
    (gone
      ? `the worktree ${shownPath(record.path)} was gone already`
      : `removed the worktree ${shownPath(record.path)}`) +
    (branch ? `${gone ? ", and now is" : " and"} its branch '${name}'` : `; branch '${name}' stays`) +
    (branchKept === undefined ? "" : `, since git does not delete it: ${branchKept}`) +
    (ignored === "" ? "" : `; what git ignores went with it: ${ignored}`)
  )
})
