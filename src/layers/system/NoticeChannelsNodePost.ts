import { Clock, Effect, Option, Result } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as fs from "node:fs/promises"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { pushRequest, targetName } from "../../domain/surfaces/notify/pushRequest.ts"
import { expand } from "../../domain/store/settings/CustomCli.ts"
import type { PushTarget } from "../../domain/store/settings/PushTarget.ts"
import { NoticeError } from "../../services/NoticeChannels.ts"

/** The limit of one request, from looking up the name to the head of the answer. */
const timeout = "5 seconds"
/** Longer than any token, in bytes. */
const tokenLimit = 16_384

/** The first unset variable in a value, or null. With an unset one nothing is sent. */
const missingIn = (value: string, env: Readonly<Record<string, string>>): string | null =>
  [...value.replaceAll("$$", "").matchAll(/\$(?:\{(\w+)\}|(\w+))/g)]
    .map(([, braced, bare]) => braced ?? bare ?? "")
    .find((name) => env[name] === undefined) ?? null

/**
 * Posts a notice in one attempt. Of an address an error names only the host: addresses, headers and tokens may be
 * secrets, and an answer may repeat them. Redirects are not followed, so that no token goes to another host.
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
      .pipe(Effect.timeoutOption(timeout), Effect.result)
    if (Result.isFailure(answer)) return yield* failed("the server cannot be reached", true)
    if (Option.isNone(answer.success)) return yield* failed("the server did not answer in time", true)
    const { status } = answer.success.value
    if (status >= 300) return yield* failed(`the server answered ${status}`, status >= 500 || status === 429)
  },
  Effect.scoped,
  // A trace would carry the address and the headers.
  Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
  (effect) =>
    Effect.flatMap(
      Effect.promise(() => import("./HttpClientNode.ts")),
      ({ layer }) => Effect.provide(effect, layer)
    )
)
