import { Clock, DateTime, Effect, Option, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { momentNamed } from "../../domain/words/reading/DayTime.ts"
import { callCommands } from "../../domain/surfaces/operations/callCommands.ts"
import { isFailed } from "../../domain/words/session/failedMessage.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { conditionText } from "../../domain/words/wording/conditionText.ts"
import { goesFirst, heldNote } from "../../domain/words/wording/queueListing.ts"
import { obstacleFor } from "../../domain/words/wording/obstacleFor.ts"
import { heldText, waitsForUser } from "../../domain/words/wording/StateLine.ts"
import { lostTextNote } from "../../domain/words/wording/TurnEnding.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { Condition } from "../../domain/words/session/Message.ts"
import { shortId } from "../../domain/words/session/shortId.ts"
import { System } from "../../services/System.ts"
import { localTimeZone } from "../../services/localTimeZone.ts"
import { Output } from "../../services/Output.ts"
import type { connectTo } from "../client/client.ts"
import { statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { connectToSend, sendMessage } from "../client/sendMessage.ts"
import { isHeldBack, settledReceipt, turnResult } from "../client/awaitTurn.ts"
import { callCommand, callCommandNamed, runCall } from "./callCommand.ts"
import { askChoice } from "../prompts/ask.ts"
import {
  jsonFlag,
  tagArgument,
  tagFlag,
  textFlag,
  textFlags,
  textOrStdin,
  timeoutFlag,
  toggle,
  within,
  wordArgument
} from "./shared/common.ts"
import { allFlag, chooseWithText, type Done, forChosen, tagsFlag } from "./shared/many.ts"

/** Reports that a new message overtakes held ones; at a terminal the user decides. */
const mayOvertake = Effect.fnUntraced(function* (
  tag: Tag,
  client: Effect.Success<ReturnType<typeof connectTo>>,
  asks: boolean
) {
  const output = yield* Output
  const now = yield* client.Status()
  const held = heldText(now.queue)
  // while a message waits for the user's word, a new one is queued behind it and held too
  if (held === null || waitsForUser(now)) return
  if (!asks || !output.isTerminal || !output.inputIsTerminal) {
    return yield* output.note(`leap: ${goesFirst(tag, held)}`)
  }
  const choice = yield* askChoice<"first" | "behind" | null>(`${held} from before.`, [
    { title: "send this one first; what is held stays so", value: "first" },
    { title: "release what is held, and send this one behind it", value: "behind" },
    { title: "do not send it", value: null }
  ])
  if (choice === null) return yield* fail("cancelled", "")
  if (choice === "behind") yield* client.QueueRelease({ id: null })
})

const conditionNote = (when: ReadonlyArray<Condition>, { problem }: SessionStatus): string =>
  when.some(({ _tag }) => _tag === "Reset") && problem?.kind !== "rate_limited"
    ? `${conditionText(when)} (no limit is known now)`
    : conditionText(when)

/** Sends to one session; `wait`: until the end of the turn; `asks`: the user may decide on the order. */
const sendOne = Effect.fnUntraced(function* (
  tag: Tag,
  message: Parameters<typeof sendMessage>[2],
  { asks, timeout, wait }: { readonly asks: boolean; readonly timeout: Option.Option<number>; readonly wait: boolean }
) {
  const output = yield* Output
  const { force, front } = message
  const first = yield* connectToSend(tag)
  const { when = [] } = message
  if (!front && !force) yield* mayOvertake(tag, first, asks)
  const { client, id } = yield* sendMessage(tag, first, message)
  const now = yield* client.Status()
  if (when.length > 0) yield* output.note(`leap: it waits: ${conditionNote(when, now)}`)
  const obstacle = force ? null : obstacleFor(now, id, force, when.length > 0)
  const kept = force || when.length > 0 ? null : heldNote(now)
  if (kept !== null) yield* output.note(`leap: ${kept}`)
  else if (obstacle !== null) yield* output.note(`leap: queued; it ${obstacle}`)
  if (!wait) return { document: { id }, text: id } satisfies Done
  // whoever waits cannot see the dialog, so each obstacle is printed once
  yield* client.Watch().pipe(
    Stream.map((status) => obstacleFor(status, id, force)),
    Stream.changes,
    Stream.runForEach((text) =>
      text === null || text === obstacle ? Effect.void : output.note(`leap: message ${shortId(id)} ${text}`)
    ),
    Effect.ignore,
    Effect.forkScoped
  )
  const last = yield* settledReceipt(client, id).pipe(
    within(timeout, `the turn of message ${shortId(id)} was not over`)
  )
  if (isHeldBack(last))
    return yield* fail("refused", `message ${shortId(id)} was held: ${last?.why ?? "no reason known"}`)
  if (last?.status === "removed") return yield* fail("failed", `message ${shortId(id)} was ${last.why ?? "removed"}`)
  const { outcome, response, why } = yield* turnResult({ tag, client, id, last, before: now.lastResponse })
  const lost = lostTextNote(outcome, response, tag)
  const stays = last !== null && isFailed(last) ? `; it stays in the queue ('leap queue ${tag}')` : ""
  return {
    document: { id, status: last?.status ?? null, response, outcome, why },
    text: printable(response ?? ""),
    failure:
      why === null
        ? null
        : fail("incomplete", `message ${shortId(id)}: ${lost === null ? why : `${why}; ${lost}`}${stays}`)
  } satisfies Done
})

const conditionsOf = Effect.fnUntraced(function* ({
  after,
  afterBackground,
  afterReset,
  at
}: {
  readonly after: Option.Option<Tag>
  readonly afterBackground: boolean
  readonly afterReset: boolean
  readonly at: Option.Option<string>
}) {
  const when: Array<Condition> = []
  if (Option.isSome(at)) {
    const zone = yield* localTimeZone
    const moment = momentNamed(at.value, yield* Clock.currentTimeMillis, zone)
    if (moment === null)
      return yield* fail("usage", `--at: '${oneLine(at.value, 40)}' is no time like 06:30, 2026-01-31T06:30 or 90m`)
    when.push({ _tag: "At", at: DateTime.formatIso(DateTime.makeUnsafe(moment)) })
  }
  if (afterBackground) when.push({ _tag: "Background" })
  if (Option.isSome(after)) {
    const other = Option.getOrNull(yield* statusOf(after.value))
    if (other === null || other.state === "exited")
      return yield* fail("notFound", `--after: there is no session '${after.value}' that runs`)
    when.push({ _tag: "Session", tag: after.value })
  }
  if (afterReset) when.push({ _tag: "Reset" })
  return when
})

export const send = Command.make(
  "send",
  {
    words: wordArgument(
      "tag, then text",
      "The session's name or a pattern (none with --all or --tags), then the text, or - for standard input"
    ).pipe(Argument.variadic({ min: 1 })),
    all: allFlag,
    tags: tagsFlag,
    image: textFlags("image", "Attach an image file"),
    front: toggle("front", "Before all that waits"),
    force: toggle(
      "force",
      "Type it as soon as the box is free: into a running turn too, and after an interrupt (never into a dialog)"
    ),
    wait: toggle("wait", "Until its turn is over; then print the last assistant message"),
    at: textFlag("at", "Not before this time: 06:30, 2026-01-31T06:30, or in so long: 90m, 2h"),
    after: tagFlag("after", "Not before the turn of that session, and all that is queued there, is over"),
    afterBackground: toggle("after-background", "Not before its background work is over"),
    afterReset: toggle("after-reset", "Not before the usage limit that it has met is over"),
    timeout: timeoutFlag,
    id: textFlag("id", "Under an id of your own: sent again under it, it is not queued a second time"),
    json: jsonFlag
  },
  Effect.fn(function* (flags) {
    const { all, force, front, id: given, image, json, tags, timeout, wait, words } = flags
    const { chosen, rest } = yield* chooseWithText(words, { all, tags })
    if (rest.length === 0 && image.length === 0)
      return yield* fail("usage", "what is to be sent? a text behind the tag, or - for standard input")
    const typed = rest.join(" ")
    const text = yield* textOrStdin(typed)
    if (text.trim() === "" && image.length === 0) return yield* fail("usage", "the message is empty")
    const system = yield* System
    const images = yield* Effect.forEach(image, (file) =>
      Effect.flatMap(
        system.file(file),
        Option.match({
          onNone: () => Effect.fail(fail("usage", `no image file ${file}`)),
          onSome: (path) => Effect.succeed(path)
        })
      )
    )
    const asks = chosen._tag === "Single" && !json && typed !== "-"
    const when = yield* conditionsOf(flags)
    if (when.length > 0 && force)
      return yield* fail("usage", "--force types at once: nothing that it is to wait for goes with it")
    const message = { text, images, front, force, ...(when.length === 0 ? {} : { when }) }
    yield* forChosen(
      chosen,
      json,
      Effect.fnUntraced(function* (tag) {
        const id = Option.isSome(given) ? given.value : yield* system.newId
        return yield* sendOne(tag, { ...message, id }, { asks, wait, timeout })
      }, Effect.scoped)
    )
  })
).pipe(Command.withDescription("Queue a message; print its id"))

const show = Command.make(
  "show",
  { tag: tagArgument, json: jsonFlag },
  Effect.fn(function* ({ json, tag }) {
    const output = yield* Output
    const isHere = output.isTerminal && output.inputIsTerminal && !json
    const last = isHere ? yield* statusOf(tag) : Option.none()
    if (Option.isNone(last) || last.value.state === "exited")
      return yield* runCall(callCommandNamed("queue list"), { _tag: "Single", tag }, { _tag: "Queue" }, json)
    // loaded lazily, because no other command needs it
    const client = yield* Effect.promise(() => import("../queueClient/queueClient.ts"))
    return yield* client.openQueueClient(tag)
  })
).pipe(Command.withDescription("The session's queue (also: leap queue <tag>)"))

const verbs = callCommands.filter(({ name }) => name.startsWith("queue ")).map(({ name }) => callCommand(name))

export const queue = Command.make("queue").pipe(
  Command.withDescription("See and change a session's queue: leap queue <tag>"),
  Command.withSubcommands([show, ...verbs])
)
