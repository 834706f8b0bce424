import { Clock, Effect, Result } from "effect"
import { type Devices, devicesBytes, readDevices } from "../../domain/surfaces/webAccess/Devices.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { StoreError } from "../../services/StoreError.ts"

/** The browsers with access, shared by all programs of this user; `change` returns the new list. */
export const devicesFile = Effect.gen(function* () {
  const shared = yield* SharedFile
  const paths = yield* Paths
  const file = `${paths.state}/web-devices.json`
  const failed = (why: string) => new StoreError({ store: "devices", reason: "failed", file, why })
  const read = shared.read(file).pipe(
    Effect.flatMap((content) => Effect.fromResult(readDevices(content))),
    Effect.mapError((error) => failed(typeof error === "string" ? error : error.why))
  )
  const change = Effect.fnUntraced(function* (edit: (devices: Devices, now: number) => Devices) {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.mapError(paths.ensureBase, ({ why }) => failed(why))
    const content = yield* shared
      .change(file, (before) => Result.map(readDevices(before), (devices) => devicesBytes(edit(devices, now))))
      .pipe(Effect.mapError((error) => failed(typeof error === "string" ? error : error.why)))
    return yield* Effect.fromResult(Result.mapError(readDevices(content), failed))
  })
  return { read, change }
})
