import { Effect, Option, Stream } from "effect"
import type { RpcClientError } from "effect/rpc/RpcClientError"
import type { FeedEvent, FeedSession, FeedSessions } from "../../domain/words/session/Feed.ts"
import type { RemoteHost } from "../../domain/words/session/RemoteHost.ts"
import { heard, lost, type RemoteStep } from "../../domain/words/session/remoteFeed.ts"
import { type RemoteClient, RemoteHostError, RemoteHosts } from "../../services/RemoteHosts.ts"
import { exitCode } from "../exit.ts"
import { knownHosts } from "./hostNamed.ts"

/** Milliseconds before a machine is tried again: they double, because a refused login counts against its user. */
const firstPause = 2_000
const longestPause = 300_000

const notAnswered = (host: string, why: string) => new RemoteHostError({ host, why, exitCode: exitCode.failed })

const brokenOff = (host: string) => `the connection to host '${host}' broke off`

const unreadable = (host: string) =>
  notAnswered(
    host,
    `what host '${host}' answers cannot be read: its leap may be another version ` +
      `('leap --host ${host} --version' says which)`
  )

/** What a machine answers. `brokeOff`: what is said where it breaks off before. */
const answerOf = <A, R>(
  host: string,
  asking: Effect.Effect<A, RpcClientError, R>,
  brokeOff = brokenOff(host)
): Effect.Effect<A, RemoteHostError, R> =>
  asking.pipe(
    Effect.catchTag("RpcClientError", ({ reason }) =>
      Effect.fail(reason._tag === "RpcClientDefect" ? unreadable(host) : notAnswered(host, brokeOff))
    ),
    // so is an answer whose form is not known here
    Effect.catchDefect(() => Effect.fail(unreadable(host)))
  )

/** The sessions of one machine as it knows them now. */
export const hostSessions = Effect.fn("hostSessions")(function* (host: RemoteHost) {
  const client = yield* (yield* RemoteHosts).connect(host)
  const first = yield* answerOf(host.name, Stream.runHead(client.Feed()))
  return Option.isSome(first) && first.value._tag === "Snapshot" ? first.value.sessions : []
}, Effect.scoped)

/** The sessions of all machines of the settings under their names here. `why` one is not reached; null: it is. */
export const awayStatuses = Effect.gen(function* () {
  return yield* Effect.forEach(
    yield* knownHosts,
    (host) =>
      hostSessions(host).pipe(
        Effect.match({
          onSuccess: (sessions) => {
            const { known } = heard(new Map(), host.name, { _tag: "Snapshot", sessions })
            return { name: host.name, sessions: [...known.values()].map(({ status }) => status), why: null }
          },
          onFailure: ({ message }) => ({ name: host.name, sessions: [], why: message })
        })
      ),
    { concurrency: 8 }
  )
})

/** Where the news of other machines go. `why` a host is not reached; null: it is. */
export interface HostNews {
  readonly fed: (events: ReadonlyArray<FeedEvent>) => Effect.Effect<void>
  readonly reached: (host: string, why: string | null) => Effect.Effect<void>
}

/**
 * Follows the sessions of all machines of the settings while the scope is open: one connection to each, made anew when
 * it breaks. `sessions`: what is known now; `ask`: asks the leap of a machine that is reached.
 */
export const followHosts = Effect.fn("followHosts")(function* ({ fed, reached }: HostNews) {
  const remote = yield* RemoteHosts
  const clients = new Map<string, RemoteClient>()
  let known: FeedSessions = new Map()
  const took = ({ events, known: next }: RemoteStep) => {
    known = next
    return fed(events)
  }

  const live = Effect.fnUntraced(function* (host: RemoteHost, begun: () => void) {
    const client = yield* remote.connect(host)
    clients.set(host.name, client)
    yield* Effect.addFinalizer(() => Effect.sync(() => void clients.delete(host.name)))
    const feeding = Stream.runForEach(client.Feed(), (event) =>
      Effect.andThen(
        Effect.suspend(() => took(heard(known, host.name, event))),
        event._tag === "Snapshot" ? Effect.andThen(Effect.sync(begun), reached(host.name, null)) : Effect.void
      )
    )
    yield* answerOf(host.name, feeding)
    return yield* notAnswered(host.name, brokenOff(host.name))
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (host: RemoteHost) {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      const { message } = yield* Effect.flip(live(host, () => (pause = firstPause)))
      yield* took(lost(known, host.name, message))
      yield* reached(host.name, message)
      yield* Effect.sleep(pause)
    }
  })
  yield* Effect.forEach(yield* knownHosts, (host) => Effect.forkScoped(follow(host)), { discard: true })

  return {
    sessions: (): ReadonlyArray<FeedSession> => [...known.values()],
    ask: <A>(host: string, call: (client: RemoteClient) => Effect.Effect<A, RpcClientError>) =>
      Effect.suspend((): Effect.Effect<A, RemoteHostError> => {
        const client = clients.get(host)
        const why = `host '${host}' is not reached`
        return client === undefined
          ? Effect.fail(new RemoteHostError({ host, why, exitCode: exitCode.notFound }))
          : answerOf(
              host,
              call(client),
              `host '${host}' was lost before it answered: look there before you do it again`
            )
      })
  }
})
