import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { attach } from "../../../src/programs/attach/attach.ts"
import { Clipboard } from "../../../src/services/Clipboard.ts"
import { Output } from "../../../src/services/Output.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { SharedFile } from "../../../src/services/SharedFile.ts"
import { ControlSocket, NoHostError } from "../../../src/services/ControlSocket.ts"
import { UserTerminalFake } from "../../support/fakes/UserTerminalFake.ts"
import * as UserTerminal from "../../support/fakes/UserTerminalFake.ts"
import { hostDemo, until, world } from "../../support/host/stage.ts"

/** Attaches a terminal to a session of the demo CLI, writes in it and leaves it; gives what the ways there were used. */
const visit = Effect.gen(function* () {
  const { child, status } = yield* hostDemo()
  const fake = yield* UserTerminalFake
  const attached = yield* Effect.forkScoped(attach({ tag: Tag.make("one"), readOnly: false }), {
    startImmediately: true
  })
  yield* until(
    () => fake.screen().includes("ask anything"),
    () => `the CLI's screen: ${fake.screen()} ${JSON.stringify(attached.pollUnsafe())}`
  )
  yield* status.until((now) => now.attached === 1, "attached")
  yield* fake.type("hello")
  yield* until(
    () => fake.screen().includes("hello"),
    () => `an echo: ${fake.screen()}`
  )
  yield* fake.type("\x1c")
  yield* until(() => attached.pollUnsafe() !== undefined, "detached")
  yield* status.until((now) => now.attached === 0, "nobody is attached")
  assert.include(child.written(), "hello")
  assert.deepStrictEqual(
    fake.left().filter((left) => !left.startsWith("last words")),
    [],
    "nothing is left behind"
  )
})

/** What was used of the sockets of a host that has the channel, is from before it, or has it and does not answer. */
const counted = (host: "present" | "older" | "deaf") => {
  const used = { channels: 0, tried: 0 }
  const layer = Layer.effect(
    ControlSocket,
    Effect.map(ControlSocket, (sockets) =>
      ControlSocket.of({
        ...sockets,
        connect: (path) =>
          Effect.map(sockets.connect(path), (client) =>
            host === "older"
              ? ({
                  ...client,
                  Hello: () => Effect.map(client.Hello(), (hello) => ({ ...hello, can: ["reserve"] }))
                } as typeof client)
              : client
          ),
        attach: (path) => {
          used.tried++
          if (host === "deaf") return Effect.fail(new NoHostError({ path, why: "it does not answer" }))
          used.channels++
          return sockets.attach(path)
        }
      })
    )
  )
  const outside = Layer.mergeAll(
    world,
    UserTerminal.layer(80, 24),
    Layer.mock(Providers, { all: [] }),
    Layer.mock(SharedFile, {}),
    Layer.mock(Clipboard, {})
  ).pipe(
    Layer.merge(
      Layer.mock(Output, {
        colour: true,
        isTerminal: true,
        inputIsTerminal: true,
        errorIsTerminal: true,
        note: () => Effect.void
      })
    )
  )
  return { used, layer: Layer.provideMerge(layer, outside) }
}

describe("a terminal attached to a session", () => {
  const cases = [
    ["goes by the attach channel", "present", { channels: 1, tried: 1 }],
    ["goes by RPC at a host from before the channel, and does the same", "older", { channels: 0, tried: 0 }],
    ["goes by RPC where the channel is not to be had", "deaf", { channels: 0, tried: 1 }]
  ] as const
  for (const [what, host, expected] of cases) {
    it.effect(what, () => {
      const { layer, used } = counted(host)
      return visit.pipe(
        Effect.tap(() => Effect.sync(() => assert.deepStrictEqual(used, expected))),
        Effect.scoped,
        Effect.provide(layer)
      )
    })
  }
})
