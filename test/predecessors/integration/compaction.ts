import {
  acts,
  at,
  commands,
  compacts,
  draws,
  endHook,
  ends,
  escape,
  fromStart,
  look,
  rests,
  sends,
  stopped,
  wait
} from "../support/ClaudeActor.ts"
import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { box } from "../../support/session/claudeScreens.ts"
import { codexIgnoresCompaction } from "./providers.ts"

/** test_compact_scenarios.py */
export const ids = numbered("CMP", 16)

const says = (...rows: ReadonlyArray<string>) => draws(box(rows))

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "CMP-01",
    says: "/compact runs as long as it compacts",
    check: acts(commands("/compact"), compacts, wait(30), look("running", { ready: false }))
  },
  {
    id: "CMP-02",
    says: "and rests when the indicator is gone",
    check: acts(commands("/compact"), compacts, look("running"), rests, wait(4), look("idle", { ready: true }))
  },
  {
    id: "CMP-03",
    says: "compaction after a turn's end is work",
    check: acts(sends, ends, look("idle"), compacts, look("running", { ready: false }))
  },
  {
    id: "CMP-04",
    says: "compaction before anything was typed",
    differs: "counts as well: a continued session may compact by itself, and nothing is typed into that",
    check: fromStart(compacts, look("running", { ready: false }), wait(20), look("running", { ready: false }))
  },
  {
    id: "CMP-05",
    says: "the turn's end hook does not end compaction, and rest is known when its indicator goes",
    check: acts(
      sends,
      compacts,
      look("running"),
      endHook,
      look("running"),
      wait(30),
      look("running", { ready: false }),
      rests,
      look("idle")
    )
  },
  {
    id: "CMP-06",
    says: "ten seconds of it are work",
    check: acts(sends, compacts, wait(10), look("running", { ready: false }))
  },
  {
    id: "CMP-07",
    says: "seventy seconds of it are work",
    check: acts(sends, compacts, wait(70), look("running", { ready: false }))
  },
  {
    id: "CMP-08",
    says: "Escape stops it",
    check: acts(sends, compacts, look("running"), escape, stopped, look("interrupted", { ready: false }))
  },
  { id: "CMP-09", says: "Claude's words begin no turn on another CLI's screen", check: codexIgnoresCompaction },
  {
    id: "CMP-10",
    says: "its indicator is read off the screen alone",
    check: acts(compacts, look("running", { ready: false }))
  },
  {
    id: "CMP-11",
    says: "other words at rest are no indicator",
    check: acts(sends, ends, look("idle"), says("● Squeezing the conversation"), look("idle"))
  },
  {
    id: "CMP-12",
    says: "the words in small letters are none",
    check: acts(sends, ends, says("● compacting conversation"), look("idle"))
  },
  {
    id: "CMP-13",
    says: "the words apart are none",
    check: acts(
      sends,
      ends,
      says("● Compacting the whole of this long conversation", "  conversation of ours"),
      look("idle")
    )
  },
  {
    id: "CMP-14",
    says: "the words in an answer",
    differs: "are no indicator, as the original takes them for one: only the CLI's own row says that it works",
    check: acts(
      sends,
      ends,
      says("● It says Compacting conversation… for a while", "  ✽ Compacting conversation… (5s)"),
      look("idle"),
      wait(4),
      at("idle", { ready: true })
    )
  },
  {
    id: "CMP-15",
    says: "an end hook before the indicator is drawn does not end the turn",
    differs: "the transcript is not asked: the CLI's own row on screen says that the turn goes on",
    check: acts(
      sends,
      endHook,
      look("running", { ready: false }),
      compacts,
      wait(20),
      look("running", { ready: false })
    )
  },
  {
    id: "CMP-16",
    says: "an end hook with nothing at work ends it",
    check: acts(sends, ends, look("idle", { ready: true }))
  }
]
