// From nothing to the first true state with what a user installs: a build of `npm run release`, and no leap before it. Three
// commands and one question; the seconds of each are told. Without dist/release there is nothing to install.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { openWindow, windows } from "../support/processes/Window.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { makeProject, type RealCli } from "./hosted.ts"
import { roomOf } from "./leap.ts"
import { FakeModel } from "./model/FakeModel.ts"

const install = join(import.meta.dirname, "../../dist/release/install.sh")
const size = { cols: 100, rows: 30 }
const down = "\x1b[B"

const firstMinute = Effect.fnUntraced(function* (cli: RealCli, how: string, answer: string) {
  const home = join(process.env["HOME"] ?? "", `nothing-${cli.id}-${how}`)
  const project = join(home, "project")
  mkdirSync(home)
  makeProject(project)
  const api = yield* Effect.acquireRelease(
    Effect.sync(() => new FakeModel(cli.wire)),
    (api) => Effect.promise(() => api.close())
  )
  const endpoint = yield* Effect.promise(() => api.open())
  const env = { ...process.env, ...cli.prepare(home, project, endpoint), HOME: home }
  const began = Date.now()
  const since = () => `${((Date.now() - began) / 1000).toFixed(1)} s`
  execFileSync("sh", [install], { env, cwd: project })
  const installed = since()
  const leap = join(home, ".local/bin/leap")
  const room = { ...roomOf(env, project), command: ["/usr/bin/env", leap] as const }
  yield* Effect.addFinalizer(() => Effect.sync(() => execFileSync(leap, ["stop", "--all", "--force"], { env })))
  const first = yield* openWindow(room, ["first", "--cli", cli.id], size)
  yield* first.shows("add the hooks and start")
  const asked = since()
  yield* first.type(answer)
  yield* first.shows("ctrl-\\ leaves")
  const painted = since()
  yield* first.type("\x1c")
  assert.strictEqual((yield* first.exit).code, 0)
  const all = yield* openWindow(room, [], size)
  yield* all.shows((screen) => /first +idle/.test(screen))
  process.stderr.write(
    `| ${cli.id} | ${how} | installed ${installed} | asked ${asked} | painted ${painted} | idle ${since()} |\n`
  )
  assert.isBelow(Date.now() - began, 60_000)
  const shown = all.screen()
  yield* all.type("q")
  assert.strictEqual((yield* all.exit).code, 0)
  return shown
})

describe.skipIf(!existsSync(install))("from nothing to the first true state", () => {
  const ways = [
    ["without hooks", `${down}\r`],
    ["hooks added", "\r"]
  ] as const
  it.each(
    [claude, codex, copilot, gemini, opencode].flatMap((cli) => ways.map((way) => [cli.id, ...way, cli] as const))
  )("%s, %s: three commands and one question", async (_, how, answer, cli) => {
    const running = firstMinute(cli, how, answer).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(...windows)))
    assert.match(await Effect.runPromise(running), /first +idle/)
  })
})
