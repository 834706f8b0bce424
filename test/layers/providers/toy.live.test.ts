// A CLI that leap does not know, added as one is: two folders and a line (test/suites/toy). It is hosted in this
// process, by what an embedding program has at hand, as a variant that the user's settings make of it.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, References, Schema, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import type { HostReady } from "../../../src/services/HostLauncher.ts"
import * as leap from "../../../src/layers.ts"
import * as HookInboxSpool from "../../../src/layers/files/HookInboxSpool.ts"
import * as OwnStatusFile from "../../../src/layers/files/OwnStatusFile.ts"
import * as PidMapFile from "../../../src/layers/files/PidMapFile.ts"
import { configured } from "../../../src/layers/providers/variants.ts"
import * as MemoryNode from "../../../src/layers/system/MemoryNode.ts"
import * as PtyNode from "../../../src/layers/terminal/PtyNode.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { connectTo } from "../../../src/programs/client/client.ts"
import { runHost } from "../../../src/programs/host/host.ts"
import * as Providers from "../../../src/services/Providers.ts"
import { suite } from "../../suites/CLIProviderSuite.ts"
import { registrations } from "../../suites/toy/registrations.ts"
import { lookingAgain, patience } from "../../support/run/patience.ts"

const program = path.join(import.meta.dirname, "../../suites/toy/toy.mjs")
const mine = { base: "toy", displayName: "My toy", command: program, env: { TOY_NAME: "Ada" } }

const toy = registrations.find(({ identity }) => identity.id === "toy") ?? assert.fail("toy is not registered")
suite(toy, { settings: [{ "/home/me/.toy/settings.json": '{ "sound": true, // loud\n  "hooks": {} }\r\n' }] })

const { command: _, ...plain } = mine
const [variant] = configured(registrations, { ...defaultSettings, order: ["my-toy"], clis: { "my-toy": plain } })
suite(variant ?? assert.fail("the variant is not registered"))

const home = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-toy-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

it.live("a session of the new CLI's variant is hosted, sent to, answered and stopped", () =>
  Effect.gen(function* () {
    const directory = yield* home
    process.env["LEAP_HOME"] = directory
    fs.writeFileSync(path.join(directory, "settings.json"), JSON.stringify({ clis: { "my-toy": mine } }))
    const tag = Schema.decodeUnknownSync(Tag)("toy")
    const layers = Layer.mergeAll(
      HookInboxSpool.layer,
      MemoryNode.layerUntouched,
      OwnStatusFile.layer,
      PidMapFile.layer,
      PtyNode.layer,
      ScreenXterm.layer
    ).pipe(Layer.provideMerge(leap.layerWith({ version: "0", self: [], clis: registrations })))
    yield* Effect.gen(function* () {
      const ready = yield* Deferred.make<HostReady>()
      const host = yield* Effect.forkScoped(
        runHost({
          spec: { tag, cli: "my-toy", cwd: directory, args: [], cols: 80, rows: 24, waitForViewer: false },
          announce: (said) => Deferred.succeed(ready, said),
          onFinished: Effect.void,
          stopRequest: Effect.never
        }).pipe(Effect.provide(Providers.layerOf("my-toy")))
      )
      assert.isTrue((yield* Deferred.await(ready)).ready)
      const client = yield* connectTo(tag)
      const shows = (text: string) =>
        client.Screen().pipe(
          Effect.filterOrFail(
            (screen) => screen.text.includes(text),
            () => `no ${text}`
          ),
          Effect.retry(lookingAgain(50))
        )
      const send = (text: string) => client.Send({ text, images: [], front: false, force: false })
      yield* shows("this is toy, called Ada")
      yield* send("hello\nthere")
      yield* shows("you said: hello\n  there")
      yield* send("ask")
      yield* shows("toy asks: May I run ls?")
      // its screen shows it before it counts as read
      yield* client.Watch().pipe(
        Stream.filter(({ question = null }) => question !== null),
        Stream.runHead
      )
      yield* client.Answer({ answer: "yes" })
      yield* shows("it may")
      yield* client.Stop({ force: false })
      yield* Fiber.join(host)
    }).pipe(Effect.provide(layers), Effect.provideService(References.MinimumLogLevel, "Error"))
  }).pipe(Effect.timeout(patience), Effect.scoped)
)
