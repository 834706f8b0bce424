import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { runInProcess } from "../../support/processes/inProcess.ts"

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const root = realpathSync(mkdtempSync(join(tmpdir(), "leap-budgets-")))
/** A variant of the fake CLI that plays this scene. Each run that ends has used 12 tokens. */
const plays = (scene: string) => ({ base: "gemini", env: { AGENT_SCENE: scene } })
const clis = { brief: plays("prose"), turns: plays("turns"), mends: plays("mends") }

beforeAll(() => {
  mkdirSync(join(root, "bin"))
  const fake = join(root, "bin", "gemini")
  writeFileSync(fake, `#!/bin/sh\nexec "${process.execPath}" "${at("test/support/headless/fakeAgent.mjs")}" "$@"\n`)
  chmodSync(fake, 0o755)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let homes = 0
/** A user with this budget and, as far as they are given, other settings. */
const user = (
  budget: unknown,
  more: object = {},
  own: { readonly config: string; readonly env: object } | null = null
) => {
  const home = join(root, `home-${++homes}`)
  const config = join(home, own?.config ?? "leap")
  mkdirSync(config, { recursive: true, mode: 0o700 })
  const settings = (given: object) => writeFileSync(join(config, "settings.json"), JSON.stringify({ clis, ...given }))
  settings({ budget, ...more })
  const env = {
    PATH: `${join(root, "bin")}:/usr/bin:/bin`,
    HOME: home,
    ...(own?.env ?? { LEAP_HOME: join(home, "leap") })
  }
  const leap = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await Effect.runPromise(runInProcess(args, { self: [], env, cwd: home }))
    return { code, out: stdout, err: stderr }
  }
  const exec = (cli: string, ...args: ReadonlyArray<string>) => leap("exec", "--provider", cli, "hello", ...args)
  return { home, leap, exec, settings }
}

describe("a budget of the day", () => {
  it("is shared by all runs, and the one that would pass it asks nothing", async () => {
    const { exec, leap, settings } = user({ dayTokens: 30 })
    assert.deepStrictEqual([(await exec("brief")).code, (await exec("brief")).code], [0, 0])
    const third = await exec("brief", "--output", "stream-json")
    assert.strictEqual(third.code, 0)
    assert.include(third.out, "the day's budget of tokens (30) is used up: 36 used as it came to its end")
    const fourth = await exec("brief")
    assert.deepStrictEqual([fourth.code, fourth.out], [12, ""])
    assert.include(fourth.err, "the day's budget of tokens (30) is used up: 36 used; nothing was asked")
    const chat = await leap("chat", "--provider", "brief", "hello")
    assert.strictEqual(chat.code, 12, "a conversation shares it")
    settings({ budget: { dayTokens: 60 } })
    assert.strictEqual((await exec("brief")).code, 0, "more than that is there again")
    const { rows } = JSON.parse((await leap("report", "--json")).out) as { rows: ReadonlyArray<object> }
    assert.deepInclude(rows[0], { key: "exec", sessions: 4, tokens: { input: 24, cached: 16, output: 8 } })
  })
  it("is kept where leap has kept nothing before", async () => {
    const { exec } = user({ dayTokens: 20 }, {}, { config: ".config/leap", env: {} })
    const runs = [await exec("brief"), await exec("brief"), await exec("brief")]
    assert.deepStrictEqual(
      runs.map(({ code, err }) => [code, err.includes("does not count")]),
      [
        [0, false],
        [0, false],
        [12, false]
      ]
    )
  })
  it("ends a run before the request that would pass it, and counts what it had used", async () => {
    const { exec } = user({ dayTokens: 40 })
    const ended = await exec("turns")
    assert.strictEqual(ended.code, 12)
    assert.match(
      ended.err,
      /the day's budget of tokens \(40\) (would be exceeded|is used up): \d+ used.*, and leap ended it/
    )
    assert.match((await exec("turns")).err, /budget of tokens \(40\) (would be exceeded|is used up): [1-9]/)
  })
  it("counts runs at the same time, each once", async () => {
    const { exec, leap } = user({ dayTokens: 100_000 })
    const codes = (await Promise.all(Array.from({ length: 6 }, () => exec("brief")))).map(({ code }) => code)
    assert.deepStrictEqual(codes, [0, 0, 0, 0, 0, 0])
    const { total } = JSON.parse((await leap("report", "--json")).out) as { total: object }
    assert.deepInclude(total, { sessions: 6, tokens: { input: 36, cached: 24, output: 12 } })
  })
  it("cannot hold without the record, and an amount that cannot be read lets nothing through", async () => {
    const off = await user({ dayTokens: 30 }, { record: "off" }).exec("brief")
    assert.deepStrictEqual([off.code, off.out], [2, ""])
    assert.include(off.err, "budget: the record of sessions knows what a day has spent")
    const odd = await user({ dayUsd: "five" }).exec("brief")
    assert.strictEqual(odd.code, 12)
    assert.include(odd.err, "nothing was asked")
  })
  it("of cost says what it cannot count", async () => {
    const { code, out } = await user({ dayUsd: 1 }).exec("brief", "--output", "stream-json")
    assert.strictEqual(code, 0)
    assert.include(out, "leap has no price for the model 'fake': budgets of cost count what its provider tells")
  })
})

describe("a budget of a conversation", () => {
  it("is the sum of its turns, those that failed too", async () => {
    const { home, leap } = user({ conversationTokens: 20 })
    const turn = (name: string, cli = "brief") => leap("chat", "--provider", cli, "--name", name, "hello")
    assert.deepStrictEqual([(await turn("plan")).code, (await turn("plan")).code], [0, 0])
    const third = await turn("plan")
    assert.strictEqual(third.code, 12)
    assert.include(third.err, "the conversation's budget of tokens (20) is used up: 24 used; nothing was asked")
    assert.strictEqual((await turn("other")).code, 0, "another one has its own")
    assert.strictEqual((await turn("long", "turns")).code, 12)
    const { spent } = JSON.parse(readFileSync(join(home, "leap", "chats", "long.json"), "utf8")) as {
      spent: { tokens: number }
    }
    assert.isAbove(spent.tokens, 0)
  })
  it("has both turns of an answer that is mended", async () => {
    const { exec, home } = user({ conversationTokens: 13 })
    writeFileSync(join(home, "s.json"), JSON.stringify({ type: "object", required: ["n"] }))
    writeFileSync(join(home, "n.json"), JSON.stringify({ properties: { n: { type: "integer" } } }))
    const { code, err } = await exec("mends", "--schema", join(home, "n.json"))
    assert.strictEqual(code, 12)
    assert.include(err, "the conversation's budget of tokens (13) would be exceeded: 12 used")
  })
})
