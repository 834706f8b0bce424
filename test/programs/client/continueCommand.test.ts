import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "../../../src/layers/providers/ProvidersConfigured.ts"
import { readSettings } from "../../../src/domain/store/settings/readSettings.ts"
import { continueAdvice, continueCommand } from "../../../src/programs/client/continueCommand.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { QueueStore } from "../../../src/services/QueueStore.ts"
import { StatusStore } from "../../../src/services/StatusStore.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { pathsOf } from "../../support/host/parts.ts"
import { tag } from "../../support/processes/Room.ts"

const settings = Layer.succeed(UserSettings, {
  file: "/settings.json",
  read: Effect.succeed(readSettings(new TextEncoder().encode("{}"), [])),
  change: () => Effect.die("no change"),
  changes: Effect.succeed(Stream.empty)
})
/** Sessions of which this is the last status. */
const after = (last: Parameters<typeof sessionStatus>[0] | null) =>
  Layer.mergeAll(
    ProvidersConfigured.layerOf(ProvidersBuiltin.registrations).pipe(Layer.provide(settings)),
    Layer.mock(Paths, {
      state: "/s",
      config: "/c",
      sessions: "/s",
      hookScript: "/s/hook",
      session: () => pathsOf(tag("t"))
    }),
    Layer.mock(StatusStore, {
      read: () => Effect.succeed(Option.map(Option.fromNullishOr(last), sessionStatus))
    }),
    Layer.mock(QueueStore, { recover: () => Effect.succeed({ records: [], problem: null }) })
  )

describe("what is advised after a session's end", () => {
  it.effect.each([
    [{ cli: "claude", sessionId: "s1" }, "leap resume --tag t --last"],
    [{ cli: "claude", sessionId: null }, "leap t"],
    // one whose CLI cannot go on, one whose CLI is known no longer, and none at all
    [{ cli: "demo", sessionId: "s1" }, "leap t"],
    [{ cli: "gone", sessionId: "s1" }, "leap t"],
    [null, "leap t"]
  ] as const)("of %j is '%s'", ([last, command]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* continueCommand(tag("t")), command)
      assert.include(yield* continueAdvice(tag("t")), `'${command}'`)
    }).pipe(Effect.provide(after(last)))
  )
})
