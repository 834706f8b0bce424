import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AgentCli } from "../../../src/domain/cli/headless/AgentCli.ts"
import { claudeHeadless } from "../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../src/domain/providers/opencode/Headless.ts"
import type { ToolUse } from "../../../src/domain/words/session/AskedTools.ts"
import { decode, headlessBytes, headlessVersions } from "../../support/headless/headless.ts"
import { runInProcess } from "../../support/processes/inProcess.ts"
import { afterAll, beforeAll } from "vitest"
import { isThorough } from "../../support/run/thorough.ts"
import { each } from "../../support/data/fields.ts"

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), "leap-headless-")))
const settings = (content: object) => {
  mkdirSync(join(home, "leap"), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, "leap", "settings.json"), JSON.stringify(content))
}
/** A variant of the fake CLI that plays this scene. */
const plays = (scene: string) => ({ base: "gemini", env: { AGENT_SCENE: scene } })
const clis = {
  echo: plays("echo"),
  limit: plays("reported"),
  mends: plays("mends"),
  prose: plays("prose"),
  turns: plays("turns"),
  hooked: plays("hooked"),
  slips: plays("slips")
}

beforeAll(() => {
  mkdirSync(join(home, "bin"))
  const fake = join(home, "bin", "gemini")
  writeFileSync(fake, `#!/bin/sh\nexec "${process.execPath}" "${at("test/support/headless/fakeAgent.mjs")}" "$@"\n`)
  chmodSync(fake, 0o755)
  settings({ clis })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a command line to its end, in this process. */
const leap = async (...args: ReadonlyArray<string>): Promise<{ code: number | null; out: string; err: string }> => {
  const env = {
    PATH: `${join(home, "bin")}:/usr/bin:/bin`,
    HOME: home,
    LEAP_HOME: join(home, "leap"),
    AGENT_TOKEN: "tok-1234567890"
  }
  const { code, stderr, stdout } = await Effect.runPromise(runInProcess(args, { self: [], env, cwd: home }))
  return { code, out: stdout, err: stderr }
}
const lines = (out: string) =>
  out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>]))

describe("leap exec", () => {
  it("holds an answer to a schema, with one further turn", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
    writeFileSync(join(home, "schema.json"), JSON.stringify(schema))
    writeFileSync(join(home, "wrong.json"), '{"type": "strin"}')
    const [mended, kept, never, wrong, none] = await Promise.all([
      leap("exec", "--provider", "mends", "--schema", "schema.json", "how many?"),
      leap("chat", "--provider", "mends", "--schema", "schema.json", "--json", "how many?"),
      leap("exec", "--provider", "prose", "--schema", "schema.json", "how many?"),
      leap("exec", "--provider", "echo", "--schema", "wrong.json", "x"),
      leap("exec", "--provider", "echo", "--schema", "nowhere.json", "x")
    ])
    const value = JSON.parse(mended.out) as { n: number; asked: string }
    assert.deepStrictEqual([mended.code, value.n, mended.err], [0, 1, ""])
    assert.match(value.asked, /^Your answer does not match .*: \/n must be integer\.[\s\S]*"required":\["n"\]/)
    assert.deepInclude(lines(kept.out)[0], { conversation: { turns: 4, totalTokens: 24 } })
    assert.deepStrictEqual([never.code, never.out], [13, ""])
    assert.match(never.err, /does not fit the schema: it is not one JSON value\n$/)
    assert.deepStrictEqual([wrong.code, none.code], [2, 2], wrong.err)
  })
  it("asks another one where the provider is at its limit, and says so", async () => {
    const [instead, none, unknown] = await Promise.all([
      leap("exec", "--provider", "limit", "--fallback", "echo,prose", "x"),
      leap("exec", "--provider", "limit", "x"),
      leap("exec", "--provider", "limit", "--fallback", "nope", "x")
    ])
    assert.deepStrictEqual([instead.code, (JSON.parse(instead.out) as { prompt: string }).prompt], [0, "x"])
    assert.match(instead.err, /^leap: limit: .*slow down .*; echo is asked instead\n$/)
    assert.deepStrictEqual([none.code, unknown.code, unknown.out], [11, 2, ""])
  })
  it("ends what goes on beyond a limit, and refuses one that it could not keep", async () => {
    const [tokens, cost] = await Promise.all([
      leap("exec", "--provider", "turns", "--max-tokens-total", "20", "x"),
      leap("exec", "--provider", "turns", "--max-cost", "1", "x")
    ])
    assert.deepStrictEqual([tokens.code, tokens.out], [12, ""])
    assert.match(
      tokens.err,
      /its next request would exceed the limit of tokens \(20\): about \d+ used, about \d+ more, and leap ended it\n$/
    )
    assert.deepStrictEqual([cost.code, /no price for the model 'fake'/.test(cost.err)], [2, true])
  })
  it("asks several at once, a line for each as it ends, and ends as the worst of them", async () => {
    const all = await leap("exec", "--provider", "echo,limit,prose", "x")
    const documents = lines(all.out)
    assert.deepStrictEqual(
      documents
        .map(({ exitCode, provider }) => [String(provider), exitCode] as const)
        .toSorted(([a], [b]) => a.localeCompare(b)),
      [
        ["echo", 0],
        ["limit", 11],
        ["prose", 0]
      ]
    )
    assert.deepStrictEqual(
      [all.code, documents.find(({ provider }) => provider === "prose")?.["text"]],
      [11, "no JSON"]
    )
    assert.strictEqual((await leap("exec", "--provider", "echo,nope", "x")).code, 2)
  })
  it("lets the user's rules decide, or does not run", async () => {
    const rule = { command: "rm *", reason: "nothing is deleted" }
    try {
      settings({ clis, policy: { deny: [rule] } })
      const unwired = await leap("exec", "--provider", "hooked", "x")
      assert.deepStrictEqual(
        [unwired.code, /policy: .*run 'leap hooks install/.test(unwired.err)],
        [2, true],
        unwired.err
      )
      assert.strictEqual((await leap("exec", "--provider", "prose", "--no-policy", "x")).code, 0)
      const installed = await leap("hooks", "install", "--cli", "gemini")
      assert.strictEqual(installed.code, 0, installed.err)
      const ruled = await leap("exec", "--provider", "hooked", "--json", "x")
      const document = lines(ruled.out)[0] ?? {}
      assert.match(String(document["text"]), /^rm -r x: .*"deny".*nothing is deleted.*\ntouch made: \{\}/)
      const [refused] = document["refused"] as ReadonlyArray<{ tool: string; why: string }>
      assert.deepInclude(refused, { tool: "run_shell_command" })
      const slipped = await leap("exec", "--provider", "slips", "x")
      assert.deepStrictEqual([slipped.code, slipped.out], [2, ""])
      assert.match(slipped.err, /ran a tool \(run_shell_command\) about which no hook of it had asked/)
    } finally {
      settings({ clis })
    }
  })
  it("does not run with flags of the settings that switch hooks off, under a sandbox", async () => {
    const ran = join(home, "ran")
    const program = join(home, "bin", "opencode")
    writeFileSync(program, `#!/bin/sh\ncase $* in *--version*) echo 1.18.4;; *) touch ${ran};; esac\n`)
    chmodSync(program, 0o755)
    const pure = { base: "opencode", flags: "--pure" }
    try {
      settings({ clis: { ...clis, pure } })
      const installed = await leap("hooks", "install", "--cli", "opencode")
      assert.strictEqual(installed.code, 0, installed.err)
      const { code, err } = await leap("exec", "--provider", "pure", "--sandbox", "read-only", "x")
      assert.deepStrictEqual([code, existsSync(ran)], [2, false], err)
      assert.match(err, /sandbox: .*--pure loads no plugins/)
    } finally {
      rmSync(program)
      settings({ clis })
    }
  })
})

/** Each CLI's hook before a tool, with what it is told of the tool that the stream names. */
const guards = [
  [claudeHeadless, "PreToolUse", ({ id, tool }: ToolUse) => ({ tool_name: tool, tool_use_id: id, tool_input: {} })],
  // its stream has no ids, and its hooks have some since 0.169
  [
    codexHeadless,
    "PreToolUse",
    ({ tool }: ToolUse) => ({ tool_name: tool, tool_use_id: "call_1", tool_input: { command: "ls" } })
  ],
  [copilotHeadless, "preToolUse", ({ tool }: ToolUse) => ({ toolName: tool, toolArgs: "{}" })],
  [geminiHeadless, "BeforeTool", ({ tool }: ToolUse) => ({ tool_name: tool, tool_input: {} })],
  [
    opencodeHeadless,
    "hook.tool.execute.before",
    ({ id, tool }: ToolUse) => ({ input: { tool, callID: id }, output: { args: {} } })
  ]
] as const satisfies ReadonlyArray<readonly [unknown, string, (use: ToolUse) => object]>
/** What the first hook of each is about, before any tool. */
const firstHook = { claude: "SessionStart", codex: "SessionStart", copilot: "sessionStart", gemini: "SessionStart" }

describe.each(guards.map(([cli, event, payload]) => ({ id: cli.id, cli: cli as AgentCli<unknown>, event, payload })))(
  "a run of $id under rules, as it was recorded",
  ({ cli, event, id, payload }) => {
    it.each(headlessVersions(id))("of version %s ends behind a tool whose hook did not come", async (version) => {
      const recorded = `${id}/versions/${version}`
      const uses = decode(cli, [headlessBytes(recorded, "tool")]).events.flatMap((one) => cli.ranTool?.(one) ?? [])
      assert.isAtLeast(uses.length, 1)
      const place = mkdtempSync(join(home, "run-"))
      writeFileSync(join(place, "lines"), headlessBytes(recorded, "tool"))
      const program = join(home, "bin", id)
      const kept = existsSync(program) ? readFileSync(program) : null
      try {
        writeFileSync(
          program,
          `#!/bin/sh\ncase $* in *--version*) echo ${version}; exit;; esac\n. "$AGENT_PLACE/hooks"\ncat "$AGENT_PLACE/lines"\n`
        )
        chmodSync(program, 0o755)
        const own = { ...clis, replays: { base: id, env: { AGENT_PLACE: place } } }
        settings({ clis: own, policy: { deny: [{ command: "rm *" }] } })
        const installed = await leap("hooks", "install", "--cli", id)
        assert.strictEqual(installed.code, 0, installed.err)
        const hook = (name: string, of: object, length = Infinity) =>
          `sh "$LEAP_HOME/hooks/leap-hook.sh" ${name} <<'END' > /dev/null\n${JSON.stringify(of).slice(0, length)}\nEND\n`
        const first = hook(
          Object.hasOwn(firstHook, id) ? firstHook[id as keyof typeof firstHook] : "session.created",
          {}
        )
        const runs = async (asked: ReadonlyArray<ToolUse>, length?: number) => {
          writeFileSync(join(place, "hooks"), first + asked.map((use) => hook(event, payload(use), length)).join(""))
          return await leap("exec", "--provider", "replays", "x")
        }
        const all = await runs(uses)
        assert.strictEqual(all.code, 0, all.err)
        const cutOff = await runs(uses, 10)
        assert.strictEqual(cutOff.code, 0, "a hook whose text was cut off has come all the same")
        const slipped = await runs(uses.slice(1))
        assert.strictEqual(slipped.code, 2, slipped.out)
        assert.include(slipped.err, `ran a tool (${uses[0]?.tool ?? ""}) about which no hook of it had asked`)
      } finally {
        if (kept !== null) writeFileSync(program, kept)
        settings({ clis })
      }
    })
  }
)

describe("leap chat", () => {
  it.runIf(isThorough)("keeps conversations by their names, and lists them", async () => {
    assert.match((await leap("chat", "--list")).out, /no conversation has a name/)
    const one = await leap("chat", "--name", "plan", "--provider", "echo", "first thing")
    assert.deepStrictEqual([one.code, one.err], [0, ""])
    const two = await leap("chat", "--name", "plan", "second thing")
    assert.include((JSON.parse(two.out) as { args: ReadonlyArray<string> }).args, "--resume")
    const { chats } = JSON.parse((await leap("chat", "--list", "--json")).out) as { chats: ReadonlyArray<object> }
    assert.deepInclude(chats[0], { name: "plan", provider: "echo", turns: 2, lastPrompt: "second thing", cwd: home })
    const file = join(home, "leap", "chats", "plan.json")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.isTrue(existsSync(file) && readFileSync(file, "utf8").includes("first thing"))
    assert.match((await leap("chat", "--list")).out, /^NAME .*\nplan +echo +2 /)
    const wrong = await Promise.all([
      leap("chat", "--name", "../x", "--provider", "echo", "x"),
      leap("chat", "--name", "plan", "--state", "x.json", "x")
    ])
    assert.deepStrictEqual(each(wrong, "code"), [2, 2])
  })
})
