import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { builtin, builtinOf } from "../../support/providers.ts"
import { live, liveOfEach } from "../../support/run/effects.ts"

/** A home and a project with these files, which are gone after the test. */
const room = (files: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-own-"))
      const write = (name: string, text: string) => {
        fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
        fs.writeFileSync(path.join(dir, name), text)
      }
      for (const [name, text] of Object.entries(files)) write(name, text)
      return { dir, write, env: { HOME: path.join(dir, "home") }, project: path.join(dir, "project") }
    }),
    ({ dir }) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )

describe("a CLI's own settings, read anew", () => {
  live("name the key that sends", function* () {
    const { env, write } = yield* room({ "home/.claude/settings.json": "{}" })
    const key = () => builtinOf("claude").submitKey?.(env) ?? Effect.succeed("none")
    assert.isNull(yield* key())
    const bindings = { enter: "chat:newline", "ctrl+enter": "chat:submit" }
    write("home/.claude/keybindings.json", JSON.stringify({ bindings: [{ context: "Chat", bindings }] }))
    assert.strictEqual(yield* key(), "\u001b[13;5u")
  })

  liveOfEach<readonly [id: string, file: string, text: string]>([
    ["claude", "project/.claude/settings.local.json", '{"disableAllHooks":true}'],
    ["codex", "home/.codex/config.toml", "[features]\nhooks = false\n"],
    ["gemini", "home/.gemini/settings.json", '{"hooksConfig":{"enabled":false}}'],
    ["copilot", "project/.claude/settings.json", '{"disableAllHooks":true}']
  ])("tell what keeps the hooks of %s from running", function* ([id, file, text]) {
    const { dir, env, project, write } = yield* room({ "project/README.md": "" })
    const off = () => builtinOf(id).hooksOff?.({ args: [], directory: project, env }) ?? Effect.succeed(["unread"])
    assert.deepStrictEqual(yield* off(), [])
    write(file, text)
    const reasons = yield* off()
    assert.strictEqual(reasons.length, 1, reasons.join("; "))
    assert.include(reasons[0], path.join(dir, file))
  })

  it("are read of each CLI whose switches leap knows", () => {
    const known = builtin.filter(({ hooksOff }) => hooksOff !== undefined).map(({ id }) => id)
    assert.sameMembers(known, ["claude", "codex", "gemini", "copilot", "opencode"])
  })
})
