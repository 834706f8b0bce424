import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as WiringTrialNode from "../../../src/layers/system/WiringTrialNode.ts"
import { WiringTrial } from "../../../src/services/WiringTrial.ts"
import { builtinOf } from "../../support/providers.ts"
import { liveWith } from "../../support/run/effects.ts"

const [claude, gemini] = [builtinOf("claude"), builtinOf("gemini")]

/** A CLI that is this script; its settings are in `$settings`, and `call` runs its first hook. */
const tried = Effect.fnUntraced(function* (body: string, version: string | null, provider = claude) {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap trial test "))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const program = path.join(dir, "cli")
  fs.writeFileSync(
    program,
    `#!/bin/sh
settings=$CLAUDE_CONFIG_DIR/settings.json
echo "$HOME $PWD $CLAUDE_CONFIG_DIR $ANTHROPIC_BASE_URL" >> "${dir}/runs"
call() { eval "$(grep -o "'*/[^\\" ]*leap-hook.sh'* SessionStart" "$settings")"; }
${body}
`,
    { mode: 0o755 }
  )
  const home = path.join(dir, "home")
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", CLAUDE_CONFIG_DIR: path.join(home, "mine") }
  const outcome = yield* (yield* WiringTrial).run(provider, { program, env, version })
  const runs = fs.existsSync(path.join(dir, "runs")) ? fs.readFileSync(path.join(dir, "runs"), "utf8").split("\n") : []
  return { outcome, home, runs: runs.slice(0, -1) }
})

describe("a trial of leap's hooks", () => {
  it.live.each([
    ["a CLI that calls them", "call", "2.1.329", "accepted", 1],
    ["one that calls them and stays", "call; sleep 300", "2.1.329", "accepted", 1],
    ["one that refuses an event", 'grep -q PostCompact "$settings" || call', "2.1.329", "refused", 2],
    ["the same with the events of its version", 'grep -q PostCompact "$settings" || call', "2.0.77", "accepted", 1],
    ["one that calls no hooks at all", "echo no; exit 1", "2.1.329", "unknown", 2]
  ] as const)("%s", ([, body, version, outcome, runs]) =>
    Effect.gen(function* () {
      const found = yield* tried(body, version)
      assert.strictEqual(found.outcome, outcome)
      assert.strictEqual(found.runs.length, runs)
    }).pipe(Effect.scoped, Effect.provide(WiringTrialNode.layer))
  )

  liveWith(WiringTrialNode.layer)("touches nothing of the user's, reaches nobody, and leaves nothing", function* () {
    const { home, runs } = yield* tried("call", "2.1.329")
    const [at = "", work = "", settings = "", url = ""] = runs[0]?.split(/ (?=\/|http)/) ?? []
    assert.strictEqual(at, home)
    assert.isFalse(fs.existsSync(home))
    assert.strictEqual(path.dirname(work), path.dirname(settings))
    assert.isFalse(fs.existsSync(path.dirname(settings)))
    assert.strictEqual(url, "http://127.0.0.1:9")
  })

  liveWith(WiringTrialNode.layer)(
    "is not made of a CLI that has no way to say so, and one that cannot be run says nothing",
    function* () {
      const { outcome, runs } = yield* tried("call", null, gemini)
      assert.deepStrictEqual([outcome, runs], ["unknown", []])
      const trial = yield* WiringTrial
      const nowhere = { program: "/no/such/program", env: {}, version: "2.1.329" }
      assert.strictEqual(yield* trial.run(claude, nowhere), "unknown")
    }
  )
})
