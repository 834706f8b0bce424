import {
  Cause,
  Clock,
  type Duration,
  Effect,
  Exit,
  Latch,
  Option,
  Queue,
  Schedule,
  Schema,
  type Scope,
  type Semaphore,
  Stream
} from "effect"
import type { Socket } from "effect/socket"
import { CloseEvent, readerString } from "effect/socket/Socket"
import { callNames, type Call, type Done } from "../../domain/surfaces/operations/calls.ts"
import { operations, type Right, rightOf } from "../../domain/surfaces/operations/operations.ts"
import { ClientFrame, type Found, type ServerFrame, type Wish } from "../../domain/surfaces/web/Frames.ts"
import type { PushAddress } from "../../domain/surfaces/webAccess/PushSubscription.ts"
import { pongEvery } from "../../domain/surfaces/web/Liveness.ts"
import * as Rate from "../../domain/surfaces/webAccess/Rate.ts"
import { System } from "../../services/System.ts"
import { WebSessions } from "./WebSessions.ts"
import { makeWindow, PageLostError } from "./Window.ts"
import { makeShownScreen } from "./ShownScreen.ts"
import { doneLine } from "../../domain/surfaces/operations/doneWords.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { plainText } from "../../domain/surfaces/web/plainText.ts"
import { webChanges } from "../../domain/surfaces/web/webChanges.ts"
import { answerFor, isSameQuestion } from "../../domain/surfaces/web/webSession.ts"
import { connectTo } from "../client/client.ts"
import { describe, fail } from "../exit.ts"
import { callSession } from "../sessions/callSession.ts"
import { callTimeout } from "../client/callHost.ts"

interface CallAnswer {
  readonly isDone: boolean
  readonly said: string
  readonly text: string | null
  readonly found?: Found
}

export interface Granted {
  readonly said?: string
  readonly text?: string
  readonly found?: Found
}

/** The wishes that can be granted here. */
export interface Wishes {
  readonly names: ReadonlyArray<Wish["_tag"]>
  readonly grant: (tag: string, wish: Wish) => Effect.Effect<Granted, unknown>
}

/** The time limit of what may take minutes; preparing a worktree may download a lot. */
const wishTimeout = "15 minutes"

const textMost = 32_768

export const noDialog = (tag: string): string => `there is no dialog any more: '${tag}' goes on`
export const otherDialog = "the dialog has changed since you saw it: look at it again"

export const notDone = (why: string): CallAnswer => ({ isDone: false, said: plainText(why, 500), text: null })

/** Replaces the dialog in a page's answer by the session's own, if it is the same, since pages show it cleaned. */
const withOwnQuestion = Effect.fnUntraced(function* (tag: Tag, call: Call) {
  if (call._tag !== "Answer" || call.question === undefined) return call
  const { question = null } = yield* (yield* connectTo(tag)).Status()
  if (question === null) return yield* fail("refused", noDialog(tag))
  if (!isSameQuestion(question, call.question)) return yield* fail("refused", otherDialog)
  return { ...call, answer: answerFor(question, call.answer), question }
}, Effect.scoped)

const foundOf = (done: Done): Found | undefined => {
  if (done._tag === "Changes") return webChanges(done.result)
  if (done._tag !== "Finish" || done.result.losses === null) return undefined
  const { id, lines } = done.result.losses
  return { _tag: "Losses", id, lines: lines.map((loss) => plainText(loss, 500)) }
}

const perform = Effect.fnUntraced(function* (given: string, call: Call) {
  const tag = yield* Schema.decodeEffect(Tag)(given)
  const { about, done, note, text } = yield* callSession(tag, yield* withOwnQuestion(tag, call))
  const found = foundOf(done)
  const said = [doneLine(done, about), note ?? ""].filter((part) => part !== "").join("; ")
  return {
    isDone: true,
    said: plainText(said, 500),
    text: text === null || call._tag === "Changes" ? null : plainText(text, textMost),
    ...(found === undefined ? {} : { found })
  } satisfies CallAnswer
})

/** What was asked, with its failure as the answer. `ended`: why, if it was cut off. */
export const answered = <R>(
  asked: Effect.Effect<CallAnswer, unknown, R>,
  timeout: Duration.Input,
  ended: string
): Effect.Effect<CallAnswer, never, R> =>
  asked.pipe(
    Effect.timeout(timeout),
    Effect.catch((error) => Effect.succeed(notDone(describe(error).message))),
    // an exiting host interrupts its calls
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.succeed(notDone(ended))
        : Effect.as(Effect.logWarning(cause), notDone("this is a bug in leap; its terminal tells more"))
    )
  )

/** Whether it may take minutes, as a start or the hooks of a repository do. */
const isLong = (call: Call | Wish): boolean => isWish(call) || call._tag === "Finish"

/** Carries a call out; a failure is told in the answer. */
export const carryOut = (tag: string, call: Call) =>
  answered(
    perform(tag, call),
    isLong(call) ? wishTimeout : callTimeout,
    `the host of '${tag}' ended while it was asked`
  )

const isWish = (call: Call | Wish): call is Wish => !(call._tag in operations)

const granted = ({ grant, names }: Wishes, tag: string, wish: Wish) =>
  names.includes(wish._tag)
    ? answered(
        Effect.map(grant(tag, wish), ({ found, said = "", text }) => ({
          isDone: true,
          said: plainText(said, 500),
          text: text === undefined ? null : plainText(text, textMost),
          ...(found === undefined ? {} : { found })
        })),
        wishTimeout,
        "it was cut off"
      )
    : Effect.succeed(notDone("this cannot be done here"))

const tagOf = (text: string): Option.Option<Tag> => Schema.decodeUnknownOption(Tag)(text)

/** What a page can do about the pushes to its device. */
export interface PagePushes {
  readonly state: Effect.Effect<ServerFrame>
  readonly subscribe: (address: PushAddress) => Effect.Effect<string, unknown>
  readonly unsubscribe: Effect.Effect<string, unknown>
  readonly test: Effect.Effect<string, unknown>
}

export interface PageOptions {
  readonly rights: ReadonlyArray<Right>
  readonly wishes: Wishes
  readonly isKey: (key: string) => Effect.Effect<boolean>
  readonly isKnown: Effect.Effect<boolean>
  readonly pushes: PagePushes
  /** Limits the open pages; a page without the key takes no place. */
  readonly places: Semaphore.Semaphore
  /** Where calls and wishes run: a page that leaves has asked for them all the same. */
  readonly scope: Scope.Scope
}

/** More than a person types and a page acknowledges. */
const frames: Rate.RateLimit = { burst: 400, perSecond: 200 }
const characters: Rate.RateLimit = { burst: 1 << 20, perSecond: 256 << 10 }
const asksMost = 64
const callsMost = 8
const beginTimeout = "5 seconds"
const policyViolation = 1008

const decodeFrame = Schema.decodeUnknownOption(Schema.fromJsonString(ClientFrame))

const refused = (why: string) => new PageLostError({ why })

const isGivenUp = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Option.exists(Cause.findErrorOption(exit.cause), Schema.is(PageLostError))

/** Serves one page on its socket until it leaves or breaks a rule. Rights are checked here, not in the page. */
export const runPage = Effect.fn("runPage")(
  function* (socket: Socket.Socket, { isKey, isKnown, places, pushes, rights, scope, wishes }: PageOptions) {
    const { version } = yield* System
    const seen = yield* WebSessions
    // taking the reader completes the handshake
    const pull = yield* readerString(socket)
    const { write } = yield* socket.writer
    const may = (right: Right): boolean => rights.includes(right)
    const onlyLooks = rights.every((right) => right === "read") ? "this page may only look" : null
    const mayNot = (right: Right): string => onlyLooks ?? `this browser may not do that: it lacks the right '${right}'`
    const window = yield* makeWindow(write)
    const screen = yield* makeShownScreen(window.send)

    let frameUse = Rate.noUse
    let characterUse = Rate.noUse
    const next = Effect.gen(function* () {
      const texts = yield* pull
      const now = yield* Clock.currentTimeMillis
      const decoded: Array<ClientFrame> = []
      for (const text of texts) {
        const [count, size] = [Rate.use(frames, frameUse, 1, now), Rate.use(characters, characterUse, text.length, now)]
        if (count === null || size === null) return yield* refused("it sends too much at once")
        frameUse = count
        characterUse = size
        const frame = decodeFrame(text)
        if (Option.isNone(frame)) return yield* refused("it sent what is no frame of the page's")
        decoded.push(frame.value)
      }
      return decoded
    })

    const begun = Effect.gen(function* () {
      const first = yield* Effect.timeoutOrElse(next, {
        duration: beginTimeout,
        orElse: () => refused("it did not begin")
      })
      const [begin, ...early] = first
      if (begin?._tag !== "Begin" || !(yield* isKey(begin.key)))
        return yield* refused("it does not know the page's key")
      return early
    })

    const life = Effect.fnUntraced(function* (early: ReadonlyArray<ClientFrame>) {
      yield* window.send({
        _tag: "Hello",
        version,
        may: [...callNames.filter((name) => may(rightOf(name))), ...(may("manage") ? wishes.names : [])],
        now: yield* Clock.currentTimeMillis
      })
      yield* Effect.flatMap(pushes.state, window.send)
      // the reader alone tells that the socket has ended: what it still holds was asked for
      const told = seen.frames.pipe(
        Stream.runForEach(window.sendText),
        Effect.andThen(Effect.never),
        Effect.catchTag("SocketError", () => Effect.never)
      )
      const isThere = window.send({ _tag: "Pong" }).pipe(
        Effect.andThen(window.check),
        Effect.andThen(isKnown),
        Effect.filterOrFail(
          (known) => known,
          () => new PageLostError({ why: "its browser was revoked" })
        ),
        Effect.repeat(Schedule.spaced(pongEvery)),
        Effect.andThen(Effect.never),
        Effect.catchTag("SocketError", () => Effect.never)
      )

      // what was asked for is still done when a page leaves, but not begun when it is given up
      let isDropped = false
      const left = yield* Latch.make(false)
      yield* Effect.addFinalizer((exit) => {
        isDropped = isGivenUp(exit)
        return left.open
      })
      const lane = Effect.fnUntraced(function* (concurrency: number, where: Scope.Scope) {
        const asked = yield* Queue.bounded<Effect.Effect<void, unknown>, Cause.Done>(asksMost)
        yield* Effect.addFinalizer(() => Queue.end(asked))
        yield* Stream.fromQueue(asked).pipe(
          Stream.mapEffect((ask) => Effect.suspend(() => (isDropped ? Effect.void : Effect.ignore(ask))), {
            concurrency
          }),
          Stream.runDrain,
          Effect.forkIn(where)
        )
        return Effect.fnUntraced(function* <R>(ask: Effect.Effect<void, unknown, R>) {
          const context = yield* Effect.context<R>()
          if (!Queue.offerUnsafe(asked, Effect.provideContext(ask, context))) {
            return yield* refused("what it asked for before is not done yet")
          }
        })
      })
      // input keeps its order; acknowledgements do not wait for a host
      const own = yield* Effect.scope
      const [typed, ponged] = [yield* lane(1, own), yield* lane(1, own)]
      // wishes may take minutes, so calls do not wait behind them
      const [called, wished] = [yield* lane(callsMost, scope), yield* lane(callsMost, scope)]

      // a write waits for ever once its page has left
      const answer = (id: number, said: CallAnswer) =>
        Effect.raceFirst(left.await, window.send({ _tag: "Answered", id, ...said }))
      const pushing = (id: number, asked: Effect.Effect<string, unknown>) =>
        called(
          Effect.gen(function* () {
            const done = Effect.map(asked, (said) => ({ isDone: true, said, text: null }))
            const said = yield* answered(done, callTimeout, "it was cut off")
            yield* Effect.raceFirst(left.await, Effect.flatMap(pushes.state, window.send))
            yield* answer(id, said)
          })
        )
      const obey = Effect.fnUntraced(function* (frame: ClientFrame) {
        switch (frame._tag) {
          case "Begin":
            return yield* refused("it began twice")
          case "Ack":
            return yield* window.ack(frame.taken)
          case "Ping":
            return yield* ponged(window.send({ _tag: "Pong" }))
          case "Show": {
            const tag = tagOf(frame.tag)
            if (Option.isNone(tag)) return yield* refused("it names what is no session")
            return yield* typed(screen.show(tag.value, frame.typing && may("type")))
          }
          case "Hide":
            return yield* typed(screen.hide)
          case "Type":
            return may("type") ? yield* typed(screen.type(frame.data)) : yield* refused(mayNot("type"))
          case "Fit":
            return may("type") ? yield* typed(screen.fit(frame)) : yield* refused(mayNot("type"))
          case "Subscribe":
            return yield* pushing(frame.id, pushes.subscribe(frame.address))
          case "Unsubscribe":
            return yield* pushing(frame.id, pushes.unsubscribe)
          case "TestPush":
            return yield* pushing(frame.id, pushes.test)
          case "Call": {
            const { call, id, tag } = frame
            const right = isWish(call) ? "manage" : rightOf(call._tag)
            const done = isWish(call) ? granted(wishes, tag, call) : carryOut(tag, call)
            const allowed = may(right) ? done : Effect.succeed(notDone(mayNot(right)))
            const asked = isLong(call) ? wished : called
            return yield* asked(Effect.flatMap(allowed, (said) => answer(id, said)))
          }
        }
      })
      const obeyed = Effect.gen(function* () {
        for (let come = early; ; come = yield* next) {
          for (const frame of come) yield* obey(frame)
        }
      })
      return yield* Effect.raceAllFirst([obeyed, told, isThere])
    })
    yield* Effect.gen(function* () {
      const early = yield* begun
      const lived = yield* places.withPermitsIfAvailable(1)(Effect.scoped(life(early)))
      if (Option.isNone(lived)) return yield* refused("as many pages are open as there may be")
    }).pipe(Effect.catchTag("PageLostError", ({ why }) => Effect.ignore(write(new CloseEvent(policyViolation, why)))))
  },
  Effect.scoped,
  Effect.catchTag("SocketError", () => Effect.void)
)
