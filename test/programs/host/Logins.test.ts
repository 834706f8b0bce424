import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Logins from "../../../src/programs/host/Logins.ts"
import { type FoundPlace, LoginLinks } from "../../../src/services/LoginLinks.ts"
import { System } from "../../../src/services/System.ts"
import { contextOf, pathsOf } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

const safe: FoundPlace = { _tag: "Gone", isSafe: true }
const open: FoundPlace = { _tag: "Gone", isSafe: false }
const foreign: FoundPlace = { _tag: "Foreign" }

/** A host that was started in this environment, on a machine with these places. */
const stage = Effect.fnUntraced(function* (
  env: Readonly<Record<string, string>>,
  places: Record<string, FoundPlace | "lives">,
  can = true
) {
  const links = new Map<string, string>()
  const waiting: Array<() => void> = []
  const layer = Logins.layer.pipe(
    Layer.provide([
      contextOf(),
      Layer.mock(System, { env, cwd: "/", pid: 1, version: "0", node: "24", platform: "linux", self: ["leap"] }),
      Layer.succeed(LoginLinks, {
        find: (path) =>
          Effect.sync(() => {
            const found = places[path] ?? open
            return found === "lives" ? { _tag: "Lives", path } : found
          }),
        point: (link, path) => Effect.sync(() => can && links.set(link, path) === links),
        changed: () =>
          Effect.callback<void>((resume) => {
            waiting.push(() => resume(Effect.void))
          }),
        remove: (link) => Effect.sync(() => void links.delete(link))
      })
    ])
  )
  const logins = Context.get(yield* Layer.build(layer), Logins.Logins)
  return {
    logins,
    links,
    /** The system tells that these places have changed. */
    change: (changes: Record<string, FoundPlace | "lives">) =>
      Effect.andThen(
        Effect.sync(() => {
          Object.assign(places, changes)
          for (const wake of waiting.splice(0)) wake()
        }),
        TestClock.adjust("1 second")
      ),
    attach: (login: Readonly<Record<string, string>>) =>
      Effect.andThen(
        Effect.sync(() => logins.attached(login)),
        TestClock.adjust("10 millis")
      )
  }
})

const link = pathsOf("one").socket.replace(/\.sock$/, ".ssh")

describe("what belongs to a login", () => {
  effect("follows the login that attached last, and goes back to an earlier one when that ends", function* () {
    const { attach, change, links, logins } = yield* stage(
      { SSH_AUTH_SOCK: "/one" },
      { "/one": "lives", "/two": "lives" }
    )
    assert.deepStrictEqual(logins.env, { SSH_AUTH_SOCK: link })
    assert.strictEqual(links.get(link), "/one")
    yield* attach({ SSH_AUTH_SOCK: "/two" })
    assert.strictEqual(links.get(link), "/two")
    // a login without an agent takes none away, and neither does the session's own link
    yield* attach({})
    yield* attach({ SSH_AUTH_SOCK: link })
    assert.strictEqual(links.get(link), "/two")
    yield* change({ "/two": open })
    assert.strictEqual(links.get(link), "/one")
    yield* change({ "/two": "lives" })
    assert.strictEqual(links.get(link), "/two")
    // the last is gone too: where others could take its place nothing is asked any more
    yield* change({ "/one": open, "/two": open })
    assert.strictEqual(links.get(link), `${link}.none`)
    yield* attach({ SSH_AUTH_SOCK: "/three" })
    assert.strictEqual(links.get(link), `${link}.none`)
    yield* change({ "/three": "lives" })
    assert.strictEqual(links.get(link), "/three")
  })

  effect("is there for a session whose start had no agent, and for no other variable that was not set", function* () {
    const { attach, links, logins } = yield* stage({}, { "/two": "lives", "/wayland": "lives" })
    assert.deepStrictEqual(logins.env, { SSH_AUTH_SOCK: link })
    assert.strictEqual(links.get(link), `${link}.none`)
    yield* attach({ SSH_AUTH_SOCK: "/two", WAYLAND_DISPLAY: "/wayland" })
    assert.deepStrictEqual([...links], [[link, "/two"]])
  })

  effect("leads to nothing of others", function* () {
    const { attach, links } = yield* stage({ SSH_AUTH_SOCK: "/one" }, { "/one": "lives", "/theirs": foreign })
    yield* attach({ SSH_AUTH_SOCK: "/theirs" })
    assert.strictEqual(links.get(link), "/one")
    // set on purpose, as a container's is: it stays what it was
    assert.deepStrictEqual((yield* stage({ SSH_AUTH_SOCK: "/theirs" }, { "/theirs": foreign })).logins.env, {})
    assert.deepStrictEqual((yield* stage({ SSH_AUTH_SOCK: "odd" }, {})).logins.env, {})
  })

  effect("may come back at its own place, and stays what it was where no link can be made", function* () {
    const { links } = yield* stage({ SSH_AUTH_SOCK: "/run/agent" }, { "/run/agent": safe })
    assert.strictEqual(links.get(link), "/run/agent")
    assert.deepStrictEqual((yield* stage({ SSH_AUTH_SOCK: "/one" }, { "/one": "lives" }, false)).logins.env, {})
    const display = yield* stage(
      { WAYLAND_DISPLAY: "wayland-0", XDG_RUNTIME_DIR: "/run", DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus" },
      { "/run/wayland-0": "lives", "/run/bus": "lives" }
    )
    assert.deepStrictEqual(display.logins.env, {
      SSH_AUTH_SOCK: link,
      WAYLAND_DISPLAY: link.replace(/ssh$/, "way"),
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${link.replace(/ssh$/, "bus")}`
    })
  })

  effect("goes with the session", function* () {
    const { links } = yield* Effect.scoped(stage({ SSH_AUTH_SOCK: "/one" }, { "/one": "lives" }))
    assert.deepStrictEqual([...links], [])
  })
})
