import { Clock, Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import * as fs from "node:fs/promises"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import { pushRequest } from "../../domain/surfaces/notify/pushRequest.ts"
import { expand } from "../../domain/store/settings/CustomCli.ts"
import type { PushTarget } from "../../domain/store/settings/PushTarget.ts"
import { PostError } from "../../services/PostError.ts"
import { postOnce } from "./postOnce.ts"

/** Longer than any token, in bytes. */
const tokenLimit = 16_384

/** The first unset variable in a value, or null. With an unset one nothing is sent. */
const missingIn = (value: string, env: Readonly<Record<string, string>>): string | null =>
  [...value.replaceAll("$$", "").matchAll(/\$(?:\{(\w+)\}|(\w+))/g)]
    .map(([, braced, bare]) => braced ?? bare ?? "")
    .find((name) => env[name] === undefined) ?? null

/** Posts a notice in one attempt. */
export const post = Effect.fn("NoticeChannels.post")(function* (
  notice: Notice,
  target: PushTarget,
  env: Readonly<Record<string, string>>
) {
  const failed = (why: string) => new PostError({ why, again: false })
  const { headers = {}, tokenFile } = target
  for (const [name, value] of Object.entries(headers)) {
    const missing = missingIn(value, env)
    if (missing !== null) return yield* failed(`$${missing}, which its header ${name} has, is not set`)
  }
  const token =
    tokenFile === undefined
      ? null
      : yield* Effect.tryPromise({
          try: () => fs.readFile(expand(tokenFile, env), "utf8"),
          catch: () => failed(`its token's file ${tokenFile} cannot be read`)
        })
  const secret = token === null ? null : token.trim()
  if (secret !== null && (secret === "" || secret.length > tokenLimit || /[^\u0021-\u007e]/.test(secret)))
    return yield* failed(`there is no token in ${tokenFile}`)
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
  const { status } = yield* postOnce(request, "the server", "5 seconds")
  const again = status >= 500 || status === 429
  if (status >= 300) return yield* new PostError({ why: `the server answered ${status}`, again })
})
