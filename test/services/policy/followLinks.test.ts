import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { followed } from "../../../src/services/policy/followLinks.ts"
import { System } from "../../../src/services/System.ts"
import { bash } from "../../domain/policy/support.ts"

/** A project with a repository of its own, and a bare one that lies in it like any other directory. */
const directories = new Set(["/srv/app/.git", "/srv/app/vendor/lib/objects", "/srv/other/.git"])
const system = Layer.mock(System, {
  env: {},
  cwd: "/srv/app",
  pid: 1,
  version: "0",
  node: "node",
  platform: "linux",
  self: ["leap"],
  directory: (path) => Effect.succeed(directories.has(path) ? Option.some(path) : Option.none()),
  file: (path) => Effect.succeed(path === "/srv/app/vendor/lib/HEAD" ? Option.some(path) : Option.none()),
  realPath: (path) => Effect.succeed(path === "/srv/app/link" ? "/srv/other/sub" : path)
})

it.effect.each([
  ["git status", { "/srv/app": "/srv/app" }],
  ["cd src/a && git status", { "/srv/app": "/srv/app", "/srv/app/src/a": "/srv/app" }],
  ["cd vendor/lib && git status", { "/srv/app": "/srv/app", "/srv/app/vendor/lib": "/srv/app/vendor/lib" }],
  ["git -C vendor/lib/refs log", { "/srv/app": "/srv/app", "/srv/app/vendor/lib/refs": "/srv/app/vendor/lib" }],
  ["git -C link log", { "/srv/app": "/srv/app", "/srv/app/link": "/srv/other" }],
  ["git -C /tmp log", { "/srv/app": "/srv/app", "/tmp": null }],
  ["npm test", {}]
] as const)("the repository that git finds: %s", ([line, wanted]) =>
  Effect.gen(function* () {
    const { request } = yield* followed(yield* System, bash(line), "/home/me")
    const found = request.repositories?.map(({ directory, root }) => [directory, root]) ?? []
    for (const [directory, root] of Object.entries(wanted))
      assert.deepStrictEqual(
        found.find(([one]) => one === directory),
        [directory, root]
      )
    assert.strictEqual(found.length > 0, Object.keys(wanted).length > 0)
  }).pipe(Effect.provide(system))
)
