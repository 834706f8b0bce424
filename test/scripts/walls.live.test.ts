import { assert, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** A file that breaks one rule each, and the rule. */
const planted: ReadonlyArray<readonly [file: string, rule: string, code: string]> = [
  ["src/domain/words/text/ToService.ts", "walls", 'export { Pty } from "../../../services/Pty.ts"'],
  ["src/domain/words/text/ToLayer.ts", "walls", 'export * from "../../../layers/terminal/PtyNode.ts"'],
  ["src/domain/words/text/ToProgram.ts", "walls", 'export const load = () => import("../../../programs/exit.ts")'],
  ["src/domain/words/text/ToNode.ts", "walls", 'export * from "node:fs"'],
  [
    "src/domain/words/text/ToType.ts",
    "walls",
    'import type { Pty } from "../../../services/Pty.ts"\nexport type It = Pty'
  ],
  ["src/domain/words/text/ToEffect.ts", "walls", 'import { Effect } from "effect"\nexport const it = Effect.void'],
  ["src/domain/words/text/ToEffectPath.ts", "walls", 'export * as Clock from "effect/Clock"'],
  ["src/domain/words/text/Now.ts", "pure", "export const now = () => Date.now()"],
  ["src/domain/words/text/Today.ts", "pure", "export const today = () => new Date()"],
  ["src/domain/words/text/Random.ts", "pure", "export const random = () => Math.random()"],
  [
    "src/domain/words/text/ClockOfEffect.ts",
    "pure",
    'import { DateTime } from "effect"\nexport const now = () => DateTime.nowUnsafe()'
  ],
  ["src/domain/words/text/State.ts", "pure", "export let count = 0"],
  ["src/domain/words/text/Timer.ts", "no-restricted-globals", "export const later = () => setTimeout(() => {}, 1)"],
  ["src/domain/words/text/Process.ts", "no-restricted-globals", 'export const home = () => process.env["HOME"]'],
  ["src/domain/words/text/Any.ts", "no-explicit-any", "export const it = (value: any) => value"],
  ["src/domain/words/text/CycleA.ts", "no-cycle", 'import { b } from "./CycleB.ts"\nexport const a = () => b'],
  ["src/domain/words/text/CycleB.ts", "no-cycle", 'import { a } from "./CycleA.ts"\nexport const b = () => a'],
  // rooms: none outside, none above, none beside for a CLI's own folder
  ["src/domain/Loose.ts", "walls", "export const it = 1"],
  ["src/domain/attic/New.ts", "walls", "export const it = 1"],
  ["src/domain/words/Loose.ts", "walls", "export const it = 1"],
  ["src/domain/words/attic/New.ts", "walls", "export const it = 1"],
  ["src/domain/words/text/ToRoomAbove.ts", "walls", 'export * from "../session/Sound.ts"'],
  [
    "src/domain/engine/tracker/ToMachine.ts",
    "walls",
    'import type { It } from "../machine/Sound.ts"\nexport type That = It'
  ],
  ["src/domain/engine/tracker/rules/ToDelivery.ts", "walls", 'export * from "../../delivery/Sound.ts"'],
  ["src/domain/cli/provider/ToProviders.ts", "walls", 'export * from "../../providers/claude/Screen.ts"'],
  ["src/domain/providers/claude/ScreenToOther.ts", "walls", 'export * from "../codex/Screen.ts"'],
  ["src/domain/providers/claude/Dialogs.ts", "walls", "export const it = 1"],
  ["src/domain/providers/claude/Screening.ts", "walls", "export const it = 1"],
  ["src/layers/providers/claude/ToOther.ts", "walls", 'export * from "../codex/Provider.ts"'],
  ["src/layers.ts", "walls", 'export * from "./programs/exit.ts"'],
  ["src/layers/files/ToProviders.ts", "walls", 'export const load = () => import("../providers/claude/Provider.ts")'],
  ["src/programs/client/ToCommands.ts", "walls", 'export * from "../commands/Sound.ts"'],
  ["src/programs/client/ToRoot.ts", "walls", 'export * from "../cli.ts"'],
  ["src/programs/Loose.ts", "walls", "export const it = 1"],
  ["src/services/ToLayer.ts", "walls", 'export * from "../layers/terminal/PtyNode.ts"'],
  ["src/services/ToProgram.ts", "walls", 'export * from "../programs/exit.ts"'],
  ["src/services/ToNode.ts", "walls", 'export * from "node:fs"'],
  ["src/layers/terminal/ToProgram.ts", "walls", 'export * from "../../programs/exit.ts"'],
  ["src/layers/terminal/ToProgramLater.ts", "walls", 'export const load = () => import("../../programs/exit.ts")'],
  ["src/layers/terminal/ToLayer.ts", "walls", 'export * from "./PtyNode.ts"'],
  ["src/layers/terminal/ToDemo.ts", "walls", 'export * from "../../demo/main.ts"'],
  ["src/programs/client/ToLayer.ts", "walls", 'export * from "../../layers/terminal/PtyNode.ts"'],
  [
    "src/programs/client/ToLayerLater.ts",
    "walls",
    'export const load = () => import("../../layers/terminal/PtyNode.ts")'
  ],
  ["src/programs/client/ToNode.ts", "walls", 'export * from "node:fs"'],
  ["src/programs/client/ToMain.ts", "walls", 'export * from "../../main.ts"'],
  // time comes by an argument or from Clock wherever a rule could depend on it
  ["src/programs/client/Clock.ts", "clock", "export const now = () => Date.now()"],
  ["src/programs/client/Today.ts", "clock", "export const today = () => new Date()"],
  ["src/layers/terminal/Clock.ts", "clock", "export const now = () => performance.now()"],
  ["src/layers/terminal/Chance.ts", "clock", "export const chance = () => Math.random()"],
  ["src/services/Today.ts", "clock", "export const today = () => Date()"],
  ["src/quick/Clock.ts", "clock", 'export const now = () => Date["now"]()'],
  ["src/demoCli/ToService.ts", "walls", 'export * from "../services/Pty.ts"'],
  ["src/demoCli/ToDomain.ts", "walls", 'export * from "../domain/words/session/Sound.ts"'],
  ["src/bin.ts", "walls", 'import "./main.ts"'],
  ["src/main.ts", "walls", 'export * from "./programs/cli.ts"'],
  ["src/elsewhere/New.ts", "walls", "export const it = 1"],
  // no line beyond 120 columns, in quotes or not; wide characters are one each
  ["src/domain/words/session/LongString.ts", "columns", `export const it = "${"x".repeat(102)}"`],
  ["src/layers/files/LongTemplate.ts", "columns", `export const it = \`\n${"x".repeat(121)}\n\``],
  ["src/demoCli/LongComment.ts", "columns", `export const it = 1 // ${"x".repeat(98)}`],
  // no promise where an Effect would be
  ["src/domain/words/session/Async.ts", "effect", "export const it = async () => 1"],
  [
    "src/domain/engine/queue/ReadsWords.ts",
    "causes",
    'export const it = ({ why }: { readonly why: string | null }) => why === "you held it"'
  ],
  [
    "src/programs/host/ReadsWords.ts",
    "causes",
    'export const it = (message: { readonly why: string | null }) => message.why?.startsWith("its turn failed")'
  ],
  [
    "src/domain/surfaces/web/CutsReasons.ts",
    "causes",
    'export const it = ({ reason }: { readonly reason: string }) => reason.split("; not ready: ")'
  ],
  [
    "src/page/LooksForWords.ts",
    "causes",
    "export const it = (text: string, problem: { readonly message: string }) => text.includes(problem.message)"
  ],
  [
    "src/domain/cli/provider/ComparesSentences.ts",
    "causes",
    'export const it = ({ flaw }: { readonly flaw: string | null }) => flaw === "it is no JSON"'
  ],
  [
    "src/domain/words/text/TypeCycleA.ts",
    "no-cycle",
    'import type { B } from "./TypeCycleB.ts"\nexport interface A {\n  readonly b: B\n}'
  ],
  [
    "src/domain/words/text/TypeCycleB.ts",
    "no-cycle",
    'import type { A } from "./TypeCycleA.ts"\nexport interface B {\n  readonly a: A | null\n}'
  ],
  ["src/services/Async.ts", "effect", "export async function it() {\n  return 1\n}"],
  ["src/layers/files/Async.ts", "effect", "export const it = {\n  async it() {\n    return 1\n  }\n}"],
  ["src/programs/client/Async.ts", "effect", "export const it = () => [async () => 1]"],
  // what a live test may not depend on: the machine's speed, chance, the network, what is installed
  [
    "test/layers/Elapsed.live.test.ts",
    "live",
    "const begin = performance.now()\nassert.isBelow(performance.now() - begin, 1_000)"
  ],
  [
    "test/layers/ElapsedLater.live.test.ts",
    "live",
    "const begin = Date.now()\nconst took = Date.now() - begin\nassert.isTrue(took < 1_000)"
  ],
  [
    "test/layers/ElapsedBetween.live.test.ts",
    "live",
    "const begin = process.hrtime.bigint()\nconst end = process.hrtime.bigint()\nassert.strictEqual(end - begin < 9n, true)"
  ],
  ["test/layers/Timed.live.test.ts", "live", "const [took] = yield* Effect.timed(it)\nassert.isAtMost(took, 9)"],
  ["test/layers/Slept.live.test.ts", "live", 'export const it = Effect.sleep("1 second")'],
  ["test/layers/SleptMillis.live.test.ts", "live", "export const it = Effect.sleep(201)"],
  ["test/layers/SleptDuration.live.test.ts", "live", "export const it = Effect.sleep(Duration.seconds(3))"],
  ["test/layers/Timer.live.test.ts", "live", "setTimeout(done, 500)"],
  ["test/layers/Chance.live.test.ts", "live", "export const it = Math.random()"],
  ["test/layers/ChanceBytes.live.test.ts", "live", 'export { randomBytes as it } from "node:crypto"'],
  ["test/layers/ChanceNames.live.test.ts", "live", 'import { randomUUID } from "node:crypto"\nrandomUUID()'],
  ["test/layers/ChanceOfWeb.live.test.ts", "live", "crypto.getRandomValues(new Uint8Array(4))"],
  ["test/layers/Fetched.live.test.ts", "live", 'fetch("https://registry.npmjs.org/leap")'],
  ["test/layers/Connected.live.test.ts", "live", 'net.connect({ host: "198.51.100.1", port: 80 })'],
  ["test/layers/Socket.live.test.ts", "live", 'export const it = new WebSocket("wss://echo.websocket.org")'],
  ["test/layers/Installed.live.test.ts", "live", 'spawnSync("npm", ["ci"])'],
  ["test/layers/InstalledByLine.live.test.ts", "live", 'execSync("curl -O http://localhost/x")'],
  ["test/layers/Bound.live.test.ts", "live", 'export const it = Effect.timeout(wait, "30 seconds")'],
  ["test/layers/BoundPiped.live.test.ts", "live", "export const it = wait.pipe(Effect.timeoutOption(4_000))"],
  [
    "test/layers/BoundElse.live.test.ts",
    "live",
    'export const it = wait.pipe(Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.void }))'
  ],
  ["test/layers/BoundLoop.live.test.ts", "live", "const deadline = Date.now() + 15_000\nwaitUntil(deadline)"],
  ["test/layers/BoundCount.live.test.ts", "live", "export const it = Schedule.recurs(400)"],
  ["test/layers/BoundTest.live.test.ts", "live", 'it.live("waits", () => wait, 30_000)'],
  ["test/support/processes/Impatient.ts", "live", 'export const it = Effect.timeout(wait, "1 second")']
]

const sound: ReadonlyArray<readonly [file: string, code: string]> = [
  [
    "src/domain/words/text/Sound.ts",
    'import { Schema } from "effect"\nexport const Name = Schema.String\nexport const at = (ms: number) => new Date(ms)'
  ],
  ["src/domain/words/session/Sound.ts", 'export * from "../text/Sound.ts"'],
  ["src/domain/engine/delivery/Sound.ts", 'export * from "../../words/session/Sound.ts"'],
  ["src/domain/engine/machine/Sound.ts", 'export * from "../delivery/Sound.ts"\nexport type It = string'],
  [
    "src/domain/providers/claude/Screen.ts",
    'export * from "./ScreenPart.ts"\nexport * from "../../words/session/Sound.ts"'
  ],
  ["src/domain/providers/claude/ScreenPart.ts", "export const part = 1"],
  ["src/domain/providers/codex/Screen.ts", "export const it = 1"],
  [
    "src/services/Sound.ts",
    'import { Context } from "effect"\nexport * from "../domain/words/text/Sound.ts"\nexport const it = Context'
  ],
  [
    "src/layers/terminal/Sound.ts",
    'export * as fs from "node:fs"\nexport * from "../../services/Sound.ts"\nexport * from "./SoundParts.ts"\nexport * from "./shared.ts"'
  ],
  ["src/layers/terminal/SoundParts.ts", "export const part = 1"],
  ["src/layers/terminal/shared.ts", "export const shared = 1"],
  ["src/layers/terminal/Later.ts", 'export const load = () => import("./SoundWhole.ts")'],
  ["src/layers/terminal/SoundWhole.ts", "export const whole = 1"],
  [
    "src/layers/providers/claude/Provider.ts",
    'export const a = 1\nexport const load = () => import("./Relocation.ts")\nexport * from "../edits.ts"'
  ],
  ["src/layers/providers/claude/Relocation.ts", "export const b = 1"],
  ["src/layers/providers/codex/Provider.ts", "export const c = 1"],
  ["src/layers/providers/edits.ts", "export const d = 1"],
  ["src/layers/providers/All.ts", 'export * from "./claude/Provider.ts"'],
  [
    "src/programs/commands/Sound.ts",
    'export * from "../../services/Sound.ts"\nexport * from "../client/Sound.ts"\nexport * from "../exit.ts"'
  ],
  ["src/programs/client/Sound.ts", 'export * from "../../domain/words/text/Sound.ts"'],
  ["src/programs/exit.ts", "export const exit = 1"],
  ["src/programs/cli.ts", 'export * from "./commands/Sound.ts"'],
  ["src/domain/words/session/Wide.ts", `export const it = "${"漢".repeat(100)}"`],
  ["src/domain/words/session/Promised.ts", "export const it = (): Promise<number> => Promise.resolve(1)"],
  ["src/layers/relocator/RelocationFilesNode.ts", "export const it = async () => 1"],
  ["src/demoCli/Promised.ts", "export const it = async () => 1"],
  [
    "test/layers/Sound.live.test.ts",
    [
      "const begin = Date.now()",
      'Effect.timeout(wait, patience).pipe(Effect.andThen(Effect.sleep("200 millis")))',
      "const age = Date.now() - 90_000",
      "assert.strictEqual(age, begin)",
      "assert.isAtLeast(Date.now() - begin, 100)",
      "Schedule.recurs(3)",
      "fetch(`http://127.0.0.1:${port}/`)",
      'fetch("http://api.example.test/v1")',
      'spawnSync("git", ["npm"])',
      'it.live("waits", () => wait, testPatience)'
    ].join("\n")
  ],
  // a thorough test may depend on all of these
  ["test/layers/Sound.thorough.test.ts", "setTimeout(done, 500 + Math.random())\nsetTimeout(done, 500)"],
  ["src/commandLine.ts", 'export * from "./layers/terminal/Sound.ts"\nexport * as Programs from "./programs/cli.ts"']
]

it("the linter refuses a planted violation of each rule of the house, and nothing else", () => {
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
    const run = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "json", "src", "test"], {
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
