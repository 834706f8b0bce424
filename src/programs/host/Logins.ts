import { Context, Effect, Fiber, FiberHandle, Layer, Semaphore } from "effect"
import { linkOf, loginOf, loginPlaces, type LoginPlace, newest } from "../../domain/words/session/login.ts"
import { type FoundPlace, LoginLinks } from "../../services/LoginLinks.ts"
import { System } from "../../services/System.ts"
import { SessionContext } from "./SessionContext.ts"

/** Points the session's links to the sockets and files of the login that attached last. */
export class Logins extends Context.Service<
  Logins,
  {
    readonly env: Readonly<Record<string, string>>
    /** Reports an attach from a login with these places, without waiting. */
    readonly attached: (login: Readonly<Record<string, string>>) => void
  }
>()("leap/programs/host/Logins") {}

/** A login's end deletes its agent's socket and then its directory. */
const settling = "200 millis"

/** A path that does not exist, and that no other user can create. */
const nowhere = (link: string): string => `${link}.none`

/** The link's target. A missing place is kept if no other user can take it, because its server may return. */
const placeFor = (found: FoundPlace, path: string, link: string): string => {
  switch (found._tag) {
    case "Lives":
      return found.path
    case "Gone":
      return found.isSafe ? path : nowhere(link)
    case "Foreign":
      return nowhere(link)
  }
}

const make = Effect.gen(function* () {
  const links = yield* LoginLinks
  const { paths } = yield* SessionContext
  const system = yield* System
  const alone = yield* Semaphore.make(1)
  const watching = yield* FiberHandle.make<never>()
  const run = yield* FiberHandle.runtime(watching)<never>()

  const started = loginOf(system.env)
  const env: Record<string, string> = {}
  const followed: Array<{
    readonly place: LoginPlace
    readonly link: string
    known: ReadonlyArray<string>
    at: string
  }> = []
  for (const place of loginPlaces) {
    const path = started[place.variable] ?? null
    if (path === null && (!place.always || system.env[place.variable])) continue
    const link = linkOf(paths.socket, place)
    const found = path === null ? null : yield* links.find(path, place.kind, false)
    if (found?._tag === "Foreign") continue
    const at = found === null ? nowhere(link) : placeFor(found, path ?? "", link)
    if (!(yield* links.point(link, at))) continue
    yield* Effect.addFinalizer(() => links.remove(link))
    followed.push({ place, link, known: path === null ? [] : [path], at })
    env[place.variable] = place.valueOf(link)
  }

  /** Points each link to the newest living login. `connects`: see {@link LoginLinks}. */
  const pointLinks = (connects: boolean) =>
    Effect.gen(function* () {
      for (const one of followed) {
        let at: string | null = null
        for (const path of one.known) {
          const found = yield* links.find(path, one.place.kind, connects)
          if (found._tag === "Lives" || at === null) at = placeFor(found, path, one.link)
          if (found._tag === "Lives") break
        }
        if (at !== null && at !== one.at && (yield* links.point(one.link, at))) one.at = at
      }
    }).pipe(alone.withPermits(1))

  const watch = Effect.gen(function* () {
    for (;;) {
      const places = followed.flatMap(({ known }) => known)
      // watches before reading, so that no change is missed
      const change = yield* Effect.forkChild(links.changed(places), { startImmediately: true })
      yield* pointLinks(false)
      yield* Fiber.join(change)
      yield* Effect.sleep(settling)
    }
  })

  run(watch)

  return Logins.of({
    env,
    attached: (login) => {
      for (const one of followed) {
        const path = login[one.place.variable]
        // inside the session the agent may be the session's own link, which is no login
        if (path !== undefined && path !== one.link) one.known = newest(one.known, path)
      }
      run(Effect.andThen(pointLinks(true), watch))
    }
  })
})

export const layer = Layer.effect(Logins, make)
