import { assert, describe, it } from "@effect/vitest"
import type { AgentCli } from "../../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { exceededText, spend, startSpending } from "../../../../src/domain/cli/headless/Spending.ts"
import { countByBytes } from "../../../../src/domain/cli/headless/tokens.ts"
import { claudeHeadless } from "../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../src/domain/providers/opencode/Headless.ts"
import { readLine } from "../../../../src/domain/words/text/ByteLines.ts"
import { aCall, decode, headlessBytes } from "../../../support/headless/headless.ts"

/** What this CLI's decoder, or what it says, tells of requests: with the limit of turns the next one is not begun. */
const requestsIn = <State>(cli: AgentCli<State>, name: string): number | null => {
  const bytes = headlessBytes(cli.id, name)
  const { events, told } = decode(cli, [bytes])
  if (cli.askedTurns !== undefined) {
    let state = cli.start(aCall())
    for (const text of new TextDecoder().decode(bytes).split("\n")) {
      const line = readLine(text)
      if (line !== null) state = cli.read(state, line)[0]
    }
    return cli.askedTurns(state)
  }
  if (cli.countsTurns !== true) return told.turns
  let spending = startSpending(["P"], null, countByBytes)
  for (const event of events) spending = spend({}, new Map(), spending, event)[0]
  return spending.requests.said
}

const clis = {
  claude: (name: string) => requestsIn(claudeHeadless, name),
  codex: (name: string) => requestsIn(codexHeadless, name),
  copilot: (name: string) => requestsIn(copilotHeadless, name),
  gemini: (name: string) => requestsIn(geminiHeadless, name),
  opencode: (name: string) => requestsIn(opencodeHeadless, name)
}

describe("a turn is one request of the main conversation, whatever a CLI calls one", () => {
  it.each<[keyof typeof clis, string, number]>([
    ["claude", "versions/2.1.329/answer", 1],
    ["claude", "versions/2.1.329/tool", 2],
    ["claude", "subagent", 3],
    ["codex", "versions/0.169.0/answer", 1],
    ["codex", "versions/0.169.0/tool", 2],
    ["codex", "patch", 2],
    ["codex", "tools", 3],
    ["copilot", "versions/1.0.102/answer", 1],
    ["copilot", "versions/1.0.102/tool", 2],
    ["gemini", "versions/0.61.0/answer", 1],
    ["gemini", "versions/0.61.0/tool", 2],
    ["opencode", "versions/1.18.33/answer", 1],
    ["opencode", "versions/1.18.33/tool", 2],
    ["opencode", "tools", 4]
  ])("%s %s: %i", (cli, name, requests) => assert.strictEqual(clis[cli](name), requests))

  it.each([
    [1, 3],
    [2, 7],
    [3, null]
  ])("a run of three that may make %i is ended at event %o of its tools", (maxTurns, at) => {
    const { events } = decode(codexHeadless, [headlessBytes("codex", "tools")])
    const telling = events.filter(({ _tag }) => ["Text", "Thought", "ToolStarted", "ToolEnded"].includes(_tag))
    let spending = startSpending(["P"], null, countByBytes)
    const ended = telling.findIndex((event) => {
      const [next, over] = spend({ maxTurns }, new Map(), spending, event)
      spending = next
      return over
    })
    assert.strictEqual(ended, at ?? -1)
    if (at === null) return
    assert.strictEqual(telling[ended]?._tag, "ToolEnded")
    assert.match(
      spending.exceeded === null ? "" : exceededText(spending.exceeded),
      new RegExp(`^it reached the limit of model turns \\(${maxTurns}\\)$`)
    )
  })

  const counts = (input: number): AgentEvent => ({
    _tag: "Used",
    tokens: { input, cacheRead: 0, cacheWrite: 0, output: 1 },
    reasoning: null
  })
  const use = (tool: string): ReadonlyArray<AgentEvent> => {
    const named = { id: "1", tool, agent: null }
    const ended = { ok: true, output: "", length: 0, cut: false, diff: null, durationMs: null }
    return [
      { _tag: "ToolStarted", ...named, preview: "", input: {} },
      { _tag: "ToolEnded", ...named, ...ended }
    ]
  }
  const thought: AgentEvent = { _tag: "Thought", text: "So.", delta: false, agent: null }
  it.each<readonly [string, boolean, ReadonlyArray<AgentEvent>, endsAt: number]>([
    ["tools of one that run one by one", true, [...use("t"), ...use("t"), ...use("t"), counts(10), ...use("t")], -1],
    ["them, and of the next", true, [...use("t"), ...use("t"), counts(10), ...use("t"), counts(25)], 7],
    ["what is said after a tool, before it is counted", true, [...use("t"), ...use("t"), thought, ...use("t")], 6],
    ["each tool of a provider that does not count", false, [...use("t"), ...use("t")], 3],
    ["a tool that runs at the provider", false, [...use("web_search"), ...use("web_search"), ...use("t")], -1]
  ])("of two, a run ends by %s", (_, countsRequests, events, endsAt) => {
    let spending = startSpending(["P"], null, countByBytes)
    const ended = events.findIndex((event) => {
      const within = [codexHeadless.unasked?.tool ?? ""]
      const [next, over] = spend({ maxTurns: 2, countsRequests }, new Map(), spending, event, within)
      spending = next
      return over
    })
    assert.strictEqual(ended, endsAt)
  })

  it("counts of the provider's end a run that says nothing between its tools", () => {
    let spending = startSpending(["P"], null, countByBytes)
    const count = (input: number) => {
      const tokens = { input, cacheRead: 0, cacheWrite: 0, output: 1 }
      const [next, over] = spend({ maxTurns: 2 }, new Map(), spending, { _tag: "Used", tokens, reasoning: null })
      spending = next
      return over
    }
    const tool = { id: "1", tool: "t", agent: null } as const
    const end = () =>
      spend({ maxTurns: 2 }, new Map(), spending, {
        _tag: "ToolEnded",
        ...tool,
        ok: true,
        output: "",
        length: 0,
        cut: false,
        diff: null,
        durationMs: null
      })[1]
    assert.deepStrictEqual([count(10), count(10), count(25), end()], [false, false, false, true])
  })
})
