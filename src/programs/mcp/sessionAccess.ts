import { Effect, Result, Schema } from "effect"
import { fitsPattern } from "../../domain/words/arguments/TagPattern.ts"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { describe } from "../exit.ts"
import { type Session, ToolFailure } from "./tools.ts"

export interface Access {
  /** The tag patterns of allowed sessions; null for all. */
  readonly patterns: ReadonlyArray<string> | null
  readonly readOnly: boolean
}

const failure = (message: string) => new ToolFailure({ message: printable(message) })
export const refuse = (message: string): Effect.Effect<never, ToolFailure> => Effect.fail(failure(message))

export const covers = ({ patterns }: Access, tag: string): boolean =>
  patterns === null || patterns.some((pattern) => fitsPattern(pattern, tag))

/** The session that a caller names; an invalid tag, or one outside this server's access, is refused. */
export const tagIn = (access: Access, given: string): Effect.Effect<Tag, ToolFailure> => {
  const tag = Schema.decodeUnknownResult(Tag)(given)
  if (Result.isFailure(tag))
    return refuse(`'${oneLine(given, 60)}' is no tag of a session; the tool 'sessions' lists those that there are`)
  return covers(access, tag.success)
    ? Effect.succeed(tag.success)
    : refuse(
        `session '${given}' is not for this server, which was started with --tags ${access.patterns?.join(",") ?? ""}`
      )
}

const mostCalls = 64

/** Runs a tool's work with the current services, limits concurrency, and turns errors into the commands' messages. */
export const makeGate = <R>() =>
  Effect.map(Effect.context<R>(), (context) => {
    let calls = 0
    return <A, E>(work: Effect.Effect<A, E, R>): Effect.Effect<A, ToolFailure> =>
      Effect.suspend(() => {
        if (calls >= mostCalls) return refuse(`${mostCalls} calls are under way already: wait for some of them`)
        calls++
        return work.pipe(
          Effect.mapError((error) => (error instanceof ToolFailure ? error : failure(describe(error).message))),
          Effect.ensuring(Effect.sync(() => void calls--)),
          Effect.provideContext(context)
        )
      })
  })

const over: ReadonlySet<string> = new Set(["done", "failed", "removed"])

export const asSession = (status: SessionStatus, own: string | null): Session => ({
  tag: status.tag,
  own: status.tag === own,
  cli: status.cli,
  state: status.state,
  ready: status.ready,
  reason: printable(status.reason),
  since: status.since,
  cwd: status.cwd,
  queued: status.queue.filter(({ status }) => !over.has(status)).length,
  question: status.question ?? null,
  problem: status.problem,
  needs: needsOf(status).map(({ kind, since, text, until }) => ({ kind, since, until, text })),
  queueWaits: status.pause?.text ?? null
})
