import { Clock, Effect, Option, Result } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as fs from "node:fs/promises"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { pushRequest, targetName } from "../../domain/surfaces/notify/pushRequest.ts"
import { expand } from "../../domain/rules/settings/CustomCli.ts"
import type { PushTarget } from "../../domain/rules/settings/PushTarget.ts"
import { NoticeError } from "../../services/NoticeChannels.ts"

/** How long one request may take, from its name's look-up to the answer's head. */
const patience = "5 seconds"
/** More than any token has. */
const tokenLimit = 16_384

/** The variables that a value names and that are not set: nothing goes out without them. */
const missingIn = (value: string, env: Readonly<Record<string, string>>): string | null =>
  [...value.replaceAll("$$", "").matchAll(/\$(?:\{(\w+)\}|(\w+))/g)]
    .map(([, braced, bare]) => braced ?? bare ?? "")
    .find((name) => env[name] === undefined) ?? null

/**
 * Posts a notice; one attempt. An error names the host alone: addresses, headers and tokens may be secrets, and an
 * answer may repeat them. Redirections are not followed, so that no token goes to a host that was not named.
 */
export const post = Effect.fn("NoticeChannels.post")(
  function* (notice: Notice, target: PushTarget, env: Readonly<Record<string, string>>) {
    const channel = targetName(target)
    const failed = (why: string, again: boolean) => new NoticeError({ channel, why, again })
    const { headers = {}, tokenFile } = target
    for (const [name, value] of Object.entries(headers)) {
      const missing = missingIn(value, env)
      if (missing !== null) return yield* failed(`$${missing}, which its header ${name} has, is not set`, false)
    }
    const token =
      tokenFile === undefined
        ? null
        : yield* Effect.tryPromise({
            try: () => fs.readFile(expand(tokenFile, env), "utf8"),
            catch: () => failed(`its token's file ${tokenFile} cannot be read`, false)
          })
    const secret = token === null ? null : token.trim()
    if (secret !== null && (secret === "" || secret.length > tokenLimit || /[^\u0021-\u007e]/.test(secret)))
      return yield* failed(`there is no token in ${tokenFile}`, false)
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, expand(value, env)]))
    const {
      body,
      contentType,
      headers: all,
      url
    } = pushRequest(notice, target, own, secret, yield* Clock.currentTimeMillis)
    const request = HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeaders(all),
      HttpClientRequest.bodyText(body, contentType)
    )
    const answer = yield* (yield* HttpClient.HttpClient)
      .execute(request)
      .pipe(Effect.timeoutOption(patience), Effect.result)
    if (Result.isFailure(answer)) return yield* failed("the server cannot be reached", true)
    if (Option.isNone(answer.success)) return yield* failed("the server did not answer in time", true)
    const { status } = answer.success.value
    if (status >= 300) return yield* failed(`the server answered ${status}`, status >= 500 || status === 429)
  },
  Effect.scoped,
  // a trace would carry address and headers, and so would the request to a server that asks for none
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  (effect) =>
    Effect.flatMap(
      Effect.promise(() => import("./HttpClientNode.ts")),
      ({ layer }) => Effect.provide(effect, layer)
    )
)
