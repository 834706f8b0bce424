import {
  acts,
  asks,
  at,
  begins,
  commands,
  compacts,
  drafts,
  draws,
  endHook,
  ends,
  enter,
  escape,
  exits,
  fromStart,
  look,
  permissionHook,
  prompts,
  questions,
  raw,
  rests,
  sends,
  signals,
  stops,
  types,
  wait,
  works
} from "../support/ClaudeActor.ts"
import { type ListedRows, numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { send } from "../support/replayScene.ts"
import { box, permission, trust } from "../../support/session/claudeScreens.ts"

/**
 * test_pty_lifecycle.py, test_rapid_transitions.py, test_signal_parsing.py, test_signal_transitions.py,
 * test_slash_commands.py, test_user_flows.py
 */
export const ids = [
  ...numbered("PTY", 8),
  ...numbered("RAP", 12),
  ...numbered("SGP", 11),
  ...numbered("SGT", 5),
  ...numbered("SLC", 8),
  ...numbered("UFL", 11)
]

export const listed: ReadonlyArray<ListedRows> = [
  {
    ids: ["SGP-08"],
    why: "a host clears what an earlier one left in its spool before it starts the CLI: HookInboxSpool.live.test.ts; a tracker never reads a file"
  },
  { ids: ["SGP-11"], why: "a hook is an event that is delivered once, not a file that a poll may find or miss" }
]

const gone = "the end of the process is a state of its own, `exited`: never ready, and nothing follows it"
const command =
  "a command of the CLI's begins no turn until the CLI shows one: it rests, and nothing is typed for three seconds after it"
const asTheCli = "the transcript is not asked: a tool that runs shows on screen"
const unreadable = draws(["Something that cannot be read.", "It has no prompt."])

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "PTY-01",
    says: "death in a turn",
    differs: gone,
    check: acts(sends, look("running"), exits, at("exited", { ready: false }))
  },
  {
    id: "PTY-02",
    says: "death in a dialog",
    differs: gone,
    check: acts(sends, asks, look("needs_permission"), exits, at("exited", { ready: false, dialog: false }))
  },
  {
    id: "PTY-03",
    says: "death after an interrupt",
    differs: gone,
    check: acts(sends, stops, look("interrupted"), exits, at("exited", { ready: false }))
  },
  {
    id: "PTY-04",
    says: "death forgets what was going on",
    differs: gone,
    check: acts(sends, escape, asks, types("1"), exits, at("exited", { ready: false, dialog: false }))
  },
  {
    id: "PTY-05",
    says: "it stays dead",
    differs: gone,
    check: acts(sends, exits, at("exited"), look("exited"), wait(60), at("exited"), at("exited", { ready: false }))
  },
  {
    id: "PTY-06",
    says: "what comes after it changes nothing",
    differs: gone,
    check: acts(sends, exits, at("exited"), rests, sends, endHook, look("exited", { ready: false }))
  },
  {
    id: "PTY-07",
    says: "death beats a running indicator",
    differs: gone,
    check: acts(sends, compacts, look("running"), exits, at("exited", { ready: false }))
  },
  {
    id: "PTY-08",
    says: "silence without a prompt ends a turn in time",
    check: acts(sends, unreadable, at("running"), wait(65), at("idle", { ready: false }))
  },

  {
    id: "RAP-01",
    says: "the end hook twice",
    check: acts(sends, ends, look("idle"), endHook, at("idle"), look("idle", { ready: true }))
  },
  {
    id: "RAP-02",
    says: "the end, then a message",
    check: acts(sends, ends, look("idle"), sends, at("running"), look("running"))
  },
  {
    id: "RAP-03",
    says: "a message while a permission is asked for",
    check: acts(
      sends,
      asks,
      look("needs_permission"),
      (actor) => actor.happen(send),
      at("running", { ready: false, dialog: true }),
      wait(2),
      at("needs_permission", { ready: false, dialog: true })
    )
  },
  {
    id: "RAP-04",
    says: "the end while the user types the next prompt",
    check: acts(
      types("h"),
      types("i"),
      draws(box(["● Hello."], "hi")),
      enter,
      begins("hi"),
      look("running"),
      types("e"),
      draws(box(["● Done."], "e")),
      endHook,
      look("idle", { ready: false })
    )
  },
  {
    id: "RAP-05",
    says: "an Escape that the CLI did not heed, the end, then a prompt",
    check: acts(sends, escape, ends, look("idle"), prompts("go"), look("running"))
  },
  {
    id: "RAP-06",
    says: "the end and a message at once",
    check: acts(sends, endHook, sends, at("running"), look("running", { ready: false }))
  },
  {
    id: "RAP-07",
    says: "the end, then more output",
    check: acts(sends, ends, look("idle"), draws(box(["● Done.", "  And a note."])), look("idle", { ready: true }))
  },
  {
    id: "RAP-08",
    says: "the end hook twice, then compaction",
    check: acts(
      sends,
      ends,
      look("idle"),
      endHook,
      compacts,
      look("running"),
      wait(20),
      at("running", { ready: false })
    )
  },
  {
    id: "RAP-09",
    says: "a permission hook under compaction, and its dialog after it",
    check: acts(
      sends,
      ends,
      look("idle"),
      permissionHook,
      compacts,
      look("running"),
      draws(permission),
      wait(4),
      look("needs_permission", { ready: false })
    )
  },
  {
    id: "RAP-10",
    says: "a permission hook in a turn that shows work",
    check: acts(sends, permissionHook, compacts, look("running", { ready: false }))
  },
  {
    id: "RAP-11",
    says: "a permission, its answer, the end",
    check: acts(sends, asks, look("needs_permission"), types("1"), ends, look("idle"))
  },
  {
    id: "RAP-12",
    says: "two dialogs, one behind the other",
    check: acts(sends, asks, look("needs_permission"), types("1"), questions, look("needs_input", { ready: false }))
  },

  ...(
    [
      ["SGP-01", "empty", ""],
      ["SGP-02", "no JSON", "{this is not json}"],
      ["SGP-03", "a list", `["idle"]`],
      ["SGP-04", "without its state", `{"other_key":"idle"}`],
      ["SGP-05", "with an unknown state", "foobar"],
      ["SGP-06", "with null for a state", "null"]
    ] as const
  ).map(([id, what, word]): ScenarioRow => ({
    id,
    says: `a state that is ${what} says nothing`,
    check: acts(sends, signals(word), at("running"), look("running", { ready: false }))
  })),
  {
    id: "SGP-07",
    says: "the older name of a question",
    check: acts(sends, unreadable, signals("has_question"), look("needs_input", { ready: false, dialog: true }))
  },
  {
    id: "SGP-09",
    says: "the latest of two states counts",
    check: acts(sends, signals("needs_permission"), signals("idle"), rests, look("idle"))
  },
  {
    id: "SGP-10",
    says: "blanks round a state",
    check: acts(sends, unreadable, signals("  needs_permission \n"), look("needs_permission"))
  },

  {
    id: "SGT-01",
    says: "a turn and its end, by bare states",
    check: acts(at("idle"), sends, look("running"), signals("idle"), rests, look("idle"))
  },
  {
    id: "SGT-02",
    says: "a permission, by a bare state",
    check: acts(sends, unreadable, signals("needs_permission"), look("needs_permission", { ready: false }))
  },
  {
    id: "SGT-03",
    says: "a question, by a bare state",
    check: acts(sends, unreadable, signals("needs_input"), look("needs_input", { ready: false }))
  },
  {
    id: "SGT-04",
    says: "seventy seconds of a tool",
    differs: asTheCli,
    check: acts(sends, wait(70), look("running", { ready: false }))
  },
  {
    id: "SGT-05",
    says: "seventy seconds of nothing",
    check: acts(sends, unreadable, wait(70), at("idle", { ready: false }))
  },

  {
    id: "SLC-01",
    says: "/clear and the empty prompt",
    differs: command,
    check: acts(commands("/clear"), at("idle", { ready: false }), rests, wait(4), look("idle", { ready: true }))
  },
  {
    id: "SLC-02",
    says: "/help and its text",
    differs: command,
    check: acts(
      commands("/help"),
      at("idle", { ready: false }),
      draws(box(["  For more help:", "  see the docs", "  or ask"])),
      wait(4),
      look("idle", { ready: true })
    )
  },
  {
    id: "SLC-03",
    says: "/clear, soon after",
    differs: command,
    check: acts(commands("/clear"), rests, at("idle", { ready: false }), wait(2), at("idle", { ready: false }))
  },
  {
    id: "SLC-04",
    says: "help that quotes a hint",
    differs: command,
    check: acts(
      commands("/help"),
      at("idle", { ready: false }),
      draws(box(["  Esc to cancel the turn"])),
      wait(4),
      look("idle", { ready: true, dialog: false })
    )
  },
  {
    id: "SLC-05",
    says: "/clear after a turn",
    differs: command,
    check: acts(sends, ends, look("idle"), commands("/clear"), at("idle", { ready: false }))
  },
  ...(["/clear", "/help", "/cost"] as const).map((name, i): ScenarioRow => ({
    id: `SLC-0${6 + i}`,
    says: name,
    differs: command,
    check: acts(commands(name), at("idle", { ready: false }), works, look("running", { ready: false }))
  })),

  {
    id: "UFL-01",
    says: "trust, then a message",
    differs: "a dialog stands until the CLI takes it away: the user's Enter alone ends no dialog",
    check: fromStart(
      draws(trust),
      look("needs_permission"),
      enter,
      rests,
      wait(3),
      look("idle"),
      sends,
      look("running"),
      ends,
      look("idle", { ready: true })
    )
  },
  {
    id: "UFL-02",
    says: "a turn without a permission",
    check: acts(sends, look("running"), ends, look("idle", { ready: true }))
  },
  {
    id: "UFL-03",
    says: "a turn with one",
    check: acts(sends, asks, look("needs_permission"), types("1"), works, look("running"), ends, look("idle"))
  },
  {
    id: "UFL-04",
    says: "an interrupt, then a message",
    check: acts(sends, stops, look("interrupted"), sends, look("running"), ends, look("idle"))
  },
  {
    id: "UFL-05",
    says: "an interrupt, then a prompt",
    check: acts(sends, stops, look("interrupted"), prompts("abort"), look("running"), ends, look("idle"))
  },
  {
    id: "UFL-06",
    says: "a turn, compaction, a turn",
    check: acts(
      sends,
      ends,
      look("idle"),
      compacts,
      look("running"),
      rests,
      wait(4),
      look("idle", { ready: true }),
      sends,
      look("running")
    )
  },
  {
    id: "UFL-07",
    says: "Escape out of a permission",
    check: acts(sends, asks, look("needs_permission"), stops, look("interrupted", { ready: false }))
  },
  {
    id: "UFL-08",
    says: "five turns",
    check: acts(
      ...Array.from({ length: 5 }, () => [sends, look("running"), ends, look("idle", { ready: true })]).flat()
    )
  },
  {
    id: "UFL-09",
    says: "a message after rest",
    check: acts(sends, ends, look("idle", { ready: true }), sends, look("running", { ready: false }))
  },
  {
    id: "UFL-10",
    says: "a prompt typed key by key",
    check: acts(
      ...[..."hello world"].flatMap((key, i, all) => [
        types(key),
        draws(box(["● Hello."], all.slice(0, i + 1).join("")))
      ]),
      at("idle", { ready: false }),
      enter,
      begins("hello world"),
      look("running"),
      ends,
      look("idle")
    )
  },
  {
    id: "UFL-11",
    says: "an hour of nothing, with unsent text",
    check: acts(drafts("x"), wait(3600), look("idle", { ready: false }), raw("\u0007"), at("idle", { ready: false }))
  }
]
