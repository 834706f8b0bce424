import { Effect } from "effect"
import { remoteHosts } from "../../domain/store/settings/HostSettings.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"

/** The machines of the settings, in their order. */
export const knownHosts = Effect.gen(function* () {
  const { settings } = yield* (yield* UserSettings).read
  return remoteHosts(settings.hosts)
})

/** The machine of this name in the settings. */
export const hostNamed = Effect.fn("hostNamed")(function* (name: string) {
  const all = yield* knownHosts
  const found = all.find((host) => host.name === name)
  if (found !== undefined) return found
  const known = all.length === 0 ? "there is none yet" : `known: ${all.map((host) => host.name).join(", ")}`
  return yield* fail(
    "notFound",
    `no host is called '${oneLine(name, 60)}' (${known}); 'leap hosts add NAME DESTINATION' adds one`
  )
})
