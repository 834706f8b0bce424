import { Effect, Option } from "effect"
import type { Call, CallOf, Done } from "../../domain/surfaces/operations/calls.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { System } from "../../services/System.ts"
import { type CallDone, callHost } from "../client/callHost.ts"
import { requireStatus } from "../client/statuses.ts"
import { connectTo, NoSessionError, unlessStopped } from "../client/client.ts"
import { connectToSend, sendMessage } from "../client/sendMessage.ts"
import { sessionModes } from "./sessionModes.ts"
import { endSession, ownSession } from "./stopSession.ts"
import { forgetWorktree } from "./worktrees.ts"
import { dismissing } from "../../domain/words/attention/dismissing.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import type { NeedName, SessionStatus } from "../../domain/words/session/Session.ts"
import { changesText } from "../../domain/store/worktrees/changesText.ts"
import { GitChanges } from "../../services/GitChanges.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { busyProblem } from "../../domain/store/worktrees/Finish.ts"
import { WorktreeError, Worktrees } from "../../services/Worktrees.ts"

const refused = (message: string) => new WorktreeError({ kind: "refused", message })

/** Merges, rebases or commits a session's worktree. `discard` is refused: the session must end first. */
const finishSession = Effect.fn("finishSession")(function* (
  { cwd, state, tag }: Pick<SessionStatus, "cwd" | "state" | "tag">,
  { base, how, message }: Omit<CallOf<"Finish">, "_tag">
) {
  const problem =
    how === "discard" ? `session '${tag}' runs in its worktree: 'leap stop ${tag}' first` : busyProblem(tag, state)
  if (problem !== null || how === "discard") return yield* refused(problem ?? "")
  return yield* (yield* Worktrees).finish(cwd, { how, message, base })
})

/** Dismisses needs in the stored status of an ended session, and returns their number. */
const dismissEnded = Effect.fn("dismissEnded")(function* (tag: Tag, needs: ReadonlyArray<NeedName> | null) {
  const store = yield* StatusStore
  const paths = (yield* Paths).session(tag)
  // the lock keeps a host from starting meanwhile, whose status would be overwritten
  yield* (yield* SessionLock).acquire(paths.lock)
  const last = Option.getOrNull(yield* store.read(paths.status))
  if (last === null) return 0
  const dismissed = dismissing(last, needs)
  const count = needsOf(last).length - needsOf({ ...last, dismissed }).length
  if (count > 0) yield* store.write(paths.status, { ...last, dismissed }, true)
  return count
}, Effect.scoped)

/** Finishes a session's worktree. An ended session cannot start meanwhile. */
const finishHere = Effect.fn("finishHere")(function* (tag: Tag, call: CallOf<"Finish">) {
  const { cwd, state } = yield* requireStatus(tag)
  if (state !== "exited") return yield* finishSession({ cwd, state, tag }, call)
  yield* ownSession(tag)
  if (call.how === "discard")
    return yield* forgetWorktree(tag, { cwd, agreed: call.losses }).pipe(
      Effect.map((said) => ({ said, committed: null, merged: null, losses: null })),
      Effect.catchTag("WorktreeError", (error) =>
        error.losses === undefined
          ? Effect.fail(error)
          : Effect.succeed({ said: error.message, committed: null, merged: null, losses: error.losses })
      )
    )
  return yield* finishSession({ cwd, state, tag }, call)
}, Effect.scoped)

/** `note`: a remark on the result; null for none. */
export interface SessionCallDone extends CallDone {
  readonly note: string | null
}

const saying = (done: Done, note: string | null = null): SessionCallDone => ({
  done,
  about: undefined,
  text: null,
  note
})

const asked = (tag: Tag, call: Call) =>
  Effect.flatMap(connectTo(tag), (client) =>
    Effect.map(unlessStopped(tag, callHost(client, call)), (done): SessionCallDone => ({ ...done, note: null }))
  )

/** Runs `ended` if the session has ended: some operations need no host. */
const orEnded = <A, E, R, E2, R2>(
  asking: Effect.Effect<A, E | NoSessionError, R>,
  ended: (error: NoSessionError) => Effect.Effect<A, E2, R2>
): Effect.Effect<A, E | E2 | NoSessionError, R | R2> =>
  Effect.catch(asking, (error): Effect.Effect<A, E | E2 | NoSessionError, R2> =>
    error instanceof NoSessionError && error.ended ? ended(error) : Effect.fail(error)
  )

/**
 * Calls an operation of a session for any surface. Calls survive a host's death as commands do: a message is queued
 * once however often it is sent, a hanging host can be stopped, and the modes of a stopped session apply to its next
 * start.
 */
export const callSession = Effect.fn("callSession")(function* (tag: Tag, call: Call) {
  switch (call._tag) {
    case "Send": {
      const id = call.id ?? (yield* (yield* System).newId)
      const { _tag, ...message } = call
      yield* sendMessage(tag, yield* connectToSend(tag), { ...message, id })
      return saying({ _tag, call, result: { id } })
    }
    case "Stop": {
      const { exit, note } = yield* endSession(tag, call.force)
      return saying({ _tag: call._tag, call, result: exit ?? { code: null, signal: null } }, note)
    }
    case "SetModes":
      return saying({ _tag: call._tag, call, result: yield* sessionModes(tag, call.modes) })
    case "Changes":
      return yield* orEnded(
        asked(tag, call),
        Effect.fnUntraced(function* (error) {
          const { snapshots, status } = (yield* Paths).session(tag)
          const last = Option.getOrNull(yield* (yield* StatusStore).read(status))
          if (last === null) return yield* error
          const result = yield* (yield* GitChanges).look(last.cwd, call.against, snapshots)
          return { ...saying({ _tag: call._tag, call, result }), text: changesText(result) }
        })
      )
    case "Finish":
      return yield* Effect.map(finishHere(tag, call), (result) => saying({ _tag: call._tag, call, result }))
    case "Dismiss":
      return yield* orEnded(asked(tag, call), () =>
        Effect.map(dismissEnded(tag, call.needs), (dismissed) =>
          saying({ _tag: call._tag, call, result: { dismissed } })
        )
      )
    default:
      return yield* asked(tag, call)
  }
}, Effect.scoped)
