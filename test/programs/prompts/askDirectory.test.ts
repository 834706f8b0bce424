import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import { TestClock } from "effect/testing"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { normalPath } from "../../../src/domain/words/text/paths.ts"
import { askDirectory } from "../../../src/programs/prompts/directories.ts"
import { System } from "../../../src/services/System.ts"
import * as UserTerminal from "../../support/fakes/UserTerminalFake.ts"

/** Folders, and a file, by their paths; what lies below /away never answers, and /closed may not be looked into. */
const folders = [
  ..."/home/me /home/me/projects /home/me/projects/leap /home/me/projects/leap-docs /home/me/projects/lüge".split(" "),
  ..."/home/me/pictures /home/me/.config /srv /srv/one /srv/two /away /closed".split(" "),
  ...Array.from({ length: 40 }, (_, n) => `/many/folder-${n}`),
  "/many",
  "/",
  "/home/me/eine Reise",
  "/home/me/projects/a\u001bb"
]
const file = "/home/me/projects/leap.txt"

const missing = PlatformError.systemError({ _tag: "NotFound", module: "FileSystem", method: "stat" })

const world = () => {
  const looks = { away: 0 }
  const read = (path: string) =>
    Effect.suspend(() => {
      const folder = normalPath(path)
      if (folder.startsWith("/away")) {
        looks.away++
        return Effect.never
      }
      if (folder === "/closed" || !folders.includes(folder)) return Effect.fail(missing)
      const below = [...folders, file].filter(
        (one) => (one.slice(0, one.lastIndexOf("/")) || "/") === folder && one !== "/"
      )
      return Effect.succeed(below.map((one) => one.slice(one.lastIndexOf("/") + 1)))
    })
  const stat = (path: string) =>
    Effect.suspend(() => {
      const folder = normalPath(path)
      if (folder.startsWith("/away/")) return Effect.never
      const type = folders.includes(folder) ? "Directory" : folder === file ? "File" : null
      return type === null ? Effect.fail(missing) : Effect.succeed({ type } as FileSystem.File.Info)
    })
  const layer = Layer.mergeAll(
    FileSystem.layerNoop({ readDirectory: read, stat }),
    Layer.mock(System, {
      cwd: "/home/me/projects",
      env: { HOME: "/home/me" },
      pid: 1,
      version: "0",
      node: "0",
      platform: "linux",
      self: []
    }),
    UserTerminal.layer(60, 12).pipe(Layer.provide(ScreenXterm.layer))
  )
  return { looks, layer }
}

/** What is asked, and what the keys do there. */
const asked = Effect.gen(function* () {
  const fake = yield* UserTerminal.UserTerminalFake
  const fiber = yield* Effect.forkScoped(Effect.exit(askDirectory("Where?")), { startImmediately: true })
  const settle = Effect.repeat(Effect.yieldNow, { times: 60 })
  yield* settle
  const rows = () =>
    fake
      .screen()
      .split("\n")
      .map((row) => row.trimEnd())
  return {
    type: (keys: string) => Effect.andThen(fake.type(keys), settle),
    entry: () => (rows()[0] ?? "").replace("Where? ", ""),
    below: () =>
      rows()
        .slice(1)
        .filter((row) => row !== ""),
    passes: Effect.andThen(TestClock.adjust("1 second"), settle),
    end: () => fiber.pollUnsafe()
  }
})

const run = <A, E>(body: Effect.Effect<A, E, Effect.Services<typeof asked>>) => {
  const { layer } = world()
  return body.pipe(Effect.scoped, Effect.provide(layer))
}

describe("a directory that is asked for", () => {
  const cases: ReadonlyArray<readonly [typed: string, entry: string, below: ReadonlyArray<string>]> = [
    ["l\t", "l", ["  leap/  leap-docs/  lüge/"]],
    ["le\t", "leap", []],
    ["le\t\t", "leap", ["  leap/  leap-docs/"]],
    ["leap-\t", "leap-docs/", []],
    ["lü\t", "lüge/", []],
    ["~\t", "~/", []],
    ["~/p\t", "~/p", ["  pictures/  projects/"]],
    ["~/pro\t", "~/projects/", []],
    ["~/.\t", "~/.config/", []],
    ["~/\t", "~/", ["  eine Reise/  pictures/  projects/"]],
    ["~/e\t", "~/eine Reise/", []],
    ["../pi\t", "../pictures/", []],
    ["/s\t", "/srv/", []],
    ["/srv/\t\t", "/srv/", ["  one/  two/"]],
    ["/srv/\to\t", "/srv/one/", []],
    // a file, what is not there, what may not be read, a name that no row can show
    ["leap.\t", "leap.", ["  no directory begins so"]],
    ["/nowhere/\t", "/nowhere/", ["  no directory begins so"]],
    ["/closed/\t", "/closed/", ["  no directory begins so"]],
    ["a\t", "a", ["  no directory begins so"]],
    // what stands behind the cursor stays
    ["~/pro-x\x1b[D\x1b[D\t", "~/projects/-x", []]
  ]
  for (const [typed, entry, below] of cases)
    it.effect(`${JSON.stringify(typed)} is completed as a shell does`, () =>
      run(
        Effect.gen(function* () {
          const it = yield* asked
          yield* it.type(typed)
          assert.deepStrictEqual([it.entry(), it.below()], [entry, below])
          // what is offered, or said, goes with the next key that changes something
          yield* it.type("x")
          assert.deepStrictEqual(it.below(), [])
        })
      )
    )

  it.effect("is looked up below the user's home, and is to be there", () =>
    run(
      Effect.gen(function* () {
        const it = yield* asked
        yield* it.type("leap.txt\r")
        assert.deepStrictEqual(it.below(), ["  there is no such directory"])
        yield* it.type(`${"\x7f".repeat(10)}~/eine\t\r`)
        const end = it.end()
        assert.strictEqual(
          end?._tag === "Success" && end.value._tag === "Success" && end.value.value,
          "/home/me/eine Reise/"
        )
      })
    )
  )

  it.effect("offers so many names as rows hold, and tells that there are more", () =>
    run(
      Effect.gen(function* () {
        const it = yield* asked
        yield* it.type("/many/\t\t")
        assert.strictEqual(it.entry(), "/many/folder-")
        assert.strictEqual(it.below().length, 4)
        assert.match(it.below().at(-1) ?? "", /…$/)
      })
    )
  )

  it.effect("that does not answer holds nobody up, and is looked at once", () => {
    const { layer, looks } = world()
    return Effect.gen(function* () {
      const it = yield* asked
      for (let n = 0; n < 3; n++) {
        yield* it.type("/away/x\t")
        yield* it.passes
        assert.deepStrictEqual(it.below(), ["  that directory does not answer"])
        yield* it.type("\x7f".repeat(7))
      }
      assert.strictEqual(looks.away, 1)
      yield* it.type("/away/y\r")
      yield* it.passes
      assert.deepStrictEqual(it.below(), ["  that directory does not answer"])
      yield* it.type("\x1b")
      yield* it.passes
      assert.strictEqual(it.end()?._tag, "Success")
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
