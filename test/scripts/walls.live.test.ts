import { assert, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** A file that breaks one rule each, and the rule. */
const planted: ReadonlyArray<readonly [file: string, rule: string, code: string]> = [
  ["src/domain/ToService.ts", "walls", "export { Pty } from \"../services/Pty.ts\""],
  ["src/domain/ToLayer.ts", "walls", "export * from \"../layers/PtyNode.ts\""],
  ["src/domain/ToProgram.ts", "walls", "export const load = () => import(\"../programs/exit.ts\")"],
  ["src/domain/ToNode.ts", "walls", "export * from \"node:fs\""],
  ["src/domain/ToType.ts", "walls", "import type { Pty } from \"../services/Pty.ts\"\nexport type It = Pty"],
  ["src/domain/ToEffect.ts", "walls", "import { Effect } from \"effect\"\nexport const it = Effect.void"],
  ["src/domain/ToEffectPath.ts", "walls", "export * as Clock from \"effect/Clock\""],
  ["src/domain/Now.ts", "pure", "export const now = () => Date.now()"],
  ["src/domain/Today.ts", "pure", "export const today = () => new Date()"],
  ["src/domain/Random.ts", "pure", "export const random = () => Math.random()"],
  ["src/domain/ClockOfEffect.ts", "pure", "import { DateTime } from \"effect\"\nexport const now = () => DateTime.nowUnsafe()"],
  ["src/domain/State.ts", "pure", "export let count = 0"],
  ["src/domain/Timer.ts", "no-restricted-globals", "export const later = () => setTimeout(() => {}, 1)"],
  ["src/domain/Process.ts", "no-restricted-globals", "export const home = () => process.env[\"HOME\"]"],
  ["src/domain/Any.ts", "no-explicit-any", "export const it = (value: any) => value"],
  ["src/domain/CycleA.ts", "no-cycle", "import { b } from \"./CycleB.ts\"\nexport const a = () => b"],
  ["src/domain/CycleB.ts", "no-cycle", "import { a } from \"./CycleA.ts\"\nexport const b = () => a"],
  ["src/services/ToLayer.ts", "walls", "export * from \"../layers/PtyNode.ts\""],
  ["src/services/ToProgram.ts", "walls", "export * from \"../programs/exit.ts\""],
  ["src/services/ToNode.ts", "walls", "export * from \"node:fs\""],
  ["src/layers/ToProgram.ts", "walls", "export * from \"../programs/exit.ts\""],
  ["src/layers/ToProgramLater.ts", "walls", "export const load = () => import(\"../programs/exit.ts\")"],
  ["src/layers/ToLayer.ts", "walls", "export * from \"./PtyNode.ts\""],
  ["src/layers/ToDemo.ts", "walls", "export * from \"../demo/main.ts\""],
  ["src/programs/ToLayer.ts", "walls", "export * from \"../layers/PtyNode.ts\""],
  ["src/programs/ToLayerLater.ts", "walls", "export const load = () => import(\"../layers/PtyNode.ts\")"],
  ["src/programs/ToNode.ts", "walls", "export * from \"node:fs\""],
  ["src/programs/ToMain.ts", "walls", "export * from \"../main.ts\""],
  ["src/programs/Clock.ts", "no-restricted-properties", "export const now = () => Date.now()"],
  ["src/demo/ToService.ts", "walls", "export * from \"../services/Pty.ts\""],
  ["src/demo/ToDomain.ts", "walls", "export * from \"../domain/Session.ts\""],
  ["src/bin.ts", "walls", "import \"./main.ts\""],
  ["src/elsewhere/New.ts", "walls", "export const it = 1"]
]

const sound: ReadonlyArray<readonly [file: string, code: string]> = [
  ["src/domain/Sound.ts", "import { Schema } from \"effect\"\nexport const Name = Schema.String\nexport const at = (ms: number) => new Date(ms)"],
  ["src/services/Sound.ts", "import { Context } from \"effect\"\nexport * from \"../domain/Sound.ts\"\nexport const it = Context"],
  ["src/layers/Sound.ts", "export * as fs from \"node:fs\"\nexport * from \"../services/Sound.ts\"\nexport * from \"./SoundParts.ts\""],
  ["src/layers/providers/A.ts", "export const a = 1"],
  ["src/layers/providers/all.ts", "export * from \"./A.ts\""],
  ["src/layers/Later.ts", "export const load = () => import(\"./SoundWhole.ts\")"],
  ["src/layers/All.ts", "export * from \"./providers/A.ts\""],
  ["src/layers/SoundParts.ts", "export const part = 1"],
  ["src/layers/SoundWhole.ts", "export const whole = 1"],
  ["src/programs/Sound.ts", "export * from \"../services/Sound.ts\"\nexport * from \"../domain/Sound.ts\""],
  ["src/main.ts", "export * from \"./layers/Sound.ts\"\nexport * as Programs from \"./programs/Sound.ts\""]
]

it("the linter refuses a planted violation of each wall, and nothing else", () => {
  const tree = mkdtempSync(join(tmpdir(), "leap-walls-"))
  try {
    for (const [file, code] of [...planted.map(([file, , code]) => [file, code] as const), ...sound]) {
      mkdirSync(dirname(join(tree, file)), { recursive: true })
      writeFileSync(join(tree, file), `${code}\n`)
    }
    execFileSync("cp", ["-r", join(root, ".oxlintrc.json"), join(root, "tsconfig.json"), tree])
    mkdirSync(join(tree, "scripts"))
    symlinkSync(join(root, "scripts/lint"), join(tree, "scripts/lint"))
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"))
    const run = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "src"], {
      cwd: tree,
      encoding: "utf8",
      env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` }
    })
    assert.strictEqual(run.status, 1, run.stderr)
    const report = JSON.parse(run.stdout) as { diagnostics: ReadonlyArray<{ filename: string; code: string }> }
    const found = report.diagnostics.map(({ code, filename }) => `${filename} ${/\((.*)\)/.exec(code)?.[1] ?? code}`)
    assert.deepStrictEqual([...new Set(found)].sort(), planted.map(([file, rule]) => `${file} ${rule}`).sort())
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})
