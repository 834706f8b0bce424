import { DateTime, Effect, Option } from "effect"
import { localZone } from "../../domain/words/reading/LocalZone.ts"
import { System } from "../../services/System.ts"

const localtime = "/etc/localtime"

/**
 * The name of the time zone of this machine. ICU, whose data for dates take a process 8 MB as long as it lives, is asked
 * only where the system itself does not say the name.
 */
export const zone = Effect.gen(function* () {
  const { env, file, realPath } = yield* System
  const tz = env["TZ"]
  const isThere = Option.isSome(yield* file(localtime))
  const said = localZone(tz, isThere ? yield* realPath(localtime) : null)
  if (said !== null && Option.isSome(yield* file(`/usr/share/zoneinfo/${said}`))) return said
  // libc's own answer where nothing is said
  return (tz === undefined || tz === "") && !isThere ? "UTC" : DateTime.zoneToString(DateTime.zoneMakeLocal())
})
