import { DateTime, Effect, Option } from "effect"
import { localZone } from "../domain/words/reading/LocalZone.ts"
import { System } from "./System.ts"

const localtime = "/etc/localtime"

/** The machine's time zone. Asks ICU only if the system does not report it: ICU's data take 8 MB of memory. */
export const localTimeZone = Effect.gen(function* () {
  const { env, file, realPath } = yield* System
  const tz = env["TZ"]
  const isThere = Option.isSome(yield* file(localtime))
  const name = localZone(tz, isThere ? yield* realPath(localtime) : null)
  if (name !== null && Option.isSome(yield* file(`/usr/share/zoneinfo/${name}`))) return name
  // libc's default if nothing is set
  return (tz === undefined || tz === "") && !isThere ? "UTC" : DateTime.zoneToString(DateTime.zoneMakeLocal())
})
