import { Effect } from "effect"
import { remoteHosts } from "../../domain/store/settings/HostSettings.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"

/** The machine of this name in the settings. */
export const hostNamed = Effect.fn("hostNamed")(function* (name: string) {
  const { settings } = yield* (yield* UserSettings).read
  const all = remoteHosts(settings.hosts)
  const found = all.find((host) => host.name === name)
  if (found !== undefined) return found
  const known = all.length === 0 ? "there is none yet" : `known: ${all.map((host) => host.name).join(", ")}`
  return yield* fail(
    "notFound",
    `no host is called '${oneLine(name, 60)}' (${known}); 'leap hosts add NAME DESTINATION' adds one`
  )
})
