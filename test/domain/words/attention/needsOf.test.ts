import { assert, describe, it } from "@effect/vitest"
import { reportPage } from "../../../../src/domain/engine/history/recordPages.ts"
import { dismissing } from "../../../../src/domain/words/attention/dismissing.ts"
import { isSameNeed, needKinds } from "../../../../src/domain/words/attention/Need.ts"
import { byNeed, needing } from "../../../../src/domain/words/attention/needOrder.ts"
import { needsOf, withNeeds } from "../../../../src/domain/words/attention/needsOf.ts"
import { isNamedByState, needLine, needWords } from "../../../../src/domain/words/attention/needWords.ts"
import { editorRequest, needNotices } from "../../../../src/domain/surfaces/acp/DialogRequest.ts"
import { queueText, signOf } from "../../../../src/domain/surfaces/monitor/SessionCells.ts"
import { whyText } from "../../../../src/domain/surfaces/operations/whyText.ts"
import type { OutEvent } from "../../../../src/domain/surfaces/outgoing/OutEvent.ts"
import * as OutFold from "../../../../src/domain/surfaces/outgoing/outFold.ts"
import { eventMessage } from "../../../../src/domain/surfaces/outgoing/slackMessage.ts"
import * as Notifications from "../../../../src/domain/surfaces/notify/Notifications.ts"
import { unreachable } from "../../../../src/domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { isWorking } from "../../../../src/domain/words/session/states.ts"
import { because } from "../../../../src/domain/words/wording/causeWords.ts"
import { withoutHost } from "../../../../src/domain/words/session/withoutHost.ts"
import { webSession } from "../../../../src/domain/surfaces/web/webSession.ts"
import { stateDetails } from "../../../../src/domain/surfaces/queueClient/panels.ts"
import { statusDetails } from "../../../../src/domain/words/wording/statusDetails.ts"
import { paneReport, sessionReport, sessionTitle } from "../../../../src/domain/words/wording/SessionReport.ts"
import { obstacleText } from "../../../../src/domain/words/wording/queueListing.ts"
import { stateLine } from "../../../../src/domain/words/wording/StateLine.ts"
import { queueWords } from "../../../../src/page/words.ts"
import { nothing } from "../../../../src/layers/files/recordReader.ts"
import { asSession } from "../../../../src/programs/mcp/sessionAccess.ts"
import { DrivenClient, message, question } from "../../../support/data/clientKeys.ts"
import { begin, monitorOf } from "../../../support/data/monitorKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { randomBy } from "../../../support/policy/shellLines.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const since = "2026-01-01T00:00:00.000Z"
const later = "2026-01-01T05:00:00.000Z"
const limit = { kind: "rate_limited", message: "limit reached, resets 5am", until: later } as const
const refused = { kind: "auth", message: "log in again", until: null } as const
const pauseOf = (kind: NonNullable<SessionStatus["pause"]>["kind"], until: string | null) =>
  ({ kind, since: "2026-01-01T00:01:00.000Z", until, text: "the queue's own reason" }) as const
const failedMessage = message("FFFFF", "too long", {
  status: "done",
  outcome: "failed",
  why: "its turn failed: refused"
})
const heldSince = "2026-01-01T00:00:30.000Z"
const heldMessage = message("HHHHH", "kept", { status: "held", why: "it may have been sent", since: heldSince })

const hung = "the session's host does not answer"
/** What was wrong before a turn that runs now is nobody's to look at. */
const past = { problem: refused, pause: pauseOf("auth", null), queue: [failedMessage, heldMessage] }

const rows: ReadonlyArray<
  readonly [string, Partial<SessionStatus>, ReadonlyArray<readonly [kind: string, text: string, until: string | null]>]
> = [
  ["a session at rest", {}, []],
  ["one that works", { state: "running" }, []],
  ["one that works after what went wrong", { state: "running", ...past }, []],
  ["one that starts", { state: "starting", ...past }, []],
  ["one that was ended, with messages", { state: "exited", queue: [heldMessage] }, []],
  ["a permission", { state: "needs_permission", question }, [["permission", "Write notes.md?", null]]],
  [
    "a question whose dialog is not read",
    { state: "needs_input", message: "Which one?" },
    [["question", "Which one?", null]]
  ],
  ["a limit", { problem: limit }, [["limit", limit.message, later]]],
  [
    "a limit that leap waits for",
    { problem: limit, pause: pauseOf("rate_limited", later), night: { at: later, text: "goes on at 5:01" } },
    [["limit", "limit reached, resets 5am (goes on at 5:01)", later]]
  ],
  ["a failed turn", { problem: refused }, [["failed", "log in again", null]]],
  [
    "a failed turn that keeps the queue back",
    { problem: refused, pause: pauseOf("auth", null), queue: [heldMessage] },
    [["failed", "log in again; the queue's own reason", null]]
  ],
  ["a pause that time ends", { pause: pauseOf("network", later) }, [["failed", "the queue's own reason", later]]],
  [
    "a pause after an interrupt",
    { state: "interrupted", pause: pauseOf("model", null) },
    [["failed", "the queue's own reason", null]]
  ],
  ["a budget that is used up, with nothing to send", { pause: pauseOf("budget", null) }, []],
  [
    "messages that a budget keeps back",
    { pause: pauseOf("budget", null), queue: [heldMessage] },
    [["held", "the queue's own reason", null]]
  ],
  ["hooks that do not call", { pause: pauseOf("unwired", null) }, [["held", "the queue's own reason", null]]],
  ["a host that does not answer", unreachable(sessionStatus({ state: "running" })), [["stuck", hung, null]]],
  [
    "a CLI that ended by itself",
    { state: "exited", exit: { code: 3, signal: null }, unexpectedEnd: true },
    [["ended", "its CLI ended by itself: exit code 3", null]]
  ],
  ["a message given up", { queue: [failedMessage] }, [["failed", "1 message failed: its turn failed: refused", null]]],
  [
    "messages that leap holds",
    { queue: [heldMessage, { ...heldMessage, id: "I" }] },
    [["held", "2 messages are held: it may have been sent", null]]
  ],
  [
    "messages for a screen that leap does not know",
    { layout: "unknown", queue: [{ ...heldMessage, status: "queued", why: null }] },
    [["unknown_screen", "1 message waits: its screen is not known to leap, which types nothing there", null]]
  ],
  ["a screen that leap does not know, and nothing to type there", { layout: "unknown" }, []],
  [
    "a host that died",
    withoutHost(sessionStatus({ state: "running" }), [], null),
    [["ended", "the session's host died without a word; its queue is kept", null]]
  ],
  ["messages that the user holds", { queue: [{ ...heldMessage, ...because({ _tag: "HeldByUser" }) }] }, []],
  [
    "a message given up, while a used-up budget has nothing to keep back",
    { pause: pauseOf("budget", null), queue: [failedMessage] },
    [["failed", "1 message failed: its turn failed: refused", null]]
  ],
  [
    "a message given up, while hooks do not call",
    { pause: pauseOf("unwired", null), queue: [heldMessage, failedMessage] },
    [
      ["failed", "1 message failed: its turn failed: refused", null],
      ["held", "the queue's own reason", null]
    ]
  ],
  [
    "what time ends, behind what only the user ends",
    { pause: pauseOf("network", later), queue: [heldMessage] },
    [
      ["held", "1 message is held: it may have been sent", null],
      ["failed", "the queue's own reason", later]
    ]
  ],
  [
    "several, the most urgent first",
    { problem: limit, queue: [heldMessage, failedMessage] },
    [
      ["failed", "1 message failed: its turn failed: refused", null],
      ["held", "1 message is held: it may have been sent", null],
      ["limit", limit.message, later]
    ]
  ]
]

describe("what a session needs of its human", () => {
  it.each(rows)("%s", (_, changes, expected) => {
    const needs = needsOf(sessionStatus({ since, ...changes }))
    assert.deepStrictEqual(
      rowsOf(needs, "kind", "text", "until"),
      expected.map((row) => [...row])
    )
  })

  it("of a host that cannot be reached, whatever it did last, and of one that died", () => {
    const hung = needsOf(unreachable(sessionStatus({ state: "running" })))
    assert.deepStrictEqual(
      hung.map(({ kind, offers, text }) => [kind, text, offers.map(({ operation }) => operation)]),
      [["stuck", "the session's host does not answer", ["stop"]]]
    )
    const dead = needsOf(withoutHost(sessionStatus({ state: "running" }), [heldMessage], null))
    assert.deepStrictEqual(
      dead.map(({ kind, offers, text }) => [kind, text, offers.map(({ operation }) => operation)]),
      [["ended", "the session's host died without a word; its queue is kept; 1 message waits", ["resume", "forget"]]]
    )
  })

  it("offers the options of a dialog as answers, by number, and by name where there is none", () => {
    const [need] = needsOf(
      sessionStatus({
        state: "needs_input",
        question: {
          title: "Which?",
          options: [
            { number: 2, label: "Two" },
            { number: null, label: "Other" }
          ]
        }
      })
    )
    assert.deepStrictEqual(need?.offers, [
      { operation: "answer", label: "Two", payload: { answer: "2" } },
      { operation: "answer", label: "Other", payload: { answer: "Other" } }
    ])
  })

  it("is one line, whatever the CLI wrote", () => {
    const [need] = needsOf(sessionStatus({ problem: { ...refused, message: "\u001b[2Jlog\nin \u202e again" } }))
    assert.strictEqual(need?.text, "[2Jlog in again")
  })
})

/** So many sessions, each in one of the cases above, at different times. */
const sessionsBy = (seed: number): ReadonlyArray<SessionStatus> => {
  const random = randomBy(seed)
  return Array.from({ length: 50 }, (_, n) => {
    const [, changes] = random.pick(rows)
    return sessionStatus({ ...changes, tag: `t${n}`, since: new Date(begin - random.below(90) * 60_000).toISOString() })
  })
}

describe("what the user has put aside", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is no need any more, and nothing else is lost (seed %i)", (seed) => {
    for (const status of sessionsBy(seed)) {
      const all = needsOf(status)
      const dismissed = dismissing(status, null)
      assert.deepStrictEqual(needsOf({ ...status, dismissed }), [])
      for (const need of all) {
        const one = dismissing(status, [need])
        const left = needsOf({ ...status, dismissed: one })
        assert.deepStrictEqual(
          left,
          all.filter((other) => !isSameNeed(other, need))
        )
        // one after the other is both, and what is not there any more is forgotten
        assert.deepStrictEqual(dismissing({ ...status, dismissed: one }, left), dismissed)
      }
      // in whatever words it is told by now
      const reworded = dismissed.map((name) => ({ ...name, text: "told otherwise" }))
      assert.deepStrictEqual(needsOf({ ...status, dismissed: reworded }), [])
      const another = dismissed.map((name) => ({ ...name, since: "2020-01-01T00:00:00.000Z" }))
      assert.deepStrictEqual(needsOf({ ...status, dismissed: another }), all)
      assert.deepStrictEqual(dismissing({ ...status, dismissed: another }, []), [])
    }
  })
})

/** What webhooks are told of a session that is seen for the first time, and has stood so for a moment. */
const eventsOf = (status: SessionStatus): ReadonlyArray<OutEvent> => {
  const folded = OutFold.fold(null, { link: "live", status }, begin, false)
  const ticked = folded === null ? null : OutFold.tick(folded.memory, begin + 60_000)
  return [...(folded?.events ?? []), ...(ticked?.events ?? [])]
}
const slackLines = (event: OutEvent): ReadonlyArray<string> => {
  const [block] = eventMessage(event)?.blocks ?? []
  return block?.type === "section" ? block.text.text.split("\n") : []
}
const reply = {
  now: begin,
  since: begin,
  decided: { rule: "idle", state: "idle", reason: "test" },
  overruled: [],
  ready: false,
  holds: [],
  evidence: []
} as const
const asking = ({ state }: SessionStatus) => (state === "needs_permission" ? "permission" : "question")

/** Rows of a table that name what a session needs. */
const needRowsIn = (table: string): ReadonlyArray<string> =>
  table.split("\n").flatMap((line) => (line.startsWith("needs you  ") ? [line.slice(11).trimStart()] : []))
const begins = (line: string): boolean => Object.values(needWords).some((word) => line.startsWith(`${word}: `))
/** What a dialog asks stands with its options there. */
const withDialog = (status: SessionStatus, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { question, state } = status
  const asks = question != null && (state === "needs_permission" || state === "needs_input")
  return asks ? [needLine({ kind: asking(status), text: question.title }), ...lines] : lines
}

/** The lines of `leap report` below its table, and its needs as JSON. */
const reported = (statuses: ReadonlyArray<SessionStatus>) => {
  const spans = [{ from: begin, to: begin }]
  const page = reportPage(nothing.report, { by: "tag", spans, names: [], now: begin, statuses, colour: false })
  return { document: page.document, lines: page.text().split("\n").slice(1) }
}

/** How each surface tells the needs of a session, as lines of its own making, all in its order. */
const surfaces: Readonly<Record<string, (status: SessionStatus) => ReadonlyArray<string>>> = {
  "status --json": (status) => withNeeds(status).needs.map(needLine),
  "leap why": (status) => needRowsIn(whyText(reply, status)),
  "leap status TAG": (status) => needRowsIn(statusDetails(status, { colour: false, whole: true })),
  "monitor's detail": (status) =>
    withDialog(
      status,
      monitorOf([{ link: "live", status }], { cols: 100, rows: 60 })
        .rows()
        .map((row) => row.trimEnd())
        .filter(begins)
    ),
  "queue client": (status) =>
    withDialog(status, stateDetails(new DrivenClient(status).state).reason.split(" · ").filter(begins)),
  page: (status) => webSession({ link: "live", status }).needs.map(needLine),
  "leap report": (status) => reported([status]).lines.map((line) => line.replace(`${status.tag} needs you: `, "")),
  MCP: (status) => asSession(status, null).needs.map(needLine),
  webhook: (status) =>
    eventsOf(status).flatMap((event) =>
      event.type === "session.needs"
        ? event.data.needs.map(({ kind, text }) => needLine({ kind, text: text ?? "" }))
        : []
    ),
  Slack: (status) =>
    eventsOf(status).flatMap((event) =>
      event.type === "dialog.opened"
        ? slackLines(event)
            .slice(0, 1)
            .map((text) => needLine({ kind: asking(status), text }))
        : event.type === "session.needs"
          ? slackLines(event).slice(1)
          : []
    ),
  ACP: (status) => {
    const { question, state } = status
    const asked = question == null || state === "exited" ? [] : [editorRequest("1", question, null).title]
    return [
      ...asked.map((text) => needLine({ kind: asking(status), text })),
      ...needNotices([], needsOf(status), asked.length > 0)
    ]
  }
}

/** What the user is told of a session that stands so for a moment. */
const noticesOf = (status: SessionStatus): ReadonlyArray<{ readonly title: string; readonly text: string }> => {
  let memory = Notifications.start
  return [0, 3_000].flatMap((after) => {
    const [next, notice] = Notifications.step(
      { needsYou: true, failed: true, limit: true, doneAfterMinutes: null, quietHours: null, zone: "UTC" },
      memory,
      { at: begin + after, status, answering: false, userSeenAt: null, stopping: false }
    )
    memory = next
    return notice === null ? [] : [{ title: notice.title, text: notice.text }]
  })
}

/** What has room for one need alone tells the most urgent one, in a word. */
const glances: Readonly<Record<string, (status: SessionStatus) => string>> = {
  "status, and the prompt line": (status) => stateLine(status, false).split(" · ")[0] ?? "",
  "queue client's head": (status) => stateDetails(new DrivenClient(status).state).word,
  monitor: (status) => signOf({ link: "live", status }).word
}

describe("every surface", () => {
  it("has a scripted session for each kind of need", () => {
    const kinds = new Set(rows.flatMap(([, , needs]) => needs.map(([kind]) => kind)))
    assert.sameMembers([...kinds], [...needKinds])
  })

  it.each(Object.keys(surfaces))(
    "%s tells each need of 50 sessions of every kind, in the same words and order",
    (name) => {
      const sessions = rows.flatMap(([, changes], n) =>
        [0, 1, 2].map((i) =>
          sessionStatus({ ...changes, tag: `t${n}-${i}`, since: new Date(begin - i * 60_000).toISOString() })
        )
      )
      assert.isAtLeast(sessions.length, 50)
      for (const status of sessions)
        assert.deepStrictEqual(surfaces[name]?.(status), needsOf(status).map(needLine), JSON.stringify(status))
    }
  )

  it.each(Object.keys(glances))("%s names the most urgent need of each", (name) => {
    for (const [, changes] of rows) {
      const status = sessionStatus(changes)
      const [need] = needsOf(status)
      if (need === undefined) continue
      const word =
        isNamedByState(need.kind) && name !== "monitor" ? status.state.replace("_", " ") : needWords[need.kind]
      assert.include(glances[name]?.(status), word)
    }
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "says the same needs of 50 sessions, in the same order and words (seed %i)",
    (seed) => {
      const sessions = sessionsBy(seed)
      const needy = sessions.filter((status) => needsOf(status).length > 0)
      const feed = sessions.map((status) => ({ link: "live" as const, status }))
      const monitor = monitorOf(feed, { cols: 300, rows: 120 })
      const rowsShown = monitor.state().list
      const group = rowsShown.findIndex((row) => row._tag === "Group" && row.name === "needs you")
      const inMonitor = rowsShown.slice(group + 1, group + 1 + needy.length)
      const onPage = feed
        .map((session) => webSession(session))
        .flatMap(({ needs: [need], tag }) =>
          need === undefined ? [] : [needing(tag, { ...need, since: Date.parse(need.since) })]
        )
        .sort(byNeed)
        .map(({ tag }) => tag)
      assert.deepStrictEqual(
        inMonitor.map((row) => (row._tag === "Session" ? row.tag : row.name)),
        onPage
      )
      assert.sameMembers(
        onPage,
        needy.map(({ tag }) => tag)
      )
      assert.include(monitor.screen(), `${needy.length} need you`)
      const inOrder = onPage.flatMap((tag) => sessions.filter((status) => status.tag === tag))
      const { document, lines } = reported(sessions)
      assert.deepStrictEqual(
        lines,
        inOrder.flatMap((status) => needsOf(status).map((need) => `${status.tag} needs you: ${needLine(need)}`))
      )
      assert.deepNestedInclude(document, {
        needs: inOrder.flatMap((status) =>
          needsOf(status).map(({ id, kind, since, text, until }) => ({ tag: status.tag, id, kind, since, text, until }))
        )
      })
      for (const status of sessions) {
        const [need] = needsOf(status)
        const page = webSession({ link: "live", status })
        assert.deepStrictEqual(
          rowsOf(page.needs, "kind", "text"),
          needsOf(status).map(({ kind, text }) => [kind, text])
        )
        assert.deepStrictEqual(
          asSession(status, null).needs,
          needsOf(status).map(({ kind, since, text, until }) => ({ kind, since, until, text }))
        )
        const word = need === undefined || isNamedByState(need.kind) ? "" : `, ${needWords[need.kind]}`
        assert.strictEqual(stateLine(status, false).split(" · ")[0], `● ${status.state.replace("_", " ")}${word}`)
        const row = monitor.rows().find((line) => line.includes(` ${status.tag} `))
        if (need !== undefined) assert.include(row, ` ${needWords[need.kind]} `, status.tag)
      }
    }
  )

  // what works, or is over, tells its terminal that
  const atRest = rows.filter(([, { state = "idle" }]) => !isWorking(state) && state !== "exited")
  it.each(atRest)("a terminal that reads program status is told of %s as all are", (_, changes, [first]) => {
    const { message, state } = sessionReport(null, sessionStatus(changes)).report
    const isWanted = state === "blocked" || state === "error"
    assert.deepStrictEqual([isWanted, isWanted ? message : undefined], [first !== undefined, first?.[1]])
  })

  it("a message that waits behind a dialog is told what it asks as all are, also where no hook told a word of it", () => {
    for (const subject of ["notes.md", "other.md"]) {
      const status = sessionStatus({ state: "needs_permission", question: { ...question, subject } })
      assert.include(obstacleText(status), `'demo' asks ${needsOf(status)[0]?.text} (`)
    }
  })

  it("counts messages as all do: what is being typed still waits", () => {
    const queue = [message("A", "one", { status: "typed" }), message("B", "two"), heldMessage, failedMessage]
    const status = sessionStatus({ state: "running", queue })
    assert.include(stateLine(status, false), " · 2 queued · 1 held · 1 failed")
    assert.strictEqual(queueText({ link: "live", status }), "2+1h+1f")
    assert.strictEqual(queueWords(webSession({ link: "live", status }).queue), "2 + 1 held + 1 failed")
    const { figures } = stateDetails(new DrivenClient(status).state)
    assert.strictEqual(figures, " · 2 queued · 1 message is held · 1 message failed")
  })

  it.each(rows)("a list of panes is told of %s as all are", (_, changes, [first]) => {
    const status = sessionStatus({ state: "idle", ...changes })
    const { message, state } = paneReport(status)
    assert.deepStrictEqual([state === "blocked", message], [first !== undefined, sessionTitle(status)])
    const aside = { ...status, dismissed: dismissing(status, null) }
    assert.notStrictEqual(paneReport(aside).state, "blocked")
  })

  it("a notice says what the monitor says", () => {
    const told: Array<ReadonlyArray<string>> = []
    const wanted: Array<ReadonlyArray<string>> = []
    for (const status of sessionsBy(28)) {
      const [need] = needsOf(status)
      // a host that hangs tells nobody, and one that has ended tells its end
      if (need === undefined || need.kind === "stuck" || status.state === "exited") continue
      const texts = noticesOf(status).map(({ text }) => text)
      // what time ends is told where the CLI says that it is wrong, and a message given up by its turn
      const isTold =
        status.problem !== null || need.kind !== "failed" || (need.id === "" && status.pause?.until === null)
      if (!isTold) continue
      told.push(texts)
      // a limit is told as one, whatever else there is
      const limit = needsOf(status).find(({ kind }) => kind === "limit")
      wanted.push([(limit ?? need).text])
    }
    assert.isAtLeast(told.length, 10)
    assert.deepStrictEqual(told, wanted)
  })

  it.each(["😀".repeat(400), "e\u0301".repeat(400), "\u202e\u001b[31mred\nand more ".repeat(400)])(
    "a page says and names a need as all do, however long its words are (%#)",
    (words) => {
      for (const changes of [
        { problem: { ...refused, message: words } },
        { state: "needs_input", message: words } as const
      ]) {
        const status = sessionStatus(changes)
        assert.deepStrictEqual(
          rowsOf(webSession({ link: "live", status }).needs, "kind", "since", "id", "text"),
          rowsOf(needsOf(status), "kind", "since", "id", "text")
        )
      }
    }
  )

  it("messages that wait for the human's word are told, also where their CLI says of nothing that it is wrong", () => {
    const kinds = new Set(["held", "unknown_screen"])
    const held = rows.filter(
      ([, { state }, [need]]) => need !== undefined && kinds.has(need[0]) && state === undefined && need[2] === null
    )
    assert.isAtLeast(held.length, 3)
    for (const [, changes, [need]] of held)
      assert.deepStrictEqual(noticesOf(sessionStatus(changes)), [{ title: "demo needs you", text: need?.[1] ?? "" }])
    // one that was queued in an earlier life, and is held in this one, beside one that was held then
    const startedAt = new Date(begin - 3_600_000).toISOString()
    const now = new Date(begin - 60_000).toISOString()
    const queue = [
      { ...heldMessage, since: startedAt },
      { ...heldMessage, id: "I", since: now }
    ]
    const again = sessionStatus({ queue, startedAt })
    assert.strictEqual(needsOf(again)[0]?.since, startedAt)
    assert.deepStrictEqual(rowsOf(noticesOf(again), "text"), [["2 messages are held: it may have been sent"]])
    assert.deepStrictEqual(noticesOf(sessionStatus({ queue: queue.slice(0, 1), startedAt })), [])
    // who starts a session knows what it was left with
    const left = sessionStatus({ queue: [heldMessage], startedAt: new Date(begin).toISOString() })
    assert.deepStrictEqual(noticesOf(left), [])
  })

  it("a terminal's title tells who needs you, what failed, and a limit", () => {
    const title = (changes: Partial<SessionStatus>) => sessionTitle(sessionStatus(changes))
    assert.strictEqual(title({ state: "needs_permission", question }), "demo: needs you")
    assert.strictEqual(title({ problem: refused }), "demo: failed")
    assert.strictEqual(title({ problem: limit }), "demo: limit reached")
    assert.strictEqual(title({ problem: limit, state: "running" }), "demo: running")
    assert.strictEqual(title({ queue: [heldMessage] }), "demo: needs you")
  })
})
