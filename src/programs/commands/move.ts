import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { oneLine } from "../../domain/StateLine.ts"
import type { SessionStatus } from "../../domain/Session.ts"
import type { SessionRecord } from "../../domain/sessions/SessionRecord.ts"
import type { Tag } from "../../domain/Tag.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { awaitStart } from "../awaitStart.ts"
import { allStatuses, statusOf } from "../client.ts"
import { fail } from "../exit.ts"
import { liveAs, recoverMoves, relocate } from "../relocating.ts"
import { checkStart, detachedSize, startSession } from "../start.ts"
import { jsonFlag, print, tagArgument, withSession } from "./common.ts"
import { tellStart } from "./start.ts"

/** States in which stopping a session costs nothing that is under way. */
const atRest: ReadonlySet<string> = new Set(["idle", "interrupted"])

/** The tag's session that is meant: the one that runs, else the one seen last, unless another is named. */
const find = Effect.fnUntraced(function*(tag: Tag, running: SessionStatus | null, named: Option.Option<string>) {
  const books = yield* (yield* SessionRecords).all
  const book = books.find((one) => one.tag === tag)?.book ?? []
  const records = book.map(({ record }) => record)
  if (Option.isSome(named)) {
    const exact = records.find(({ sessionId }) => sessionId === named.value)
    const [first, ...others] = exact === undefined ? records.filter(({ sessionId }) => sessionId.startsWith(named.value)) : [exact]
    if (first === undefined) return yield* fail("notFound", `'${tag}' had no session with the id ${oneLine(named.value, 80)}; 'leap resume --tag ${tag}' shows those it had`)
    if (others.length > 0) {
      const ids = [first, ...others].map(({ sessionId }) => sessionId).join(", ")
      return yield* fail("usage", `'${tag}' had several sessions whose ids begin with ${oneLine(named.value, 80)}: ${ids}`)
    }
    return first
  }
  if (running !== null) {
    const own = records.findLast(({ cli, sessionId }) => cli === running.cli && sessionId === running.sessionId)
    if (own !== undefined) return own
    return yield* fail("refused", `session '${tag}' has no conversation yet that could be moved`)
  }
  const last = records.at(-1)
  if (last === undefined) return yield* fail("notFound", `nothing is known of a session '${tag}' that could be moved`)
  return last
})

const asks: ReadonlySet<string> = new Set(["needs_permission", "needs_input"])

/** What the user may want to do next. */
const next = (tag: Tag, status: SessionStatus | null): string =>
  status === null
    ? `; 'leap resume --tag ${tag} --last' goes on with it`
    : asks.has(status.state)
    ? `; it asks you something there: 'leap attach ${tag}'`
    : ""

export const move = Command.make("move", {
  tag: tagArgument,
  directory: Argument.String("dir").pipe(Argument.withDescription("The directory that it is to live in")),
  session: Flag.String("session").pipe(Flag.withDescription("Another session of this tag than its last, by its id"), Flag.optional),
  restart: Flag.Boolean("restart").pipe(Flag.withDescription("Stop it if it runs, and go on with it there"), Flag.withDefault(false)),
  force: Flag.Boolean("force").pipe(Flag.withDescription("With --restart: even in the middle of a turn"), Flag.withDefault(false)),
  json: jsonFlag
}, Effect.fn(function*({ directory, force, json, restart, session, tag }) {
  const output = yield* Output
  const machine = yield* Machine
  if (force && !restart) return yield* fail("usage", "--force belongs to --restart")
  const to = yield* machine.directory(directory)
  if (Option.isNone(to)) return yield* fail("usage", `there is no directory ${oneLine(directory, 300)}`)
  yield* recoverMoves

  const statuses = yield* allStatuses()
  const running = statuses.find((status) => status.tag === tag && status.state !== "exited") ?? null
  const record = yield* find(tag, running, session)
  const live = liveAs(statuses, record)
  if (live !== null && (live.tag !== tag || !restart)) {
    return yield* fail("refused", live.tag !== tag
      ? `the conversation runs as session '${live.tag}': move that one, or 'leap stop ${live.tag}' first`
      : `session '${tag}' runs; 'leap stop ${tag}' ends it, --restart stops it, moves it and starts it there`)
  }
  if (live !== null && !atRest.has(live.state) && !force) {
    return yield* fail("refused", `session '${tag}' is ${live.state.replace("_", " ")}; 'leap wait ${tag}' waits for its turn's end, --force ends it all the same`)
  }
  const provider = yield* (yield* Providers).get(record.cli)
  const start = (of: SessionRecord, cwd: string) =>
    startSession({
      tag, cli: Option.some(of.cli), cwd: Option.some(cwd), args: [], size: detachedSize, waitForViewer: false,
      resumes: { sessionId: of.sessionId, transcriptPath: of.transcriptPath }
    })
  if (live !== null) {
    yield* checkStart(provider, record)
    yield* withSession(tag, (client) => client.Stop({ force: false }))
  }
  const moved = yield* relocate(record, to.value).pipe(
    // what was stopped for nothing goes on where it was
    Effect.tapError(() => live === null ? Effect.void : start(record, live.cwd).pipe(
      Effect.matchEffect({
        onSuccess: () => output.note(`leap: session '${tag}' goes on in ${live.cwd}`),
        onFailure: (error) => output.note(`leap: session '${tag}' was stopped and could not be started again: ${error.message}`)
      })
    ))
  )
  if (live !== null) {
    yield* tellStart(tag, { ...yield* start(moved.session, to.value), movedFrom: null })
    yield* awaitStart(tag)
  }
  const status = live === null ? null : Option.getOrNull(yield* statusOf(tag))
  const { copied, leftovers, linked, pending } = moved
  const { cli, sessionId, transcriptPath } = moved.session
  yield* print(json, {
    schema: 1, tag, cli, sessionId, transcriptPath, from: record.cwd, to: to.value, files: linked + copied, copied, leftovers, pending, state: status?.state ?? "exited"
  }, () => record.cwd === to.value
    ? `session '${tag}' lives in ${to.value} already`
    : `session '${tag}' lives in ${to.value} now (before: ${record.cwd})${next(tag, status)}`)
})).pipe(Command.withDescription("Make another directory the one that a session lives in"))
