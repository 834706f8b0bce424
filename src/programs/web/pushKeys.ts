import { Effect, Result } from "effect"
import { pushKeysBytes, readPushKeys } from "../../domain/surfaces/webAccess/PushKeys.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { StoreError } from "../../services/StoreError.ts"
import { WebPush } from "../../services/WebPush.ts"

/** The keys of this user's pushes; made once, for all programs. */
export const pushKeys = Effect.gen(function* () {
  const paths = yield* Paths
  const shared = yield* SharedFile
  const file = `${paths.state}/web-push.json`
  const failed = (why: string) => new StoreError({ store: "file", reason: "failed", file, why })
  const made = Effect.gen(function* () {
    yield* paths.ensureBase
    const keys = yield* (yield* WebPush).makeKeys
    return yield* shared.change(file, (before) => Result.succeed(before ?? pushKeysBytes(keys)))
  })
  const content = yield* shared.read(file).pipe(
    Effect.flatMap((known) => (known === null ? made : Effect.succeed(known))),
    Effect.mapError(({ why }) => failed(why))
  )
  return yield* Effect.fromResult(Result.mapError(readPushKeys(content), failed))
})
