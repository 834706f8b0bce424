// What a budget holds to, by what the endpoint was asked and has billed: at most one request beyond it, in each kind.
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isThorough } from "../support/run/thorough.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { callAgent, http, room, skips, slowly } from "./headlessRoom.ts"
import type { RealCli } from "./hosted.ts"
import { type Bill, type Reply, say, totalOf } from "./model/FakeModel.ts"

const models: Readonly<Record<string, string>> = {
  claude: "claude-haiku-4-5",
  codex: "gpt-6.1-sol",
  gemini: "gemini-2.5-flash",
  copilot: "gpt-5.4",
  opencode: "lab/lab-large",
  openai_compatible: "lab-large"
}

/** Dollars a token, of each model here. */
const rates = { fresh: 1e-5, read: 1e-6, written: 1e-5, output: 5e-5 }
const prices = Object.fromEntries(
  Object.values(models).map((model) => [
    model.slice(model.lastIndexOf("/") + 1),
    {
      input_cost_per_token: rates.fresh,
      cache_read_input_token_cost: rates.read,
      cache_creation_input_token_cost: rates.written,
      output_cost_per_token: rates.output
    }
  ])
)
const costOf = (bill: Bill) =>
  bill.fresh * rates.fresh + bill.read * rates.read + bill.written * rates.written + bill.output * rates.output

const measures = { tokens: totalOf, cost: costOf, turns: () => 1 } as const

interface Budget {
  readonly of: keyof typeof measures
  readonly limit: number
  readonly bills: (place: number) => Bill
  /** One run of many requests; turns of a conversation with a request each; runs of a day. */
  readonly over: "run" | "conversation" | "day"
  readonly replies?: (cli: RealCli) => ReadonlyArray<Reply>
  /** It may well end earlier: what comes next is not known. */
  readonly early?: true
}

const flat =
  (fresh: number, read = 0, output = 20) =>
  () => ({ fresh, read, written: 0, output })
const growing = (by: number) => (place: number) => ({ fresh: 500 + by * place, read: 0, written: 0, output: 20 })

const inARun: Readonly<Record<string, Budget>> = {
  "tokens, met exactly": { of: "tokens", limit: 3_660, bills: flat(1_200), over: "run" },
  "tokens, of a prompt that grows": { of: "tokens", limit: 6_000, bills: growing(500), over: "run" },
  "tokens, nearly all from a cache": { of: "tokens", limit: 125_000, bills: flat(100, 50_000), over: "run" },
  "tokens, of long answers": { of: "tokens", limit: 16_000, bills: flat(1_000, 0, 4_000), over: "run" },
  "tokens, behind a tool that gives much": {
    of: "tokens",
    limit: 22_000,
    bills: (place) => ({ fresh: 1_000 + 9_000 * place, read: 0, written: 0, output: 20 }),
    over: "run",
    replies: (cli) => Array.from({ length: 8 }, () => slowly(cli.look("large.txt"))),
    early: true
  },
  dollars: { of: "cost", limit: 0.04, bills: flat(1_000), over: "run" },
  "dollars, nearly all from a cache": { of: "cost", limit: 0.2, bills: flat(100, 50_000), over: "run" },
  "turns, two": { of: "turns", limit: 2, bills: flat(1_200), over: "run" },
  "turns, five": { of: "turns", limit: 5, bills: growing(300), over: "run" }
}

const overTurns: Readonly<Record<string, Budget>> = {
  "tokens of a conversation": { of: "tokens", limit: 3_000, bills: flat(1_200), over: "conversation" },
  "tokens of a conversation that grows": { of: "tokens", limit: 4_200, bills: growing(400), over: "conversation" },
  "dollars of a day": { of: "cost", limit: 0.03, bills: flat(1_000), over: "day" },
  "tokens of a day, met exactly": { of: "tokens", limit: 2_440, bills: flat(1_200), over: "day" }
}

const withAgents: Readonly<Record<string, Budget>> = {
  "tokens, of subagents too": {
    of: "tokens",
    limit: 4_500,
    bills: flat(1_200),
    over: "run",
    replies: (cli) => [slowly(callAgent(cli)), ...Array.from({ length: 8 }, () => slowly(cli.look("README.md")))],
    early: true
  }
}

/** How many requests are within it. */
const within = ({ bills, limit, of }: Budget): number => {
  let sum = 0
  for (let place = 0; ; place++) {
    sum += measures[of](bills(place))
    if (sum > limit * (1 + 1e-9)) return place
  }
}

const flags = { tokens: "--max-tokens-total", cost: "--max-cost", turns: "--max-turns" } as const

const checkBudget = (cli: RealCli, name: string, budget: Budget) =>
  room(cli, `budget-${name.replaceAll(/\W+/g, "-")}`, async ({ api, exec, home, leap, project }) => {
    const config = join(home, ".config/leap")
    mkdirSync(config, { recursive: true })
    writeFileSync(join(config, "prices.json"), JSON.stringify(prices))
    const key = `${budget.over}${budget.of === "cost" ? "Usd" : "Tokens"}`
    const shared = budget.over === "run" ? {} : { budget: { [key]: budget.limit } }
    writeFileSync(join(config, "settings.json"), JSON.stringify({ prices: join(config, "prices.json"), ...shared }))
    writeFileSync(join(project, "small.txt"), "some words\n")
    writeFileSync(join(project, "large.txt"), "some words of a large file\n".repeat(1_500))
    api.bills = budget.bills
    const most = within(budget)
    const model = ["--model", models[cli.id] ?? ""]
    const count = () => api.main.length
    const told = (err: string) => `${err}\n${JSON.stringify(api.main.map(({ bill }) => bill))}`
    const row = () => {
      const over = Math.max(0, count() - most)
      process.stderr.write(
        `| ${cli.id} | ${name} | ${budget.limit} | ${most} within | ${count()} asked | ${over} over |\n`
      )
    }
    if (budget.over === "run") {
      // a CLI may take the same call again and again for a loop
      const places = ["README.md", "small.txt"] as const
      const looks = Array.from({ length: most + 5 }, (_, at) => slowly(cli.look(places[at % 2] ?? "")))
      const replies = budget.replies?.(cli) ?? looks
      api.script(...replies, say("Read."))
      api.otherwise = say("Nothing more.")
      const { code, document, err } = await exec(
        ...skips(cli),
        ...model,
        flags[budget.of],
        String(budget.limit),
        "read it"
      )
      row()
      assert.strictEqual(code, 12, `${told(err)}\n${JSON.stringify(document)}`)
      assert.isAtMost(count(), most + 1, told(err))
      assert.isAtLeast(count(), budget.early === true ? 1 : most - 1, told(err))
      return
    }
    const words =
      budget.over === "day"
        ? ["exec", "--provider", cli.id, "--cwd", project]
        : ["chat", "--provider", cli.id, "--cwd", project, "--state", join(home, "talk.json")]
    let last = { code: 0 as number | null, err: "" }
    for (let turn = 0; turn < most + 4 && last.code !== 12; turn++) {
      api.script(say("An answer."))
      last = await leap([...words, ...skips(cli), ...model, "go on"])
      api.forget()
      assert.include([0, 12], last.code, told(last.err))
    }
    row()
    assert.strictEqual(last.code, 12, told(last.err))
    assert.isAtMost(count(), most + 1, told(last.err))
    assert.isAtLeast(count(), most - 1, told(last.err))
    const before = count()
    const more = await leap([...words, ...model, "and?"])
    assert.deepStrictEqual([more.code, count()], [12, before], more.err)
  })

const budgets: ReadonlyArray<readonly [string, string, RealCli, Budget]> = [
  claude,
  codex,
  gemini,
  copilot,
  opencode,
  http
].flatMap((cli) =>
  Object.entries({
    ...(cli === http ? {} : inARun),
    ...overTurns,
    ...(cli === http || cli === codex ? {} : withAgents)
  }).map(([name, budget]) => [cli.id, name, cli, budget] as const)
)

describe("a budget holds", () => {
  it.concurrent.each(isThorough ? budgets : budgets.filter((_, at) => at % 4 === 0))(
    "with %s: %s",
    (_, name, cli, budget) => checkBudget(cli, name, budget)
  )

  it.each([
    ["tokens", "--max-tokens-total", "50"],
    ["dollars", "--max-cost", "0.00001"]
  ])("of %s that the prompt alone would pass, and nothing is asked", (name, flag, limit) =>
    room(http, `prompt-${name}`, async ({ api, exec, home }) => {
      const config = join(home, ".config/leap")
      mkdirSync(config, { recursive: true })
      writeFileSync(join(config, "prices.json"), JSON.stringify(prices))
      writeFileSync(join(config, "settings.json"), JSON.stringify({ prices: join(config, "prices.json") }))
      const { code, err } = await exec("--model", "lab-large", flag, limit, "some words ".repeat(100))
      assert.deepStrictEqual([code, api.main.length], [12, 0], err)
    })
  )
})
