import { type Cause, Effect, Queue, Redacted, Stream } from "effect"
import { LogLevel, type Logger, SocketModeClient } from "@slack/socket-mode"
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebClient } from "@slack/web-api"
import type { SlackMessage } from "../../domain/surfaces/outgoing/slackMessage.ts"
import { readIncoming } from "../../domain/surfaces/outgoing/slackIncoming.ts"
import { placeOf, type SecretPlace, type SlackSettings } from "../../domain/store/settings/OutSettings.ts"
import { secretAt } from "./secretAt.ts"
import { type SlackChannel, type SlackDelivery, SlackError } from "../../services/Slack.ts"

/** The limit of one call, in milliseconds, and of opening a connection. */
const timeout = 10_000
const openTimeout = "30 seconds"
/** The most waiting events. Further ones are dropped; Slack sends them again, because they are not acknowledged. */
const waitingMost = 1_000

/** The libraries would log texts, and addresses with secrets. */
const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  setName: () => {},
  getLevel: () => LogLevel.ERROR
}

/** The meaning of an error from the libraries. Only Slack's own code, a single word, is repeated. */
const errorOf = (cause: unknown): SlackError => {
  if (cause instanceof WebAPIRateLimitedError)
    return new SlackError({
      kind: "limited",
      why: `it was asked too often (${cause.retryAfter} s)`,
      code: "ratelimited",
      afterMs: cause.retryAfter * 1_000
    })
  if (cause instanceof WebAPIPlatformError) {
    const code = /^\w{1,80}$/.test(cause.data.error) ? cause.data.error : "unknown_error"
    return new SlackError({ kind: "refused", why: `it answered ${code}`, code, afterMs: null })
  }
  const why = cause instanceof WebAPIHTTPError ? `it answered ${cause.statusCode}` : "it cannot be reached"
  return new SlackError({ kind: "down", why, code: null, afterMs: null })
}

const calling = <A>(call: () => Promise<A>): Effect.Effect<A, SlackError> =>
  Effect.tryPromise({ try: call, catch: errorOf })

/** The address of Slack's interface, which tests set to a server on this machine. Tokens go nowhere else. */
const addressIn = (env: Readonly<Record<string, string>>): { readonly slackApiUrl?: string } => {
  const given = env["LEAP_SLACK_API_URL"]
  return given !== undefined && /^http:\/\/127\.0\.0\.1:\d+\//.test(given) ? { slackApiUrl: given } : {}
}

/** The channel of these settings. Each call makes one attempt: the caller knows when to retry. */
export const open = Effect.fn("Slack.open")(function* (
  { appTokenEnv, appTokenFile, botTokenEnv, botTokenFile, channel }: SlackSettings,
  env: Readonly<Record<string, string>>
) {
  const token = (place: SecretPlace, what: string) =>
    Effect.mapError(
      Effect.fromResult(secretAt(place, env)),
      (why) => new SlackError({ kind: "missing", why: `${what}: ${why}`, code: null, afterMs: null })
    )
  const bot = yield* token(placeOf(botTokenFile, botTokenEnv), "the bot's token")
  const app = yield* token(placeOf(appTokenFile, appTokenEnv), "the app's token")
  const options = {
    ...addressIn(env),
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout,
    allowAbsoluteUrls: false
  }
  const web = new WebClient(Redacted.value(bot), options)
  const shown = ({ blocks, text }: SlackMessage) => ({
    channel,
    text,
    // The libraries' types of blocks are wider, and mutable.
    blocks: structuredClone(blocks) as unknown as Array<never>,
    parse: "none" as const,
    link_names: false,
    unfurl_links: false,
    unfurl_media: false
  })

  const listen: SlackChannel["listen"] = Effect.fnUntraced(function* (opened: Effect.Effect<void>) {
    const deliveries = yield* Queue.dropping<SlackDelivery, SlackError | Cause.Done>(waitingMost)
    // The client's own reconnect does not recover from every failure, and some attempts end in unhandled rejections.
    const client = new SocketModeClient({
      appToken: Redacted.value(app),
      logger: silent,
      autoReconnectEnabled: false,
      clientOptions: options
    })
    client.on("slack_event", ({ ack, body, type }: { ack: () => Promise<void>; body: unknown; type: string }) => {
      // Slack sends an event again until it is acknowledged.
      const acknowledge = Effect.ignore(Effect.tryPromise(ack))
      const incoming = readIncoming(type, body)
      if (incoming === null) Effect.runFork(acknowledge)
      else Queue.offerUnsafe(deliveries, { incoming, acknowledge })
    })
    client.on("error", () => {})
    client.on("disconnected", () => void Queue.endUnsafe(deliveries))
    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        Effect.timeout(
          Effect.promise(() => client.disconnect()),
          "2 seconds"
        )
      )
    )
    yield* calling(() => client.start()).pipe(
      Effect.timeoutOrElse({
        duration: openTimeout,
        orElse: () =>
          Effect.fail(new SlackError({ kind: "down", why: "no connection stands", code: null, afterMs: null }))
      })
    )
    yield* opened
    return Stream.fromQueue(deliveries)
  })

  return {
    post: (thread, message) =>
      Effect.flatMap(
        calling(() =>
          // oxlint-disable-next-line unicorn/require-post-message-target-origin
          web.chat.postMessage({ ...shown(message), ...(thread === null ? {} : { thread_ts: thread }) })
        ),
        ({ ts }) =>
          ts === undefined
            ? Effect.fail(new SlackError({ kind: "down", why: "it named no message", code: null, afterMs: null }))
            : Effect.succeed(ts)
      ),
    update: (ts, message) => Effect.asVoid(calling(() => web.chat.update({ ...shown(message), ts }))),
    whisper: (thread, user, message) =>
      Effect.asVoid(calling(() => web.chat.postEphemeral({ ...shown(message), user, thread_ts: thread }))),
    react: (timestamp, name) => Effect.asVoid(calling(() => web.reactions.add({ channel, timestamp, name }))),
    listen
  } satisfies SlackChannel
})
