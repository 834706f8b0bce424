import { assert, describe, it } from "@effect/vitest"
import { logEntries, type LogSource } from "../../../../src/domain/engine/history/LogEntry.ts"
import { logLines, logText } from "../../../../src/domain/engine/history/logLine.ts"
import { searchQuery } from "../../../../src/domain/engine/history/searchQuery.ts"
import { each } from "../../../support/data/fields.ts"

const hostile = "\u001b]52;c;ZXZpbA==\u0007evil\u202e\r\nnext"
const lives: LogSource["lives"] = [
  {
    id: 1,
    tag: "a",
    cli: "demo",
    cwd: "/work",
    hostPid: 1,
    since: 100,
    seen: 9_000,
    until: 9_000,
    code: 0,
    signal: null
  },
  {
    id: 2,
    tag: "bb",
    cli: "demo",
    cwd: "/new",
    hostPid: 2,
    since: 200,
    seen: 8_000,
    until: null,
    code: null,
    signal: null
  },
  {
    id: 3,
    tag: "c",
    cli: "demo",
    cwd: "/c",
    hostPid: 3,
    since: 300,
    seen: 8_000,
    until: null,
    code: null,
    signal: null
  }
]
const source: LogSource = {
  lives,
  movedFrom: new Map([[2, "/old"]]),
  turns: [
    { life: 1, since: 1_000, until: 4_000, outcome: "completed", prompt: hostile, answer: "yes" },
    { life: 2, since: 1_100, until: null, outcome: null, prompt: null, answer: null },
    { life: 3, since: 1_200, until: null, outcome: null, prompt: null, answer: null }
  ],
  messages: [
    {
      life: 1,
      id: "01JABCDEFGHJKMNPQRSTVWXYZ0",
      queued: 400,
      started: 990,
      ended: 4_000,
      status: "done",
      outcome: "interrupted",
      why: null,
      text: "do it"
    }
  ],
  dialogs: [
    { life: 1, since: 2_000, until: 3_500, state: "needs_permission", asked: "Write?", answeredBy: "rule" },
    { life: 3, since: 2_100, until: null, state: "needs_input", asked: null, answeredBy: null }
  ],
  decisions: [
    { life: 1, at: 2_500, verdict: "deny", by: "rule", rule: "deny Bash(rm *)", tool: "Bash", what: "Bash: rm x" },
    { life: 1, at: 2_600, verdict: "ask", by: "none", rule: null, tool: "Bash", what: "Bash: ls" }
  ],
  notes: [
    { life: 1, at: 5_500, kind: "night", text: "night shift: goes on by itself at 06:30", problem: null },
    { life: 1, at: 5_000, kind: "problem", text: "5-hour limit", problem: "rate_limited" },
    { life: 1, at: 6_000, kind: "over", text: null, problem: "rate_limited" },
    { life: 1, at: 6_100, kind: "over", text: null, problem: "unknown" },
    { life: 1, at: 6_500, kind: "from a later leap", text: "?", problem: null },
    { life: 2, at: 200, kind: "continues", text: "a", problem: null }
  ],
  continuedIn: [{ at: 200, tag: "a", text: "bb" }]
}
const runs = ({ id }: { readonly id: number }) => id === 3

describe("the log", () => {
  it("tells what happened in its order, a line each", () => {
    const lines = logLines(logEntries(source, 0, runs), (at) => String(at).padStart(4), false)
    assert.deepStrictEqual(lines, [
      " 100  a   started demo in /work",
      " 200  bb  started demo in /new, moved there from /old",
      " 200  bb  goes on with what was said in 'a'",
      " 200  a   its conversation goes on in 'bb'",
      " 300  c   started demo in /c",
      "1000  a   turn of 3s: “]52;c;ZXZpbA== evil next” → “yes”",
      "1100  bb  turn of 6.9s",
      "1200  c   turn, still running",
      "2000  a   permission: “Write?”, answered by a rule after 1.5s",
      "2100  c   question, still waiting",
      "2500  a   refused by deny Bash(rm *): Bash: rm x",
      "4000  a   message WXYZ0 done (interrupted), sent after 0.6s: “do it”",
      "5000  a   problem: 5-hour limit",
      "5500  a   night shift: goes on by itself at 06:30",
      "6000  a   problem over: rate limited",
      "6100  a   problem over",
      "8000  bb  its host died: nothing is known after this",
      "9000  a   ended: exit code 0"
    ])
  })

  it.each([
    ["asked", "it was told to end"],
    ["signal", "its host was told to end by a signal"],
    ["directory", "its directory was deleted or moved"],
    ["taken", "another host took it over"],
    ["from a later leap", "from a later leap"]
  ])("says why a session was ended: %s", (text, words) => {
    const notes = [1, 2, 3].map((life) => ({ life, at: 7_000, kind: "ending", text, problem: null }))
    const ends = logEntries(
      { ...source, lives: [{ ...lives[0]!, code: null, signal: "SIGINT" }, ...lives.slice(1)], notes },
      0,
      runs
    )
    assert.deepStrictEqual(
      ends.flatMap((entry) => (entry.at >= 7_000 ? [logText(entry)] : [])),
      [`${words}: nothing is known after this`, `ended: ${words} (killed by SIGINT)`]
    )
  })

  it("begins where it is asked to", () => {
    assert.deepStrictEqual(each(logEntries(source, 5_600, runs), "at"), [6_000, 6_100, 8_000, 9_000])
  })
})

describe("words to search for", () => {
  it("are words, whatever they mean to the database", () => {
    assert.strictEqual(searchQuery("two words"), '"two" "words"*')
    assert.strictEqual(searchQuery('say "NEAR(x)" OR text:* -y'), '"say" """NEAR(x)""" "OR" "text:*" "-y"*')
    for (const none of ["", "  ", '"', "* -- ()", "\u0000"]) assert.isNull(searchQuery(none), none)
  })
})
