import { Cause, Effect, Exit, Option, Random, Result, Schedule, Schema, Semaphore, Stream } from "effect"
import { delayAfter } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import type { SessionMemory } from "../../domain/surfaces/outgoing/SessionMemory.ts"
import type { SlackIncoming } from "../../domain/surfaces/outgoing/slackIncoming.ts"
import { lineMessage } from "../../domain/surfaces/outgoing/slackMessage.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import type { SlackSettings } from "../../domain/store/settings/OutSettings.ts"
import type { SlackDelivery } from "../../services/Slack.ts"
import { connectTo, withHost } from "../client/client.ts"
import { isInDoubt, sendMessage } from "../client/sendMessage.ts"
import { describe, fail } from "../exit.ts"
import type { SlackThreads } from "./slackThreads.ts"
import { callTimeout } from "../client/callHost.ts"
import type { Question } from "../../domain/words/session/Session.ts"

/** The most recent actions to remember, because Slack repeats actions that it considers lost. */
const mostDone = 2_000
/** The pause before reconnecting; Slack closes connections now and then. */
const reopen = "1 second"

const again = { times: 5, schedule: Schedule.exponential("2 seconds") }

type Pressed = Extract<SlackIncoming, { readonly _tag: "Pressed" }>
type Written = Exclude<SlackIncoming, Pressed>

/** The answer in a reply that is one, as the queue client takes them: `!a TEXT`; null for a message. */
const answerIn = (written: Written): string | null =>
  written._tag === "Reply" ? (/^!a\s+(\S[^]*)$/.exec(written.text.trim())?.[1] ?? null) : null

const failed = {
  Reply: "This was not queued",
  Edited: "This edit changed nothing in the queue",
  Deleted: "This was deleted here alone"
} as const

/** Runs a request to a session; returns the message if it failed or is in doubt, else null. */
const attempt = <A, E extends { readonly _tag: string }, R>(tag: string, not: string, run: Effect.Effect<A, E, R>) =>
  run.pipe(
    Effect.timeout(callTimeout),
    Effect.as(null),
    Effect.catchCause((cause) =>
      // an exiting host interrupts its calls
      Effect.sync(() => {
        const error = Option.getOrNull(Cause.findErrorOption(cause))
        const why = Cause.hasInterruptsOnly(cause)
          ? `the host of '${tag}' ended while it was asked`
          : describe(error ?? Cause.squash(cause)).message
        return error !== null && isInDoubt(error) ? why : `${not}: ${why}`
      })
    )
  )

const parseTag = Schema.decodeUnknownEffect(Tag)

/**
 * Carries out people's actions in Slack: a reply in a session's thread queues a message, or answers the dialog there
 * with a text (`!a TEXT`), its edit or deletion changes the queued message, and a button answers a dialog. Only people
 * of the allow list may act; failures are reported in the thread.
 */
export const slackPeople = Effect.fnUntraced(function* (
  settings: SlackSettings,
  threads: SlackThreads,
  memories: ReadonlyMap<string, SessionMemory>,
  say: (line: string) => Effect.Effect<void>
) {
  const scope = yield* Effect.scope
  const users = new Set(settings.users)
  /** Handled actions, and the people who were already refused. */
  const done = new Set<string>()
  const isFirst = (key: string): boolean => {
    if (done.has(key)) return false
    const [oldest] = done.size >= mostDone ? done : []
    if (oldest !== undefined) done.delete(oldest)
    done.add(key)
    return true
  }
  const tell = (thread: string, text: string) =>
    threads.using((to) => to.post(thread, lineMessage(text))).pipe(Effect.retry(again), Effect.ignore)
  const tellOne = (thread: string, user: string, text: string) =>
    Effect.ignore(threads.using((to) => to.whisper(thread, user, lineMessage(text))))

  const queued = Effect.fnUntraced(function* (written: Written, tag: string) {
    const id = `slack-${written.channel}-${written.time.replace(".", "-")}`
    const own = yield* parseTag(tag)
    const client = yield* connectTo(own)
    if (written._tag === "Deleted") return yield* client.QueueRemove({ id })
    const { text } = written
    if (written._tag === "Edited") return yield* client.QueueEdit({ id, text })
    yield* sendMessage(own, client, { id, text, images: [], front: false, force: false })
  }, Effect.scoped)

  const answering = Effect.fnUntraced(function* (tag: string, answer: string, question: Question | null) {
    const its = question === null ? {} : { question }
    yield* withHost(yield* parseTag(tag), (client) => client.Answer({ answer, ...its }))
  })
  const answered = Effect.fnUntraced(function* (answer: string, tag: string) {
    const dialog = memories.get(tag)?.dialog ?? null
    if (dialog === null) return yield* fail("refused", `'${tag}' shows no dialog`)
    yield* answering(tag, answer, dialog.question)
  })
  const carriedOut = (written: Written, tag: string, not: string) => {
    const answer = answerIn(written)
    return answer === null ? attempt(tag, not, queued(written, tag)) : attempt(tag, not, answered(answer, tag))
  }

  const onWritten = Effect.fnUntraced(function* (written: Written) {
    const { _tag, thread, time, user } = written
    const found = yield* Effect.result(threads.ownerOf(thread))
    if (Result.isSuccess(found) && found.success === null) return
    if (!users.has(user)) {
      if (isFirst(`stranger ${thread} ${user}`))
        yield* tellOne(thread, user, "This was not queued: you are not among those who may write to this session.")
      return
    }
    const owner = Result.isSuccess(found) ? found.success : null
    const more = _tag === "Reply" && written.more.length > 0 ? written.more.join(", ") : null
    const isAnswer = answerIn(written) !== null
    const not = isAnswer ? "Nothing was answered" : failed[_tag]
    const said =
      owner === null
        ? `${not}: what session this thread is of cannot be read ` +
          `(${Result.isFailure(found) ? found.failure.message : ""})`
        : !owner.isIts
          ? `${not}: session '${owner.tag}' was forgotten; one of that name that is started now has a thread of its own`
          : _tag === "Reply" && written.text.trim() === ""
            ? `${not}: it has no text${more === null ? "" : ` but ${more}`}; text alone is taken`
            : yield* carriedOut(written, owner.tag, not)
    if (said !== null) return yield* tell(thread, said)
    if (_tag === "Deleted") return yield* tell(thread, "What was deleted here is out of the queue.")
    const sign = isAnswer ? "white_check_mark" : _tag === "Reply" ? "inbox_tray" : "pencil2"
    yield* Effect.ignore(threads.using((to) => to.react(time, sign)))
    if (more !== null)
      yield* tell(thread, `The text was ${isAnswer ? "answered" : "queued"} without ${more}: text alone is taken.`)
  })

  const onPress = Effect.fnUntraced(function* ({ dialog, number, thread, time, user }: Pressed) {
    const place = thread ?? time
    if (!users.has(user))
      return yield* tellOne(place, user, "Nothing was answered: you are not among those who may answer.")
    const before = threads.answeredBy(dialog)
    if (before !== null) return yield* tellOne(place, user, `Nothing was answered: it was already (${before.option}).`)
    const memory = [...memories.values()].find((one) => one.dialog?.id === dialog)
    const question = memory?.dialog?.question ?? null
    const option = question?.options.find((one) => one.number === number)
    const posted = yield* Effect.orElseSucceed(threads.posted(dialog), () => null)
    if (memory === undefined || question === null || option === undefined) {
      if (posted !== null) yield* Effect.ignore(threads.close(posted))
      return yield* tellOne(place, user, "Nothing was answered: this dialog is not there any more.")
    }
    const { tag } = memory.session
    const shown = posted?.event.data.options.find((one) => one.number === number)?.label ?? ""
    threads.setAnswered(dialog, { user, option: shown === "" ? String(number) : `${number}. ${shown}` })
    const said = yield* attempt(tag, "Nothing was answered", answering(tag, String(number), question))
    if (said !== null) {
      threads.setAnswered(dialog, null)
      return yield* tell(place, said)
    }
    if (posted !== null) yield* Effect.ignore(threads.close(posted))
  })

  // actions in a thread run in order; a hanging one does not block other threads
  const mutexes = new Map<string, Semaphore.Semaphore>()
  const mutexOf = Effect.fnUntraced(function* (thread: string) {
    const known = mutexes.get(thread)
    if (known !== undefined) return known
    const made = yield* Semaphore.make(1)
    mutexes.set(thread, made)
    return made
  })
  const onDelivery = Effect.fnUntraced(function* ({ acknowledge, incoming }: SlackDelivery) {
    if (incoming.channel !== settings.channel || !isFirst(incoming.key)) return yield* acknowledge
    const mutex = yield* mutexOf(incoming.thread ?? incoming.time)
    // Slack shows a late acknowledgement of a button as a failure; a reply is repeated until it is queued
    if (incoming._tag === "Pressed") yield* acknowledge
    yield* mutex
      .withPermits(1)(incoming._tag === "Pressed" ? onPress(incoming) : onWritten(incoming))
      .pipe(
        Effect.catchCause((cause) => Effect.logWarning("what was done in Slack failed", cause)),
        Effect.andThen(incoming._tag === "Pressed" ? Effect.void : acknowledge),
        // outlives the connection
        Effect.forkIn(scope)
      )
  })

  let failures = 0
  let reported: string | null = null
  const opened = Effect.suspend(() => {
    failures = 0
    if (reported === null) return Effect.void
    reported = null
    return say("Slack: what is done there arrives again")
  })
  const connection = Effect.scoped(
    Effect.gen(function* () {
      const deliveries = yield* threads.using((to) => to.listen(opened))
      yield* Stream.runForEach(deliveries, onDelivery)
    })
  )
  for (;;) {
    const exit = yield* Effect.exit(connection)
    if (Exit.isSuccess(exit)) {
      yield* Effect.sleep(reopen)
      continue
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return
    const error = Cause.squash(exit.cause)
    const why = error instanceof Error ? error.message : "Slack: it cannot be listened to"
    failures++
    if (why !== reported) {
      reported = why
      yield* say(`${why}; what is done there does not arrive until it does`)
    }
    const afterMs = error instanceof Error && "afterMs" in error ? (error.afterMs as number | null) : null
    yield* Effect.sleep(delayAfter(failures, afterMs, yield* Random.next))
  }
})
