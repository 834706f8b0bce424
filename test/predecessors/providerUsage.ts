import { assert } from "@effect/vitest"
import { claudeResume } from "../../src/domain/providers/claude/Resume.ts"
import { claudeUsage } from "../../src/domain/providers/claude/Usage.ts"
import { codexUsage } from "../../src/domain/providers/codex/Usage.ts"
import { copilotUsage } from "../../src/domain/providers/copilot/Usage.ts"
import { cursorAgentUsage } from "../../src/domain/providers/cursor-agent/Usage.ts"
import { geminiUsage } from "../../src/domain/providers/gemini/Usage.ts"
import { defaultSettings } from "../../src/domain/rules/settings/Settings.ts"
import { formatUsd } from "../../src/domain/words/wording/Format.ts"
import { percentOf } from "../../src/domain/cli/usage/Percent.ts"
import { costOf, findPrice, overlay, readPrices } from "../../src/domain/cli/usage/Prices.ts"
import { unknownUsage, type Usage } from "../../src/domain/cli/usage/Usage.ts"
import { noTokens, type UsageReader } from "../../src/domain/cli/usage/UsageReader.ts"
import * as UsageState from "../../src/domain/cli/usage/UsageState.ts"
import { builtin, configured } from "../support/providers.ts"
import { numbered, type ListedRows, type ScenarioRow } from "./support/scenarioTable.ts"
import { account, shipped, written } from "../support/data/account.ts"
import { simple } from "../support/data/usage.ts"

/** What CLIs tell their status lines, what leap knows of a session's context, and what it costs. */
export const ids = [...numbered("K", 19), ...numbered("L", 9), "M-01", ...numbered("M", 7, 3)]

type Fields = Readonly<Record<string, unknown>>

// ---- status lines
const tell =
  (reader: UsageReader) =>
  (payload: unknown): Usage =>
    account(reader, { hooks: [["StatusLine", payload]] })
const claudeLine = tell(claudeUsage)
const copilotLine = tell(copilotUsage)
const cursorLine = tell(cursorAgentUsage)
/** Tokens in the context, and its window. */
const shown = ({ contextTokens, window }: Usage) => [contextTokens, window]
const nothing = [null, null]
const context = (context_window: unknown, more: Fields = {}) => ({ context_window, ...more })
const noObjects = [null, undefined, 5, "text", [], [{}], true] as const
const silent = (line: (payload: unknown) => Usage) => {
  for (const payload of noObjects) assert.deepStrictEqual(line(payload), unknownUsage)
}

// ---- transcripts
let serial = 0
const tokens = (input: number, read: number, wrote: number, output: number) => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: wrote,
  output_tokens: output
})
/** A record of Claude's transcript: one request, with what it used. */
const said = (
  usage: unknown,
  more: { readonly id?: string | null; readonly model?: string | null; readonly side?: boolean } = {}
) => ({
  type: "assistant",
  timestamp: "2026-11-21T10:00:00.000Z",
  cwd: "/p",
  requestId: null,
  ...(more.side === true ? { isSidechain: true } : {}),
  message: {
    id: more.id === undefined ? `m${serial++}` : more.id,
    model: more.model === undefined ? "plain" : more.model,
    content: [],
    usage
  }
})
const garbage = [
  5,
  null,
  "text",
  [],
  [1],
  {},
  { type: "assistant" },
  { type: "assistant", message: 7 },
  { type: "assistant", message: [1] },
  { type: "user" }
] as const
const claude = (records: ReadonlyArray<unknown>, aside: unknown = null) =>
  account(claudeUsage, { records, prices: simple, aside })
const rollout = (payload: unknown) => ({ type: "event_msg", timestamp: "2026-11-21T10:00:00.000Z", payload })
const counts = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output
})
const count = (last: unknown, total: unknown, window: unknown = 258_400) =>
  rollout({
    type: "token_count",
    info: { last_token_usage: last, total_token_usage: total, model_context_window: window }
  })
const codexModel = (model: string) => ({ type: "turn_context", payload: { model } })
const codex = (records: ReadonlyArray<unknown>) => account(codexUsage, { records, prices: simple })
const chat = (input: number, cached: number, output: number, more: Fields = {}) => ({
  id: `g${serial++}`,
  type: "gemini",
  model: "plain",
  content: "",
  tokens: { input, cached, output, thoughts: 0, tool: 0 },
  ...more
})
const gemini = (records: ReadonlyArray<unknown>) => account(geminiUsage, { records, prices: simple })
/** What Claude's own file says of the models that directories used. */
const projects = (own: ReadonlyArray<string>, other: ReadonlyArray<string> = []) => {
  const used = (names: ReadonlyArray<string>) => ({
    lastModelUsage: Object.fromEntries(names.map((name) => [name, {}]))
  })
  return { projects: { "/p": used(own), "/q": used(other) } }
}

const byName =
  "a variant reads as its base does; whose transcript it is, the session's own hooks say, so that no name has to be looked up"
const folded =
  "a transcript is followed, and each record of it counted as it comes: nothing is computed again, so that nothing is cached"
const handed = "what the CLI tells its status line comes as an event: there is no state file between"

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "K-01",
    says: "Claude: windows of a million and of 200 thousand",
    check: () => {
      for (const size of [1_000_000, 200_000]) {
        assert.deepStrictEqual(shown(claudeLine(context({ context_window_size: size, total_input_tokens: 5 }))), [
          5,
          size
        ])
      }
    }
  },
  {
    id: "K-02",
    says: "Claude: a window that is none says nothing",
    check: () => {
      for (const context_window_size of [0, -1, undefined, null, "200000", {}]) {
        assert.deepStrictEqual(shown(claudeLine(context({ context_window_size, total_input_tokens: 5 }))), nothing)
      }
    }
  },
  { id: "K-03", says: "Claude: nor does what is no object", check: () => silent(claudeLine) },
  {
    id: "K-04",
    says: "Claude: the three parts of the prompt are the context, the answer is not",
    check: () =>
      assert.deepStrictEqual(
        shown(claudeLine(context({ context_window_size: 200_000, current_usage: tokens(1, 20, 300, 4000) }))),
        [321, 200_000]
      )
  },
  {
    id: "K-05",
    says: "Claude: nothing used is nothing used",
    check: () =>
      assert.deepStrictEqual(
        shown(
          claudeLine(
            context({ context_window_size: 200_000, current_usage: tokens(0, 0, 0, 0), total_input_tokens: 9 })
          )
        ),
        [0, 200_000]
      )
  },
  {
    id: "K-06",
    says: "Claude: without a current usage the total",
    check: () => {
      for (const current_usage of [undefined, null, 5, "x", [1]]) {
        assert.deepStrictEqual(
          shown(claudeLine(context({ context_window_size: 200_000, current_usage, total_input_tokens: 77 }))),
          [77, 200_000]
        )
      }
    }
  },
  {
    id: "K-07",
    says: "Claude: a part that is missing is 0",
    check: () => {
      assert.deepStrictEqual(
        shown(
          claudeLine(context({ context_window_size: 200_000, current_usage: { input_tokens: 3, output_tokens: 9 } }))
        ),
        [3, 200_000]
      )
      assert.deepStrictEqual(shown(claudeLine(context({ context_window_size: 200_000 }))), [0, 200_000])
    }
  },
  {
    id: "K-08",
    says: "Claude: the model's id, else its name, a text as it is, else nothing",
    check: () => {
      const models = [{ id: "a", display_name: "A" }, { display_name: "A" }, "as it is", undefined, 5, {}]
      assert.deepStrictEqual(
        models.map((model) => claudeLine({ model }).model),
        ["a", "A", "as it is", null, null, null]
      )
    }
  },
  {
    id: "K-09",
    says: "Claude: what nobody knows changes nothing",
    check: () => {
      const line = context({ context_window_size: 200_000, total_input_tokens: 5 }, { model: "m" })
      assert.deepStrictEqual(
        claudeLine({ ...line, later: [1], context_window: { ...(line.context_window as Fields), later: {} } }),
        claudeLine(line)
      )
    }
  },
  {
    id: "K-10",
    says: "Copilot: the limit that it shows is the window",
    check: () => {
      const used = copilotLine(
        context({ current_context_tokens: 27_395, displayed_context_limit: 192_000, context_window_size: 264_000 })
      )
      assert.deepStrictEqual([...shown(used), percentOf(used.contextTokens ?? 0, used.window)], [27_395, 192_000, 14])
    }
  },
  {
    id: "K-11",
    says: "Copilot: without it the raw one is",
    check: () =>
      assert.deepStrictEqual(
        shown(copilotLine(context({ current_context_tokens: 5, context_window_size: 264_000 }))),
        [5, 264_000]
      )
  },
  {
    id: "K-12",
    says: "Copilot: the flat form",
    check: () =>
      assert.deepStrictEqual(
        shown(copilotLine({ current_context_tokens: 5, displayed_context_limit: 1000, context_window_size: 2000 })),
        [5, 1000]
      )
  },
  {
    id: "K-13",
    says: "Copilot: no window says nothing",
    check: () => {
      for (const line of [
        context({ current_context_tokens: 5 }),
        { current_context_tokens: 5 },
        context({ current_context_tokens: 5, context_window_size: 0 })
      ]) {
        assert.deepStrictEqual(shown(copilotLine(line)), nothing)
      }
    }
  },
  { id: "K-14", says: "Copilot: nor does what is no object", check: () => silent(copilotLine) },
  {
    id: "K-15",
    says: "Cursor: the total that it reckons from its share",
    check: () =>
      assert.deepStrictEqual(
        shown(cursorLine(context({ context_window_size: 1000, total_input_tokens: 500, used_percentage: 10 }))),
        [500, 1000]
      )
  },
  {
    id: "K-16",
    says: "Cursor: parts of the prompt go before a number, that before the total",
    check: () => {
      const line = (current_usage: unknown) =>
        shown(cursorLine(context({ context_window_size: 1000, current_usage, total_input_tokens: 500 })))
      assert.deepStrictEqual(
        [line(tokens(1, 2, 3, 9)), line(77)],
        [
          [6, 1000],
          [77, 1000]
        ]
      )
    }
  },
  {
    id: "K-17",
    says: "Cursor: the share alone",
    check: () =>
      assert.deepStrictEqual(
        shown(cursorLine(context({ context_window_size: 128_000, used_percentage: 12.5 }))),
        [16_000, 128_000]
      )
  },
  {
    id: "K-18",
    says: "Cursor: no window, no context, nothing used, no object: nothing",
    check: () => {
      silent(cursorLine)
      for (const line of [
        context({ context_window_size: null, current_usage: 5 }),
        context({ context_window_size: 0, current_usage: 5 }),
        {},
        context(5),
        context({ context_window_size: 1000 })
      ]) {
        assert.deepStrictEqual(shown(cursorLine(line)), nothing)
      }
    }
  },
  {
    id: "K-19",
    says: "Cursor: the model's name where it has no id",
    check: () => assert.strictEqual(cursorLine({ model: { display_name: "Composer" } }).model, "Composer")
  },
  {
    id: "L-01",
    says: "percentages",
    check: () =>
      assert.deepStrictEqual(
        [
          [50, 100],
          [1, 4],
          [9, 4],
          [0, 4],
          [4, 0]
        ].map(([used, of]) => percentOf(used ?? 0, of ?? 0)),
        [50, 25, 100, 0, 0]
      )
  },
  {
    id: "L-02",
    says: "Claude's transcript: the prompt's parts of the last record that is its own; what is no number is 0, what is no record nothing",
    check: () => {
      assert.strictEqual(
        claude([said(tokens(9, 9, 9, 9)), said(tokens(1, 20, 300, 4000)), said(tokens(7, 7, 7, 7), { side: true })])
          .contextTokens,
        321
      )
      assert.strictEqual(
        claude([said({ input_tokens: "5", cache_read_input_tokens: null, cache_creation_input_tokens: 3 })])
          .contextTokens,
        3
      )
      for (const records of [[], garbage, [{ type: "user", message: { content: "x" } }], [said(undefined)]])
        assert.isNull(claude(records).contextTokens)
      assert.strictEqual(claude([...garbage, said(tokens(5, 0, 0, 1)), ...garbage]).contextTokens, 5)
    }
  },
  {
    id: "L-03",
    says: "Claude's window: the long one where this directory used it, or another and this one nothing of it, or where more is used",
    check: () => {
      const window = (used: number, aside: unknown) => {
        const known = claude([said(tokens(used, 0, 0, 1), { model: "old" })], aside)
        return [known.window, percentOf(used, known.window)]
      }
      assert.deepStrictEqual(window(150_000, projects(["old[1m]"])), [1_000_000, 15])
      assert.deepStrictEqual(window(150_000, projects(["old"])), [200_000, 75])
      assert.deepStrictEqual(window(250_000, projects([])), [1_000_000, 25])
      assert.deepStrictEqual(window(150_000, projects([], ["old[1m]"])), [1_000_000, 15])
      assert.deepStrictEqual(window(150_000, projects(["old"], ["old[1m]"])), [200_000, 75])
      assert.deepStrictEqual(window(150_000, projects(["new"], ["old[1m]"])), [1_000_000, 15])
      assert.deepStrictEqual(window(150_000, projects(["old-2[1m]"], ["old-2[1m]"])), [200_000, 75])
    }
  },
  {
    id: "L-04",
    says: "what is known stays until more is told; a file written anew is counted anew",
    differs: folded,
    check: () => {
      const first = written(claudeUsage, [said(tokens(5, 0, 0, 1))])
      assert.strictEqual(garbage.flatMap((record) => claudeUsage.record(record)).reduce(UsageState.fold, first), first)
      const more = claudeUsage.record(said(tokens(8, 0, 0, 1))).reduce(UsageState.fold, first)
      assert.deepStrictEqual([more.context, more.total?.input, first.total?.input], [8, 13, 5])
      assert.strictEqual(claude([said(tokens(2, 0, 0, 1))]).contextTokens, 2)
    }
  },
  {
    id: "L-05",
    says: "Codex's rollout: the last count with something in it, and the window it names",
    differs: "what runs without a model's name has none: a CLI's name is no model",
    check: () => {
      assert.deepStrictEqual(
        shown(
          codex([count(counts(10, 0, 1), counts(10, 0, 1)), count(counts(20, 5, 1), counts(30, 5, 2)), count({}, {})])
        ),
        [20, 258_400]
      )
      assert.strictEqual(codex([count(counts(10, 0, 1), counts(10, 0, 1), null)]).window, 256_000)
      assert.deepStrictEqual(codex([codexModel("gpt-5.4")]).contextTokens, null)
      assert.isNull(codex([count(counts(10, 0, 1), counts(10, 0, 1))]).model)
    }
  },
  {
    id: "L-06",
    says: "Gemini's chat: the last prompt's size, whatever the user says after it",
    check: () => {
      const user = { type: "user", content: [{ text: "more" }] }
      assert.deepStrictEqual(
        shown(gemini([chat(10, 0, 1), chat(30, 20, 1, { model: "unheard-of" }), user])),
        [30, 1_048_576]
      )
      assert.isNull(gemini([{ type: "gemini", content: "x" }, user]).contextTokens)
    }
  },
  {
    id: "L-07",
    says: "what the status line tells is known; what it cannot tell is not, and more than the window stays what it is",
    differs: handed,
    check: () => {
      assert.deepStrictEqual(
        shown(copilotLine(context({ current_context_tokens: 5, context_window_size: 10 }))),
        [5, 10]
      )
      assert.deepStrictEqual(
        shown(copilotLine(context({ current_context_tokens: 50, context_window_size: 10 }))),
        [50, 10]
      )
      for (const payload of [...noObjects, {}, context({ current_context_tokens: 5 })])
        assert.deepStrictEqual(shown(copilotLine(payload)), nothing)
      assert.deepStrictEqual(account(copilotUsage, {}), unknownUsage)
    }
  },
  {
    id: "L-08",
    says: "Claude's window is a million where more is used than it says",
    check: () => {
      const line = (size: number, used: number) => {
        const known = claudeLine(context({ context_window_size: size, total_input_tokens: used }))
        return [...shown(known), percentOf(used, known.window)]
      }
      assert.deepStrictEqual(line(200_000, 338_631), [338_631, 1_000_000, 34])
      assert.deepStrictEqual(
        [line(200_000, 150_000), line(200_000, 200_000)],
        [
          [150_000, 200_000, 75],
          [200_000, 200_000, 100]
        ]
      )
      assert.deepStrictEqual(
        [line(1_000_000, 5), line(2_000_000, 2_500_000)],
        [
          [5, 1_000_000, 0],
          [2_500_000, 2_000_000, 100]
        ]
      )
    }
  },
  {
    id: "L-09",
    says: "all CLIs' context is known; Claude's status line goes before its transcript, which does without; none of both, none",
    differs: byName,
    check: () => {
      const line = context({ context_window_size: 500_000, total_input_tokens: 9 })
      for (const reader of [claudeUsage, copilotUsage, cursorAgentUsage]) {
        assert.deepStrictEqual(
          shown(
            account(reader, {
              hooks: [
                [
                  "StatusLine",
                  { ...line, context_window: { ...(line.context_window as Fields), current_context_tokens: 9 } }
                ]
              ]
            })
          ),
          [9, 500_000]
        )
      }
      assert.strictEqual(codex([count(counts(10, 0, 1), counts(10, 0, 1))]).contextTokens, 10)
      assert.strictEqual(gemini([chat(10, 0, 1)]).contextTokens, 10)
      const records = [said(tokens(1000, 0, 0, 0))]
      assert.deepStrictEqual(
        shown(account(claudeUsage, { hooks: [["StatusLine", line]], records, prices: simple })),
        [9, 500_000]
      )
      assert.deepStrictEqual(shown(account(claudeUsage, { records, prices: simple })), [1000, 100_000])
      for (const reader of [claudeUsage, codexUsage, geminiUsage, copilotUsage, cursorAgentUsage])
        assert.deepStrictEqual(account(reader, {}), unknownUsage)
      const variant = configured(builtin, {
        ...defaultSettings,
        clis: { mine: { base: "claude" } }
      }).find(({ id }) => id === "mine")
      assert.deepStrictEqual([variant?.usage === claudeUsage, variant?.resume === claudeResume], [true, true])
    }
  },
  {
    id: "M-01",
    says: "Claude's tokens and cost add up, the last request apart; what has no price has tokens and no cost",
    differs:
      "the last request's cost is not shown, so that none has to be absent where its model has no price; what its " +
      "subagents use is counted, and a cost without all of its parts is said to be one",
    check: () => {
      const used = claude([
        said(tokens(1000, 2000, 500, 100)),
        said(tokens(9, 9, 9, 9), { side: true }),
        said(undefined),
        ...garbage,
        said(tokens(2000, 0, 0, 10))
      ])
      assert.deepStrictEqual(
        [used.session, used.lastTurn],
        [
          { input: 3009, cacheRead: 2009, cacheWrite: 509, output: 119 },
          { input: 2000, cacheRead: 0, cacheWrite: 0, output: 10 }
        ]
      )
      assert.deepStrictEqual(used.cost, { usd: 5.4179, estimated: true })
      const unpriced = said(tokens(5, 0, 0, 5), { model: "nobody-knows" })
      assert.deepStrictEqual([claude([unpriced]).session?.input, claude([unpriced]).cost], [5, null])
      const mixed = claude([said(tokens(1000, 0, 0, 0)), unpriced])
      assert.deepStrictEqual(
        [mixed.session?.input, mixed.cost, mixed.lastTurn?.input],
        [1005, { usd: 1, estimated: true, floor: "no price is known of nobody-knows" }, 5]
      )
      for (const records of [[], garbage, [{ type: "user", message: { content: "x" } }]])
        assert.deepStrictEqual([claude(records).session, claude(records).cost], [null, null])
    }
  },
  {
    id: "M-03",
    says: "the records of one message count once, also when they come later; other ids, and no ids, each",
    check: () => {
      const one = said(tokens(7, 0, 0, 1), { id: "a" })
      const first = written(claudeUsage, [one])
      assert.strictEqual([one, one].flatMap(claudeUsage.record).reduce(UsageState.fold, first).total?.input, 7)
      assert.strictEqual(claude([one, one, one]).session?.input, 7)
      assert.strictEqual(claude([one, said(tokens(7, 0, 0, 1), { id: "b" })]).session?.input, 14)
      const grown = said(tokens(9, 0, 0, 1), { id: "a" })
      assert.deepStrictEqual(
        [claude([one, grown]).session?.input, claude([one, grown, one]).session?.input],
        [9, 9],
        "the larger word on it"
      )
      const nameless = said(tokens(7, 0, 0, 1), { id: null })
      assert.strictEqual(claude([nameless, nameless]).session?.input, 14)
    }
  },
  {
    id: "M-04",
    says: "sums are none before the whole transcript is read, its end is known before; what grows adds up; none of nothing",
    differs: folded,
    check: () => {
      const records = [said(tokens(1000, 0, 0, 0))]
      const of = (whole: boolean, more: ReadonlyArray<unknown> = []) =>
        account(claudeUsage, { records: [...records, ...more], prices: simple, whole })
      assert.deepStrictEqual([of(false).session, of(false).cost, of(false).contextTokens], [null, null, 1000])
      assert.deepStrictEqual([of(true).session?.input, of(true).cost?.usd], [1000, 1])
      assert.deepStrictEqual([of(true, [said(tokens(500, 0, 0, 0))]).session?.input], [1500])
      assert.deepStrictEqual(account(claudeUsage, { records: [], whole: true }), unknownUsage)
    }
  },
  {
    id: "M-05",
    says: "Codex: the cumulative count and the last; without a total the last ones add up",
    check: () => {
      const used = codex([
        codexModel("plain"),
        count(counts(1000, 400, 100), counts(1000, 400, 100)),
        count(counts(2000, 1000, 50), counts(3000, 1400, 150)),
        count({}, {})
      ])
      assert.deepStrictEqual(
        [used.session, used.lastTurn],
        [
          { input: 1600, cacheRead: 1400, cacheWrite: 0, output: 150 },
          { input: 1000, cacheRead: 1000, cacheWrite: 0, output: 50 }
        ]
      )
      assert.deepStrictEqual(used.cost, { usd: 3.24, estimated: true })
      const unpriced = codex([codexModel("nobody-knows"), count(counts(5, 0, 1), counts(5, 0, 1))])
      assert.deepStrictEqual([unpriced.session?.input, unpriced.cost], [5, null])
      assert.isNull(codex([codexModel("plain"), rollout({ type: "task_started" })]).session)
      assert.strictEqual(codex([count(counts(5, 0, 1), {}), count(counts(7, 0, 1), null)]).session?.input, 12)
    }
  },
  {
    id: "M-06",
    says: "Gemini: requests add up, from a cache for less; a tool's tokens are in the input, thoughts have their price",
    check: () => {
      const used = gemini([
        chat(1000, 400, 10, { tokens: { input: 1000, cached: 400, output: 10, thoughts: 5, tool: 300 } }),
        { type: "info", tokens: { input: 9 } },
        chat(1000, 0, 0)
      ])
      assert.deepStrictEqual(used.session, { input: 1600, cacheRead: 400, cacheWrite: 0, output: 15 })
      assert.deepStrictEqual(used.cost, { usd: 1.84, estimated: true })
      const unpriced = gemini([chat(5, 0, 5, { model: "nobody-knows" })])
      assert.deepStrictEqual([unpriced.session?.input, unpriced.cost], [5, null])
      assert.deepStrictEqual(gemini([]), unknownUsage)
    }
  },
  {
    id: "M-07",
    says: "prices: by a model's name, with tiers and classes of tokens; a user's go before leap's; how amounts are written",
    differs:
      "no price is fetched: leap ships them with their date, and reads a file of the user's, again when it has changed",
    check: () => {
      for (const model of ["claude-opus-5-5", "gpt-5.4", "gemini-2.5-pro", "openrouter/x/gemini-2.5-pro"])
        assert.isNotNull(findPrice(shipped, model), model)
      for (const model of ["nobody-knows", "", null, "_about"]) assert.isNull(findPrice(shipped, model), String(model))
      for (const model of shipped.keys()) assert.match(model, /^(fast\/)?(claude-|gpt-|o\d|gemini-)/)
      const cost = (model: string, part: Partial<typeof noTokens>, prompt?: number) =>
        costOf(simple, model, { ...noTokens, ...part }, prompt)
      assert.deepStrictEqual(
        [200_000, 200_001, 272_001].map((prompt) => cost("tiered", { input: 1 }, prompt)),
        [0.001, 0.002, 0.003]
      )
      assert.strictEqual(cost("plain", { input: 1 }, 500_000), 0.001, "no tier")
      assert.strictEqual(cost("tiered", { cacheRead: 1000 }), 0, "no price of its own")
      assert.deepStrictEqual(
        [cost("plain", { output: 10, reasoning: 10 }), cost("tiered", { output: 10, reasoning: 10 })],
        [0.2, 0.1]
      )
      const users = readPrices(
        { plain: { input_cost_per_token: 7, litellm_provider: "x" }, _about: { input_cost_per_token: 1 } },
        "file"
      )
      assert.deepStrictEqual([...users], [["plain", { rates: { input: 7 }, tiers: [], window: null, source: "file" }]])
      assert.deepStrictEqual(
        ["plain", "tiered"].map((model) => findPrice(overlay(simple, users), model)?.source),
        ["file", "leap"]
      )
      assert.deepStrictEqual([4.21, 1234.5, 0.26, 0.009, 0].map(formatUsd), [
        "$4.21",
        "$1,234.50",
        "$0.26",
        "<$0.01",
        "$0.00"
      ])
    }
  }
]

export const listed: ReadonlyArray<ListedRows> = []
