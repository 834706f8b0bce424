import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { messageLine, oneLine, printable, waitsFor } from "../../domain/StateLine.ts"
import type { QueuedMessage } from "../../domain/Message.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { connectTo, lastStatus, NoSessionError } from "../client.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, tagArgument, textOrStdin, timeoutFlag, within, withSession } from "./common.ts"

const idArgument = Argument.String("id").pipe(Argument.withDescription("The message's id, as 'leap queue' shows it"))
const text = Argument.String("text").pipe(Argument.withDescription("The text, or - for standard input"))

/** Waits for the end of a message's receipt. */
const settled: ReadonlySet<string> = new Set(["done", "failed", "held"])

export const send = Command.make("send", {
  tag: tagArgument,
  text: text.pipe(Argument.variadic({ min: 1 })),
  image: Flag.String("image").pipe(Flag.withDescription("Attach an image file"), Flag.atLeast(0)),
  front: Flag.Boolean("front").pipe(Flag.withDescription("Before all that waits"), Flag.withDefault(false)),
  force: Flag.Boolean("force").pipe(
    Flag.withDescription("Next, without waiting for ready (never into a dialog)"),
    Flag.withDefault(false)
  ),
  wait: Flag.Boolean("wait").pipe(
    Flag.withDescription("Until its turn is over; then print the last assistant message"),
    Flag.withDefault(false)
  ),
  timeout: timeoutFlag,
  json: jsonFlag
}, Effect.fn(function*({ force, front, image, json, tag, text, timeout, wait }) {
  const message = yield* textOrStdin(text.join(" "))
  if (message.trim() === "" && image.length === 0) return yield* fail("usage", "the message is empty")
  const machine = yield* Machine
  const images = yield* Effect.forEach(image, (file) =>
    Effect.flatMap(machine.file(file), Option.match({
      onNone: () => Effect.fail(fail("usage", `no image file ${file}`)),
      onSome: (path) => Effect.succeed(path)
    })))
  yield* Effect.gen(function*() {
    const client = yield* connectTo(tag)
    const { id } = yield* client.Send({ text: message, images, front, force })
    const now = yield* client.Status()
    const holds = now.state === "needs_permission" || now.state === "needs_input"
      ? `waits: '${tag}' asks ${oneLine(now.message ?? "something", 80)} ('leap answer ${tag} <number or text>')`
      : now.state === "interrupted" || now.dialog
      ? waitsFor(now)
      : null
    if (holds !== null && !force) yield* (yield* Output).note(`leap: queued; it ${holds}`)
    if (!wait) return yield* print(json, { schema: 1, id }, () => id)
    const receipt = yield* client.Receipt({ id }).pipe(
      Stream.filter((now) => settled.has(now.status)),
      Stream.runHead,
      within(timeout, `message ${id} is queued, but its turn was not over`)
    )
    if (Option.isNone(receipt)) return yield* fail("failed", `session '${tag}' ended before the turn of message ${id} was over`)
    const { status, why } = receipt.value
    if (status !== "done") {
      return yield* fail(status === "held" ? "refused" : "failed", `message ${id} was ${status}: ${why ?? "no reason known"}`)
    }
    const { text: response } = yield* client.Response({ id })
    yield* print(json, { schema: 1, id, status, response }, () => printable(response ?? ""))
  }).pipe(Effect.scoped)
})).pipe(Command.withDescription("Queue a message; print its id"))

/** Receipts that the list for people ends with; --json has all that are kept. */
const recentShown = 5

const listing = (queue: ReadonlyArray<QueuedMessage>, recent: ReadonlyArray<QueuedMessage>): string =>
  [
    ...queue.map((message, i) => `${String(i + 1).padStart(2)}  ${messageLine(message)}`),
    ...recent.slice(-recentShown).map((message) => `    ${messageLine(message)}`)
  ].join("\n")

const list = Effect.fn("queue.list")(function*(tag: Parameters<typeof connectTo>[0], json: boolean) {
  const { queue, recent } = yield* withSession(tag, (client) => client.Queue()).pipe(
    Effect.catchTag("NoSessionError", () =>
      Effect.flatMap(lastStatus(tag), Option.match({
        onNone: () => Effect.fail(new NoSessionError({ tag, ended: false })),
        onSome: (session) => Effect.succeed({ queue: session.queue, recent: [] })
      })))
  )
  yield* print(json, { schema: 1, tag, queue, recent }, () => listing(queue, recent))
})

const edit = Command.make("edit", { tag: tagArgument, id: idArgument, text }, Effect.fn(function*({ id, tag, text }) {
  const changed = yield* textOrStdin(text)
  yield* withSession(tag, (client) => client.QueueEdit({ id, text: changed }))
})).pipe(Command.withDescription("Change a message that waits"))

const move = Command.make("move", {
  tag: tagArgument,
  id: idArgument,
  position: Argument.Int("position").pipe(Argument.withDescription("1 is next"))
}, ({ id, position, tag }) => withSession(tag, (client) => client.QueueMove({ id, position }))).pipe(
  Command.withDescription("Move a message to a position")
)

const remove = Command.make("remove", { tag: tagArgument, id: idArgument }, ({ id, tag }) =>
  withSession(tag, (client) => client.QueueRemove({ id }))).pipe(Command.withDescription("Take a message out"))

const clear = Command.make("clear", { tag: tagArgument }, Effect.fn(function*({ tag }) {
  const { removed } = yield* withSession(tag, (client) => client.QueueClear())
  yield* (yield* Output).note(removed === 1 ? "1 message removed" : `${removed} messages removed`)
})).pipe(Command.withDescription("Take all waiting messages out"))

const release = Command.make("release", { tag: tagArgument, id: idArgument.pipe(Argument.optional) }, Effect.fn(
  function*({ id, tag }) {
    const { released } = yield* withSession(tag, (client) => client.QueueRelease({ id: Option.getOrNull(id) }))
    yield* (yield* Output).note(released === 1 ? "1 message released" : `${released} messages released`)
  }
)).pipe(Command.withDescription("Let held messages go out: one, or all"))

const show = Command.make("show", { tag: tagArgument, json: jsonFlag }, ({ json, tag }) => list(tag, json)).pipe(
  Command.withDescription("The session's queue (also: leap queue <tag>)")
)

/** Verbs of `leap queue`; anything else behind it is a tag. */
export const queueVerbs: ReadonlySet<string> = new Set(["edit", "move", "remove", "clear", "release", "show"])

export const queue = Command.make("queue").pipe(
  Command.withDescription("See and change a session's queue: leap queue <tag>"),
  Command.withSubcommands([show, edit, move, remove, clear, release])
)
