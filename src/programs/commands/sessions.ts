import { Effect, Option, Ref, Schedule, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SessionState, type SessionStatus, turnOver } from "../../domain/Session.ts"
import { oneLine, paint, printable, stateLine, table } from "../../domain/StateLine.ts"
import { statusTable } from "../../domain/StatusTable.ts"
import type { Tag } from "../../domain/Tag.ts"
import { contextLong, costText } from "../../domain/usage/Format.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionLock } from "../../services/SessionLock.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { allStatuses, connectTo, lastStatus, NoSessionError, statusOf } from "../client.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, tagArgument, timeoutFlag, within, withSession } from "./common.ts"

const document = (sessions: ReadonlyArray<SessionStatus>) => ({ schema: 1, sessions })

const details = (session: SessionStatus, colour: boolean): string =>
  table([
    ["session", `${session.tag} (${session.displayName})`],
    ["state", stateLine(session, colour)],
    ["why", oneLine(session.reason, 120)],
    ["ready", session.ready ? "yes" : "no"],
    ["since", session.since],
    ["directory", oneLine(session.cwd, 200)],
    ["process", session.pid === null ? "none" : `${session.pid} (host ${session.hostPid})`],
    ["viewers", String(session.attached)],
    ...(session.context === null ? [] : [["context", contextLong(session.context)]]),
    ...(session.cost === null ? [] : [["cost", `${costText(session.cost)}${session.cost.estimated ? " (by leap's price table)" : ""}`]]),
    ...(session.lastMessage === null ? [] : [["you said", oneLine(session.lastMessage, 100)]]),
    ...(session.lastResponse === null ? [] : [["it said", oneLine(session.lastResponse, 100)]]),
    ...session.background.map((task) => ["background", `${task.kind}: ${oneLine(task.title, 80)} (${task.state})`]),
    ...session.queue.map((message) => [`message ${message.status}`, oneLine(message.text, 80)])
  ])

/** The status of a session that runs or ran. */
export const known = Effect.fn("known")(function*(tag: Tag) {
  const status = yield* statusOf(tag)
  if (Option.isNone(status)) return yield* new NoSessionError({ tag, ended: false })
  return status.value
})

/** Statuses of one session as they change; ends with the session. */
const changes = (tag: Tag) => Stream.unwrap(Effect.map(connectTo(tag, { patient: true }), (client) => client.Watch()))

/** Changes of all sessions, those that start later included: the directory is looked at once a second. */
const allChanges = Effect.gen(function*() {
  const paths = yield* Paths
  const watched = yield* Ref.make<ReadonlySet<string>>(new Set())
  const rescan = Effect.gen(function*() {
    const tags = yield* paths.tags
    const fresh = yield* Ref.modify(watched, (seen) => [tags.filter((tag) => !seen.has(tag)), new Set([...seen, ...tags])])
    return fresh
  })
  const follow = (tag: Tag) =>
    changes(tag).pipe(
      Stream.catchCause(() => Stream.fromEffect(Effect.map(lastStatus(tag), Option.getOrUndefined)).pipe(Stream.filter((status) => status !== undefined))),
      Stream.ensuring(Effect.andThen(Effect.sleep("1 second"), Ref.update(watched, (seen) => new Set([...seen].filter((one) => one !== tag)))))
    )
  return Stream.fromEffectSchedule(rescan, Schedule.spaced("1 second")).pipe(
    Stream.flatMap((fresh) => Stream.fromIterable(fresh)),
    Stream.flatMap(follow, { concurrency: "unbounded" }),
    // an ended session is looked at again each second: only what is new is a change
    Stream.changesWith((a, b) => a.tag === b.tag && JSON.stringify(a) === JSON.stringify(b))
  )
}).pipe(Stream.unwrap)

const showChanges = Effect.fn("showChanges")(function*<E, R>(stream: Stream.Stream<SessionStatus, E, R>, json: boolean) {
  const output = yield* Output
  const last = new Map<string, string>()
  yield* Stream.runForEach(stream, (status) => {
    const line = json
      ? JSON.stringify(document([status]))
      : `${status.tag}  ${stateLine(status, output.colour)}  ${paint(oneLine(status.reason, 80), 90, output.colour)}`
    if (last.get(status.tag) === line) return Effect.void
    last.set(status.tag, line)
    return output.line(line)
  })
})

export const status = Command.make("status", {
  tag: tagArgument.pipe(Argument.optional),
  json: jsonFlag,
  watch: Flag.Boolean("watch").pipe(Flag.withDescription("One line at each change"), Flag.withDefault(false))
}, Effect.fn(function*({ json, tag, watch }) {
  const output = yield* Output
  if (watch) {
    if (Option.isSome(tag)) {
      // a session that has ended has no changes to come: its last word is all
      const ended = yield* known(tag.value)
      return yield* ended.state === "exited"
        ? showChanges(Stream.make(ended), json)
        : Effect.scoped(showChanges(changes(tag.value), json))
    }
    return yield* Effect.scoped(showChanges(allChanges, json))
  }
  if (Option.isSome(tag)) {
    const session = yield* known(tag.value)
    return yield* print(json, document([session]), () => details(session, output.colour))
  }
  const sessions = yield* allStatuses()
  const columns = output.isTerminal ? yield* output.columns : null
  yield* print(json, document(sessions), () => statusTable(sessions, { colour: output.colour, columns }))
})).pipe(Command.withDescription("Sessions and what each is doing"))

const states = Flag.String("until").pipe(
  Flag.withDescription("States to wait for, separated by commas (default: until the turn is over)"),
  Flag.filterMap(
    (text) => {
      const all = text.split(",").map((state) => state.trim())
      return all.every((state) => (SessionState.literals as ReadonlyArray<string>).includes(state))
        ? Option.some(all)
        : Option.none()
    },
    (text) => `'${text}' is no list of states; states: ${SessionState.literals.join(", ")}`
  ),
  Flag.optional
)

export const wait = Command.make("wait", { tag: tagArgument, until: states, timeout: timeoutFlag, json: jsonFlag }, Effect.fn(
  function*({ json, tag, timeout, until }) {
    const wanted: ReadonlySet<string> = Option.match(until, { onNone: () => turnOver, onSome: (list) => new Set(list) })
    const reached = yield* Effect.gen(function*() {
      const first = yield* known(tag)
      if (first.state === "exited") return wanted.has("exited") ? first : yield* new NoSessionError({ tag, ended: true })
      const seen = yield* changes(tag).pipe(
        Stream.filter((status) => wanted.has(status.state) && (Option.isSome(until) || !turnToCome(status))),
        Stream.runHead,
        // a host that dies meanwhile leaves a status behind
        Effect.catchTag("RpcClientError", () => Effect.succeed(Option.none<SessionStatus>()))
      )
      if (Option.isSome(seen)) return seen.value
      const last = yield* known(tag)
      return wanted.has(last.state) ? last : yield* new NoSessionError({ tag, ended: true })
    }).pipe(Effect.scoped, within(timeout, `'${tag}' did not get to ${[...wanted].join(" or ")}`))
    yield* print(json, { schema: 1, tag, state: reached.state, ready: reached.ready, reason: reached.reason }, () => reached.state)
  }
)).pipe(Command.withDescription("Wait until the turn is over, or for a state; print it"))

const underWay: ReadonlySet<string> = new Set(["typed", "submitted", "started"])

/** A turn that has not begun yet: a message is being delivered, or an idle session has one to type next. */
const turnToCome = ({ queue, state }: SessionStatus): boolean =>
  state !== "exited" &&
  queue.some((message) => underWay.has(message.status) || state === "idle" && message.status === "queued")

export const answer = Command.make("answer", {
  tag: tagArgument,
  answer: Argument.String("answer").pipe(Argument.withDescription("The number of an option, or a text")),
  json: jsonFlag
}, Effect.fn(function*({ answer, json, tag }) {
  const answered = yield* withSession(tag, (client) => client.Answer({ answer }))
  yield* print(json, { schema: 1, tag, ...answered }, () => `${oneLine(answered.dialog, 80)} → ${oneLine(answered.answer, 80)}`)
})).pipe(
  Command.withDescription("Answer the dialog on the session's screen")
)

export const interrupt = Command.make("interrupt", { tag: tagArgument }, ({ tag }) =>
  withSession(tag, (client) => client.Interrupt())).pipe(Command.withDescription("Interrupt the turn"))

/**
 * Ends a session whose host does not answer. The session's lock tells that a host lives, and the status it wrote which
 * process it is; its CLI hangs up with it.
 */
const killed = Effect.fnUntraced(function*<E extends { readonly _tag: string }>(tag: Tag, error: E) {
  if (error._tag === "NoSessionError" || error._tag === "RefusedError") return yield* Effect.fail(error)
  const machine = yield* Machine
  const paths = (yield* Paths).session(tag)
  const last = yield* (yield* StatusStore).read(paths.status)
  const held = yield* (yield* SessionLock).acquire(paths.lock).pipe(
    Effect.scoped,
    Effect.match({ onSuccess: () => false, onFailure: (busy) => busy._tag === "SessionBusyError" })
  )
  if (!held || Option.isNone(last)) return { code: null, signal: null }
  for (const pid of [last.value.hostPid, last.value.pid]) if (pid !== null) yield* machine.kill(pid)
  return { code: null, signal: "SIGKILL" }
})

export const stop = Command.make("stop", {
  tag: tagArgument,
  force: Flag.Boolean("force").pipe(Flag.withDescription("Kill at once"), Flag.withDefault(false)),
  json: jsonFlag
}, Effect.fn(function*({ force, json, tag }) {
  const stopped = withSession(tag, (client) => client.Stop({ force }))
  const exit = yield* force ? stopped.pipe(Effect.timeout("5 seconds"), Effect.catch((error) => killed(tag, error))) : stopped
  yield* print(json, { schema: 1, tag, exit }, () => "")
})).pipe(Command.withDescription("End the session; what is queued is kept"))

export const forget = Command.make("forget", {
  tag: tagArgument,
  force: Flag.Boolean("force").pipe(Flag.withDescription("Even if messages are held for it"), Flag.withDefault(false))
}, Effect.fn(function*({ force, tag }) {
  const session = yield* known(tag)
  if (session.state !== "exited") return yield* fail("refused", `session '${tag}' runs; 'leap stop ${tag}' ends it`)
  const held = session.queue.filter((message) => message.status === "held").length
  if (held > 0 && !force) {
    return yield* fail("refused", `${held === 1 ? "1 message is" : `${held} messages are`} held for session '${tag}'; --force forgets them too`)
  }
  const paths = yield* Paths
  yield* Effect.scoped(Effect.andThen((yield* SessionLock).acquire(paths.session(tag).lock), paths.removeSession(tag)))
})).pipe(Command.withDescription("Remove what is kept of an ended session"))

export const screen = Command.make("screen", { tag: tagArgument, json: jsonFlag }, Effect.fn(function*({ json, tag }) {
  const shown = yield* withSession(tag, (client) => client.Screen()).pipe(
    // what an ended session showed last often says why it ended
    Effect.catchTag("NoSessionError", Effect.fnUntraced(function*(error) {
      const last = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
      return Option.isSome(last) ? { text: last.value, cols: null, rows: null } : yield* error
    }))
  )
  yield* print(json, { schema: 1, tag, ...shown }, () => shown.text)
})).pipe(Command.withDescription("The session's screen as text"))

export const last = Command.make("last", { tag: tagArgument, json: jsonFlag }, Effect.fn(function*({ json, tag }) {
  const session = yield* known(tag)
  if (session.lastResponse === null && !json) {
    return yield* fail("failed", `no assistant message of session '${tag}' is known yet`)
  }
  yield* print(json, { schema: 1, tag, text: session.lastResponse }, () => printable(session.lastResponse ?? ""))
})).pipe(Command.withDescription("The last assistant message"))
