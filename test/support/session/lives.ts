import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { blankFacts } from "../../../src/domain/words/session/Screen.ts"
import type { Modes } from "../../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../../src/domain/engine/tracker/Tracker.ts"
import {
  begin,
  dialog,
  draft,
  ended,
  everything,
  frame,
  keys,
  nothing,
  own,
  permission,
  picker,
  report,
  signal,
  started,
  type Step,
  working
} from "./trace.ts"

const named = <Name extends string>(steps: Readonly<Record<Name, Step>>) => steps
/** What a session really lives through, by name; frames and words in any order, at any distance. */
export const steps = named({
  box: frame(),
  boxRest: frame({ title: "rest" }),
  boxTitleWork: frame({ title: "work" }),
  draft: draft("half a thought"),
  command: draft("/model"),
  menu: frame({ box: { draft: "/mo" }, picker: true }),
  search: frame({ picker: true }),
  working: working(),
  workingTitle: working({ title: "work" }),
  retrying: working({ activity: "API error · retrying in 2s" }),
  dialog: dialog(),
  question: dialog({ kind: "question" }),
  trust: dialog({ kind: "trust" }),
  picker,
  unreadable: frame({ box: null }),
  interrupted: frame({ interrupted: true }),
  background: frame({ background: 1 }),
  half: { _tag: "Output", screen: null },
  text: keys("text"),
  paste: keys("paste"),
  enter: keys("enter"),
  escape: keys("escape"),
  ctrlC: keys("ctrl-c"),
  navigate: keys("navigate"),
  leapText: { _tag: "Input", keys: ["paste"], by: "leap" },
  leapEnter: { _tag: "Input", keys: ["enter"], by: "leap" },
  send: { _tag: "Send" },
  resize: { _tag: "Resize", cols: 80, rows: 24 },
  started: started(),
  ownTurn: started("<task>", true),
  ended: ended(),
  endedChurning: ended(["t1"]),
  failed: signal({
    _tag: "TurnFailed",
    problem: { kind: "overloaded", message: "busy", until: null },
    message: "busy"
  }),
  asked: signal({ _tag: "Asked", kind: "permission", tool: "Bash", message: "ls" }),
  tool: signal({ _tag: "ToolStarted", tool: "Bash", id: null, agent: null }),
  toolEnded: signal({ _tag: "ToolEnded", tool: "Bash", id: null, agent: "a1" }),
  compact: signal({ _tag: "CompactStarted" }),
  compacted: signal({ _tag: "CompactEnded" }),
  clear: signal({ _tag: "SessionStarted", sessionId: "s2", transcriptPath: null, source: "clear" }),
  ownWork: own("work"),
  ownRest: own("rest"),
  ownShell: own("rest", { background: true }),
  ownAsks: own("wait", { waitingFor: "permission" }),
  ownDialog: own("wait", { waitingFor: "dialog" }),
  toldWork: report("working"),
  toldIdle: report("idle"),
  toldDone: report("done"),
  toldBlocked: report("blocked", { kind: "permission" }),
  toldAuth: report("blocked", { kind: "auth" }),
  toldChild: report("working", { id: "c1" }),
  toldChildGone: report("clear", { id: "c1" }),
  plan: dialog({
    kind: "plan",
    title: "Go on with this plan?",
    options: [
      { number: 1, label: "Yes", selected: false },
      { number: 2, label: "No", selected: true, endsTurn: true }
    ]
  }),
  declinable: dialog({ title: "Run it?", declines: true }),
  form: dialog({ kind: "elicitation", title: "Your name", options: [] }),
  menuOverDialog: frame({ box: null, dialog: permission, picker: true }),
  interruptedWork: working({ interrupted: true }),
  interruptedDraft: frame({ interrupted: true, box: { draft: "half" } }),
  loggedOut: frame({ loggedOut: true }),
  notResting: frame({ resting: false }),
  resting: frame({ resting: true, title: "rest" }),
  titleAsks: frame({ box: null, background: null, title: "ask" }),
  blank: { _tag: "Output", screen: blankFacts },
  stopTold: signal({ _tag: "Interrupted", at: null }, "transcript"),
  askedOne: signal({ _tag: "Asked", kind: "question", tool: null, message: "which?", id: "q1" }),
  answeredOne: signal({ _tag: "Answered", id: "q1" }),
  answered: signal({ _tag: "Answered" }),
  requestFailed: signal({
    _tag: "RequestFailed",
    problem: { kind: "rate_limited", message: "slow down", until: null },
    message: "429"
  }),
  responded: signal({ _tag: "Responded", text: "so far" }),
  ownGone: signal(
    { _tag: "OwnStatus", phase: "gone", waitingFor: null, background: false, word: "gone", sessionId: null },
    "session file"
  ),
  ctrlD: keys("ctrl-d"),
  edit: keys("edit"),
  other: keys("other")
})
/** The name of one thing that can happen. */
export type StepName = keyof typeof steps
/** All of them by name. */
export const names = Object.keys(steps) as ReadonlyArray<StepName>

/** Milliseconds from one moment to the next: about the bounds of the rules. */
export const waits = [
  0, 1, 40, 50, 200, 450, 500, 700, 1_600, 2_100, 3_100, 5_010, 8_010, 10_010, 10_500, 59_000, 60_010, 61_000
] as const

/** One thing that happens, so many milliseconds after the one before it. */
export interface Moment {
  readonly wait: (typeof waits)[number]
  readonly step: StepName
}
export type Life = ReadonlyArray<Moment>
/** Lives of these moments only. */
export const lifeOf = (
  only: ReadonlyArray<StepName>,
  lengths = { minLength: 5, maxLength: 60 }
): Arbitrary.Arbitrary<Life> =>
  Arbitrary.array(
    Arbitrary.schema(Schema.Struct({ wait: Schema.Literals(waits), step: Schema.Literals(only) })),
    lengths
  )
/** A session's life of any such moments. */
export const Life = lifeOf(names)
/** All that can happen but these. */
export const without = (...left: ReadonlyArray<StepName>): ReadonlyArray<StepName> =>
  names.filter((name) => !left.includes(name))
/** The modes of a session, and whether its CLI tells of its state by itself. */
export const Mode = Schema.Struct({
  churn: Schema.Literals(["wait", "send"]),
  autoSend: Schema.Literals(["pause", "always"]),
  tells: Schema.Boolean
})

/** A life as the machine hears it. */
export const eventsOf = (life: Life, from = begin): ReadonlyArray<SessionEvent> => {
  let at = from
  return life.map(({ step, wait }) => {
    at += wait
    return { ...steps[step], at }
  })
}

/** All memories of a life that a reducer leads, ticks included, from a memory on. */
export const liveWith = (
  track: (memory: Tracker.TrackerMemory, event: SessionEvent) => Tracker.TrackerMemory,
  events: ReadonlyArray<SessionEvent>,
  from: Tracker.TrackerMemory
) => {
  const seen: Array<Tracker.TrackerMemory> = [from]
  const last = () => seen.at(-1) ?? from
  for (const event of events) {
    for (let due = last().view.changesAt; due !== null && due <= event.at; due = last().view.changesAt) {
      seen.push(track(last(), { _tag: "Tick", at: due }))
      if (seen.length >= 20_000) throw new Error("the timers never come to rest")
    }
    seen.push(track(last(), event))
  }
  return { seen, last: last() }
}

/** All memories of a life, ticks included; `from` goes on from another. */
export const live = (
  events: ReadonlyArray<SessionEvent>,
  modes: Modes,
  tells: typeof everything | typeof nothing,
  from: Tracker.TrackerMemory = Tracker.start(begin, modes)
) => {
  const track = Tracker.track({ capabilities: tells })
  return { ...liveWith(track, events, from), track }
}
/** The session's modes of these. */
export const modesOf = (mode: typeof Mode.Type): Modes => ({ churn: mode.churn, autoSend: mode.autoSend })
/** What the CLI can tell by itself. */
export const tellsOf = (mode: typeof Mode.Type) => (mode.tells ? everything : nothing)
