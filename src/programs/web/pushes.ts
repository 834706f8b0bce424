import { Clock, Effect, FiberMap, Option, Random, Schema, Stream } from "effect"
import { asPermission } from "../../domain/cli/provider/DialogChoice.ts"
import { delayAfter, type DeliveryResult, pushResultOf } from "../../domain/surfaces/outgoing/deliveryResult.ts"
import type { ServerFrame } from "../../domain/surfaces/web/Frames.ts"
import {
  dialogName,
  noticeMessage,
  type PushAnswer,
  pushAnswers,
  type PushMessage,
  standingIn
} from "../../domain/surfaces/web/PushMessage.ts"
import { webQuestion } from "../../domain/surfaces/web/webSession.ts"
import { type Device, noDevices, withPush } from "../../domain/surfaces/webAccess/Devices.ts"
import {
  endpointProblem,
  type PushAddress,
  pushContact,
  type PushSubscription
} from "../../domain/surfaces/webAccess/PushSubscription.ts"
import type { FeedEvent } from "../../domain/words/session/Feed.ts"
import type { GivenNotice, SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Providers, providerOf } from "../../services/Providers.ts"
import { WebListener } from "../../services/WebListener.ts"
import { WebPush } from "../../services/WebPush.ts"
import { callTimeout } from "../client/callHost.ts"
import { connectTo } from "../client/client.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { fail } from "../exit.ts"
import type { devicesFile } from "./devices.ts"
import { answered, carryOut, noDialog, notDone, otherDialog } from "./page.ts"
import { pushKeys } from "./pushKeys.ts"

/** How long a push service keeps a push for a browser that is away, in seconds. */
const keptFor = 12 * 3600
/** A notice that is over for this long is withdrawn: dialogs disappear for moments. */
const overGrace = "3 seconds"
const attemptsMost = 4
/** The longest delay that a push service can ask for, in milliseconds. */
const longestDelay = 60_000
const devicesAtOnce = 8

const AnswerBody = Schema.fromJsonString(
  Schema.Struct({
    auth: Schema.String,
    tag: Tag,
    digest: Schema.String,
    answer: Schema.Literals(["allow", "deny"])
  })
)

interface PushesOptions {
  readonly file: Effect.Success<typeof devicesFile>
  readonly port: number
  readonly readOnly: boolean
  /** Origins of push services in the local network that the user allows. */
  readonly origins: ReadonlyArray<string>
}

type Pushed = Device & { readonly push: PushSubscription }
type PushesFrame = Extract<ServerFrame, { readonly _tag: "Pushes" }>

/**
 * Pushes to the devices that asked for them: the notices that sessions' hosts give, by the same rules and in the same
 * words, while the scope is open. A notice that is over is withdrawn where it was sent.
 */
export const makePushes = Effect.fn("web.pushes")(function* ({ file, origins, port, readOnly }: PushesOptions) {
  const feed = yield* SessionFeed
  const listener = yield* WebListener
  const pusher = yield* WebPush
  const providers = yield* Providers
  const began = yield* Clock.currentTimeMillis
  const keys = Effect.provideContext(pushKeys, yield* Effect.context<Effect.Services<typeof pushKeys>>())

  /** The notices that hold, and the devices that were sent one, by their cookies. */
  const standing = new Map<string, string>()
  const sent = new Map<string, { readonly at: string; readonly to: Set<string> }>()

  const subscribed = Effect.map(
    Effect.orElseSucceed(file.read, () => noDevices),
    ({ devices }) => devices.filter((device): device is Pushed => device.push?.port === port)
  )

  const attempt = Effect.fnUntraced(
    function* ({ push }: Pushed, message: PushMessage, isUrgent: boolean) {
      const problem = endpointProblem(push.endpoint, origins)
      if (problem !== null) return { _tag: "Refused", why: problem } satisfies DeliveryResult
      const { afterMs, status } = yield* pusher.post({
        address: push,
        keys: yield* keys,
        contact: pushContact(push.origin),
        text: JSON.stringify(message),
        ttl: keptFor,
        topic: (yield* listener.digest(message.tag)).slice(0, 32),
        isUrgent,
        isLocal: origins.includes(new URL(push.endpoint).origin)
      })
      return pushResultOf(status, afterMs)
    },
    Effect.catch(({ message }) => Effect.succeed<DeliveryResult>({ _tag: "Again", why: message, afterMs: null }))
  )

  /** Stores what became of a push, if that is new and the subscription still the same. */
  const store = ({ cookie, push }: Pushed, edit: (now: PushSubscription, at: number) => PushSubscription | null) =>
    Effect.ignore(
      file.change((all, at) => withPush(all, cookie, (now) => (now?.endpoint === push.endpoint ? edit(now, at) : now)))
    )
  const failed = (device: Pushed, why: string) => store(device, (now, at) => ({ ...now, failure: { at, why } }))

  /** Sends a message to a device, again if that can help, and stores a failure. Returns why it failed, or null. */
  const deliver = Effect.fnUntraced(function* (
    device: Pushed,
    message: PushMessage,
    isUrgent: boolean,
    attempts = attemptsMost
  ) {
    for (let count = 1; ; count++) {
      const result = yield* attempt(device, message, isUrgent)
      switch (result._tag) {
        case "Delivered":
          if (device.push.failure !== null) yield* store(device, (now) => ({ ...now, failure: null }))
          return null
        case "Gone":
          yield* Effect.logWarning(`${device.name} gets no pushes any more: ${result.why}`)
          yield* store(device, () => null)
          return `${result.why}: this browser is not known there any more; turn pushes on anew`
        case "Again":
          if (count < attempts) {
            yield* Effect.sleep(Math.min(longestDelay, delayAfter(count, result.afterMs, yield* Random.next)))
            break
          }
          yield* failed(device, result.why)
          return result.why
        case "Refused":
          yield* failed(device, result.why)
          return result.why
      }
    }
  })

  const mayAnswer = ({ rights }: Device): boolean => !readOnly && rights.includes("answer")

  const answersTo = Effect.fnUntraced(function* (status: SessionStatus, notice: GivenNotice) {
    const { baseCli, cli, question = null } = status
    const provider = Option.getOrNull(yield* providerOf(providers, { cli, base: baseCli }))
    const plainYes = question === null ? null : (provider?.permissions.plainYes(asPermission(question)) ?? null)
    return pushAnswers(status, notice, plainYes)
  })
  const digestOf = (status: SessionStatus) => {
    const name = dialogName(status)
    return name === null ? Effect.succeed("") : listener.digest(name)
  }

  const tell = Effect.fnUntraced(function* (status: SessionStatus, notice: GivenNotice) {
    const to = new Set<string>()
    sent.set(status.tag, { at: notice.at, to })
    const possible = yield* answersTo(status, notice)
    const names = (["allow", "deny"] as const).filter((name) => possible[name] !== null)
    const digest = yield* digestOf(status)
    const isUrgent = notice.kind === "needs" || notice.kind === "failed"
    const tellOne = Effect.fnUntraced(function* (device: Pushed) {
      const answers = mayAnswer(device) ? names : []
      const message = noticeMessage(status, notice, { answers, digest, standing: standingIn(standing.keys()) })
      if ((yield* deliver(device, message, isUrgent)) === null) to.add(device.cookie)
    })
    yield* Effect.forEach(yield* subscribed, tellOne, { concurrency: devicesAtOnce, discard: true })
  })

  const withdraw = Effect.fnUntraced(function* (tag: string, to: ReadonlySet<string>) {
    const devices = (yield* subscribed).filter(({ cookie }) => to.has(cookie))
    const message: PushMessage = { _tag: "Over", tag, standing: standingIn(standing.keys()) }
    yield* Effect.forEach(devices, (device) => deliver(device, message, false), {
      concurrency: devicesAtOnce,
      discard: true
    })
  })

  /** What is being sent about each session, which what comes later replaces; and the notices that may be over. */
  const sending = yield* FiberMap.make<string>()
  const ending = yield* FiberMap.make<string>()
  const over = Effect.fnUntraced(function* (tag: string) {
    const before = sent.get(tag)
    if (!standing.delete(tag) || before === undefined) return
    const ends = Effect.suspend(() => FiberMap.run(sending, tag, withdraw(tag, before.to)))
    yield* FiberMap.run(ending, tag, Effect.delay(ends, overGrace))
  })
  const onStatus = Effect.fnUntraced(function* (status: SessionStatus) {
    const { notice = null, tag } = status
    if (notice === null) return yield* over(tag)
    if (standing.get(tag) === notice.at) return
    standing.set(tag, notice.at)
    yield* FiberMap.remove(ending, tag)
    // each is told once; those from before this server began are old
    if (sent.get(tag)?.at === notice.at || Date.parse(notice.at) < began) return
    yield* FiberMap.run(sending, tag, tell(status, notice))
  })
  const onEvent = Effect.fnUntraced(function* (event: FeedEvent) {
    switch (event._tag) {
      case "Changed":
        return yield* onStatus(event.session.status)
      case "Gone":
        yield* over(event.tag)
        return void sent.delete(event.tag)
      case "Snapshot": {
        const tags = new Set(event.sessions.map(({ status }) => status.tag))
        for (const tag of standing.keys()) if (!tags.has(tag)) yield* over(tag)
        for (const { status } of event.sessions) yield* onStatus(status)
      }
    }
  })
  yield* feed.events.pipe(Stream.runForEach(onEvent), Effect.forkScoped)

  const present = Effect.fnUntraced(function* (device: Device) {
    const now = (yield* file.read).devices.find(({ cookie }) => cookie === device.cookie)
    return now ?? (yield* fail("refused", "this browser is known until 'leap web' ends: pushes are for those it keeps"))
  })

  return {
    /** What a page is told of its device's pushes. */
    stateOf: (device: Device): Effect.Effect<PushesFrame> =>
      Effect.gen(function* () {
        const { push = null } = yield* present(device)
        const { publicKey } = yield* keys
        const its = push?.port === port ? push : null
        const failure = its?.failure?.why ?? null
        return { _tag: "Pushes", key: publicKey, since: its?.since ?? null, failure } as const
      }).pipe(
        Effect.catch(({ message }) =>
          Effect.succeed<PushesFrame>({ _tag: "Pushes", key: null, since: null, failure: message })
        )
      ),
    subscribe: Effect.fnUntraced(function* (device: Device, address: PushAddress, origin: string) {
      const { cookie } = yield* present(device)
      const problem = endpointProblem(address.endpoint, origins)
      if (problem !== null) return yield* fail("refused", problem)
      yield* file.change((all, since) =>
        withPush(all, cookie, () => ({ ...address, port, origin, since, failure: null }))
      )
      return "this device is told when a session needs you, while leap web runs"
    }),
    unsubscribe: ({ cookie }: Device) =>
      Effect.as(
        file.change((all) => withPush(all, cookie, () => null)),
        "this device gets no pushes any more"
      ),
    test: Effect.fnUntraced(function* (device: Device) {
      const { push, ...rest } = yield* present(device)
      if (push === undefined) return yield* fail("refused", "this device gets no pushes")
      const message: PushMessage = {
        _tag: "Notice",
        tag: "",
        title: "leap",
        body: "this is what a push looks like",
        answers: [],
        digest: "",
        standing: standingIn(standing.keys())
      }
      const why = yield* deliver({ ...rest, push }, message, true, 1)
      return why === null ? "sent: its push service has taken it" : yield* fail("failed", why)
    }),
    /** Answers a dialog for a notification, if it is the one that the notification was about. */
    answer: Effect.fnUntraced(function* (device: Device, body: string, isSame: (a: string, b: string) => boolean) {
      const asked = Schema.decodeOption(AnswerBody)(body)
      if (Option.isNone(asked)) return notDone("this is no answer of a notification")
      const { answer, auth, digest, tag } = asked.value
      if (device.push === undefined || !isSame(auth, device.push.auth))
        return notDone("this notification is of a subscription that is over: open the page")
      if (!mayAnswer(device)) return notDone("this browser may not do that: it lacks the right 'answer'")
      const done = yield* answered(
        Effect.gen(function* () {
          const status = yield* (yield* connectTo(tag)).Status()
          const { notice = null, question = null } = status
          if (dialogName(status) === null || question === null) return notDone(noDialog(tag))
          if (notice === null || (yield* digestOf(status)) !== digest) return notDone(otherDialog)
          const option = (yield* answersTo(status, notice))[answer satisfies PushAnswer]
          if (option === null) return notDone(otherDialog)
          return yield* carryOut(tag, { _tag: "Answer", answer: option, question: webQuestion(question) })
        }).pipe(Effect.scoped),
        callTimeout,
        "it was cut off"
      )
      // its notification says what became of it
      if (done.isDone) sent.get(tag)?.to.delete(device.cookie)
      return done
    })
  }
})
