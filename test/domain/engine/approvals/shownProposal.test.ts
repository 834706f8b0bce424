import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type {
  PendingPermission,
  PendingPermissions
} from "../../../../src/domain/engine/approvals/PendingPermissions.ts"
import { asksUser, proposalOf, withShown } from "../../../../src/domain/engine/approvals/shownProposal.ts"
import { requestOfHook } from "../../../../src/domain/engine/approvals/requestIn.ts"
import { defaultSettings } from "../../../../src/domain/store/settings/Settings.ts"
import { parseMarker } from "../../../../src/domain/terminal/recording/Cast.ts"
import type { ProposedEdit } from "../../../../src/domain/words/session/Proposal.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { builtin } from "../../../support/providers.ts"
import { screenAt } from "../../../support/recordings/castScreen.ts"
import { read } from "../../../support/recordings/recordings.ts"
import { bash, request } from "../../policy/support.ts"

const dialog: Dialog = { kind: "permission", title: "Edit a.ts?", subject: "a.ts", options: [] }

const edit = (line: string): ProposedEdit => ({
  files: [{ path: "a.ts", from: null, kind: "changed", added: 1, removed: 0, lines: [`+${line}`] }],
  unshown: 0,
  unlisted: 0
})

const asked = (
  id: number,
  at: number,
  its: ProposedEdit,
  change: Partial<PendingPermission> = {}
): PendingPermission => ({
  id,
  at,
  event: "PermissionRequest",
  request: request({ tool: "Edit", kind: "edit", paths: ["/srv/app/a.ts"], cwd: "/srv/app" }),
  heeds: ["allow", "deny"],
  inspected: true,
  certain: true,
  decision: null,
  reply: { _tag: "Closed", at, how: "asked" },
  edit: its,
  asks: true,
  ...change
})

interface Look {
  readonly shown?: Dialog | null
  readonly since: number
  /** When it is looked; as a rule when the dialog appears. */
  readonly now?: number
  readonly answeredAt?: number
  readonly toolEndedAt?: number
}
const pendingOf = (list: ReadonlyArray<PendingPermission>): PendingPermissions => ({ list, overflowed: false })

/** What is shown with the last of these looks at the screen; each request is there from its look on. */
const after = (...looks: ReadonlyArray<Look & { readonly adds?: ReadonlyArray<PendingPermission> }>): string | null => {
  let pending = pendingOf([])
  let line: string | null = null
  for (const { adds = [], answeredAt = 0, now, shown = dialog, since, toolEndedAt = 0 } of looks) {
    pending = withShown(pendingOf([...pending.list, ...adds]), { dialog: shown, since }, now ?? since)
    const proposal = proposalOf(pending, { dialog: shown, since, answeredAt, toolEndedAt })
    line = proposal?.edit?.files[0]?.lines[0] ?? proposal?.command ?? null
  }
  return line
}

const [first, second] = [asked(1, 100, edit("one")), asked(2, 500, edit("two"))]

describe("what a dialog asks for", () => {
  it("is the edit of its request, from before it or after it", () => {
    assert.strictEqual(after({ adds: [first], since: 150 }), "+one")
    assert.strictEqual(after({ since: 50 }, { adds: [first], since: 50 }), "+one")
  })

  it("is never the former edit of the same file, whose dialog looked the same", () => {
    const answered = { since: 150, answeredAt: 300 }
    assert.isNull(after({ adds: [first], since: 150 }, { shown: null, since: 150 }, { since: 400 }), "seen again")
    assert.isNull(after({ adds: [first], since: 150 }, answered), "answered, and not yet gone")
    assert.strictEqual(after({ adds: [first], since: 150 }, { since: 450 }, { adds: [second], since: 450 }), "+two")
    // No frame was drawn between the two dialogs.
    assert.strictEqual(
      after({ adds: [first], since: 150 }, answered, { ...answered, adds: [second], now: 510 }),
      "+two"
    )
    const other = asked(2, 110, edit("two"), { request: { ...first.request, paths: ["/srv/app/b.ts"] } })
    const shown = { ...dialog, subject: "b.ts" }
    const both = { adds: [first, other], since: 150 }
    assert.strictEqual(after(both, { since: 450, answeredAt: 300, shown }), "+two", "asked for beside the first")
    assert.strictEqual(after(both, { ...answered, now: 310, shown }), "+two", "the same, without a frame between")
  })

  it("is nothing in doubt", () => {
    assert.isNull(after({ adds: [first, second], since: 600 }), "two that it could be")
    assert.strictEqual(after({ adds: [first, second], since: 600, toolEndedAt: 300 }), "+two", "the first is done")
    assert.isNull(
      after({ adds: [first], since: 150 }, { shown: { ...dialog, subject: "b.ts" }, since: 150 }),
      "another dialog"
    )
    assert.isNull(after({ adds: [first], since: 150, shown: { ...dialog, kind: "question" } }))
    assert.isNull(after({ adds: [{ ...first, asks: false }], since: 150 }), "a hook before each tool")
    assert.isNull(after({ adds: [{ ...first, reply: { _tag: "Closed", at: 120, how: "answered" } }], since: 150 }))
    const pending = { list: [{ ...first, shown: { since: 150, at: 150 } }], overflowed: true }
    assert.isNull(proposalOf(pending, { dialog, since: 150, answeredAt: 0, toolEndedAt: 0 }))
  })

  it("is the same edit once, though two hooks report it", () => {
    assert.strictEqual(after({ adds: [first, asked(3, 110, edit("one"))], since: 150 }), "+one")
  })

  it("is the whole command, of which the screen shows a part", () => {
    const command = `echo ${"a long text ".repeat(400)}\nls`
    const shown = { ...dialog, title: "Run it?", subject: `${command.slice(0, 60)}…` }
    const { edit: _, ...bare } = first
    const one = { ...bare, request: bash(command) }
    assert.strictEqual(after({ adds: [one], since: 150, shown }), command)
    const long = { ...bare, request: bash(`${command}${"x".repeat(40_000)}`) }
    assert.match(after({ adds: [long], since: 150, shown }) ?? "", /x… \[44808 characters in all\]$/)
  })

  it("comes from hooks that come with the question, if the CLI has such", () => {
    const decisions = [
      { event: "Pre", verdicts: ["deny"] },
      { event: "Ask", verdicts: ["allow", "deny"] }
    ] as const
    assert.deepStrictEqual(
      ["Pre", "Ask"].map((event) => asksUser({ decisions }, event)),
      [false, true]
    )
    assert.isTrue(asksUser({ decisions: decisions.slice(0, 1) }, "Pre"))
  })
})

/** Dialogs of real CLIs about an edit, when they stand, and a line of that edit. */
const dialogs: ReadonlyArray<readonly [name: string, seconds: number, line: string]> = [
  ["claude-psp/edit-yes-200x60", 6, '+  if (typeof a !== "number") throw new TypeError("a")'],
  ["claude/write-yes-80x24", 12, "+- note 30"],
  ["codex/patch-yes", 10, "+hello"],
  ["copilot/edit-once-80x24", 11, '+  if (typeof a !== "number") throw new TypeError("a")'],
  ["gemini/edit-once-80x24", 7, '+  if (typeof a !== "number") throw new TypeError("a")'],
  ["gemini-more/write-once-80x24", 22, "+- note 30"],
  ["opencode-more/edit-permission", 23, "+A small project with a change."]
]

describe("a recorded dialog about an edit", () => {
  layer(ScreenXterm.layer)((it) => {
    it.effect.each(dialogs)("of %s at %d s has %s", ([name, seconds, line]) =>
      Effect.gen(function* () {
        const { header, lines } = read(name)
        const { detection, permissions } =
          builtin.find(({ id }) => id === header.leap?.cli) ?? assert.fail("no such CLI")
        const list = lines.flatMap(([at, code, data], id): ReadonlyArray<PendingPermission> => {
          const marker = code === "m" && at <= seconds ? parseMarker(data) : null
          if (marker?._tag !== "Hook") return []
          const hook = { ...marker, flaw: null, nested: false }
          const place = { asksNobody: false, directory: "/home/dev/project" }
          const found = requestOfHook(permissions, defaultSettings.policy, hook, place)
          return found === null ? [] : [{ ...first, ...found, at, id, asks: asksUser(permissions, marker.event) }]
        })
        const { dialog } = detection.readScreen(yield* screenAt(name, seconds))
        const ends = lines.flatMap(([at, , data]) => (/^hook:(?:After|[Pp]ost)Tool/.test(data) ? [at] : []))
        const toolEndedAt = ends.findLast((at) => at <= seconds) ?? 0
        const visible = { dialog, since: seconds, answeredAt: 0, toolEndedAt }
        const proposal = proposalOf(withShown(pendingOf(list), visible, seconds), visible)
        assert.include(proposal?.edit?.files[0]?.lines ?? [], line)
      })
    )
  })
})
