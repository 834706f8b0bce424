import { Effect, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { isDeepStrictEqual } from "node:util"
import { rootRecord } from "../../../src/domain/engine/tracker/Facts.ts"
import * as Tracker from "../../../src/domain/engine/tracker/Tracker.ts"
import type { Detection } from "../../../src/domain/cli/provider/Detection.ts"
import { noPermissions } from "../../../src/domain/cli/provider/PermissionProtocol.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import { defaultModes, Modes } from "../../../src/domain/words/session/Session.ts"
import { asks } from "../../../src/domain/words/session/states.ts"
import { reasonWords } from "../../../src/domain/words/wording/reasonWords.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { screenView } from "../data/screenView.ts"
import { eventsOf, type Life, lifeOf, liveWith, names, type StepName, steps } from "./lives.ts"
import { seeingBrain } from "./seeingBrain.ts"
import { input, SimulatedCli } from "./SimulatedCli.ts"
import { begin } from "./trace.ts"
import { SimulatedHost } from "../SimulatedHost.ts"

/*
 * What holds of a session whatever happens in it, provided that its provider reads the screen as it is drawn. What a
 * screen shows is known here because the law has it drawn: it is never the word of the reader that is examined.
 */

/** What a screen is to show; nothing else is on it. */
export interface Drawn {
  /** The text in the input box, which is empty mostly; null where no box is to be seen. */
  readonly draft: string | null
  /** A turn is running, and is seen to. */
  readonly working: boolean
  readonly dialog: Dialog | null
  /** A menu, or another view of the CLI's, has the keys. */
  readonly picker: boolean
}

/** A provider, and what is drawn for it to read. */
export interface Subject {
  readonly provider: Pick<Provider, "detection" | "permissions"> & {
    readonly input: Pick<Provider["input"], "showsPasted">
  }
  /** What is known of a screen that shows this; null where the CLI shows no such thing. */
  readonly sees: (shown: ScreenFacts) => ScreenFacts | null
}

/**
 * A provider to be examined: `draw` gives the rows in which its CLI shows something, or null where it never shows that;
 * of this nothing happens then.
 */
export const subjectOf = (provider: Provider, draw: (shown: Drawn) => ReadonlyArray<string> | null): Subject => ({
  provider,
  sees: (shown) => {
    const { blank, box, dialog, picker, working } = shown
    // what only some CLIs show besides
    const { activity: _, background, ...others } = { ...blankFacts, ...shown }
    const plain = { ...blankFacts, blank, box, dialog, picker, working }
    const { activity: __, background: ___, ...known } = plain
    if ((background ?? 0) > 0 || !isDeepStrictEqual(others, known)) return null
    const rows = blank ? [] : draw({ draft: box?.draft ?? null, working, dialog, picker })
    return rows === null ? null : provider.detection.readScreen(Object.freeze(screenView(Object.freeze([...rows]))))
  }
})

/** The machine alone: it knows of its CLI's screens what they show. */
export const machineAlone = (capabilities: Detection["capabilities"]): Subject => ({
  provider: {
    detection: {
      capabilities,
      readScreen: () => blankFacts,
      readHook: () => [],
      readOwnStatus: () => [],
      readTranscript: () => []
    },
    input,
    permissions: noPermissions
  },
  sees: (shown) => shown
})

/** The steps of a life that this one can go through. */
export const stepsOf = ({ sees }: Subject, list: ReadonlyArray<StepName> = names): ReadonlyArray<StepName> =>
  list.filter((name) => {
    const step = steps[name]
    return step._tag !== "Output" || step.screen === null || sees(step.screen) !== null
  })

/** A moment of a life: what is known of the session, and what its screen really shows. */
export interface Seen extends Tracker.TrackerMemory {
  readonly shown: ScreenFacts
  readonly shownAt: number
  /** Since when a dialog has been on the screen; null while none is. */
  readonly dialogSince: number | null
}

/** All moments of a life, ticks included. */
export const lived = (
  { provider, sees }: Subject,
  life: Life,
  modes: Modes,
  from: Seen = { ...Tracker.start(begin, modes), shown: blankFacts, shownAt: begin, dialogSince: null }
): ReadonlyArray<Seen> => {
  const track = Tracker.track(provider.detection)
  let last = from
  const seen: Array<Seen> = [from]
  liveWith(
    (memory, event) => {
      const drawn = event._tag === "Output" ? event.screen : null
      const shown = drawn ?? last.shown
      last = {
        ...track(memory, event._tag === "Output" && drawn !== null ? { ...event, screen: sees(drawn) } : event),
        shown,
        shownAt: drawn === null ? last.shownAt : event.at,
        dialogSince: shown.dialog === null ? null : (last.dialogSince ?? event.at)
      }
      seen.push(last)
      return last
    },
    eventsOf(life, from.facts.at),
    from
  )
  return seen
}
const lastOf = (seen: ReadonlyArray<Seen>): Seen => seen.at(-1)!

/** A law did not hold: `message` has the life that shows it, and what was wrong in it. */
export class LawBroken extends Schema.TaggedError<LawBroken>()("LawBroken", {
  says: Schema.String,
  message: Schema.String
}) {}

/** What has to hold of every session of a provider. */
export interface Law {
  readonly says: string
  /** Fails where a counterexample is found. */
  readonly holds: (subject: Subject, options?: Arbitrary.CheckOptions) => Effect.Effect<void, LawBroken>
}

/** A law: what is given, drawn at random, and what is wrong with one of it; null where nothing is. */
export const law = <A>(
  says: string,
  given: (subject: Subject) => Arbitrary.Arbitrary<A>,
  wrong: (subject: Subject, value: A) => string | null
): Law => ({
  says,
  holds: Effect.fn("SessionLaws.holds")(function* (subject, options) {
    const result = yield* Arbitrary.checkEffect(
      given(subject),
      (value) =>
        Effect.try({ try: () => wrong(subject, value), catch: String }).pipe(
          Effect.flatMap((what) => (what === null ? Effect.succeed(true) : Effect.fail(what)))
        ),
      options
    )
    const message = Arbitrary.formatCheckFailure(result)
    if (message !== undefined) return yield* new LawBroken({ says, message: `${says}: ${message}` })
  })
})

/** A law over all moments of lives of some steps, in any mode. */
export const lawOfLives = (
  says: string,
  list: ReadonlyArray<StepName>,
  wrong: (subject: Subject, life: Life, modes: Modes) => string | null
): Law =>
  law(
    says,
    (subject) => Arbitrary.all({ life: lifeOf(stepsOf(subject, list)), modes: Arbitrary.schema(Modes) }),
    (subject, { life, modes }) => wrong(subject, life, modes)
  )

const told = ({ view }: Tracker.TrackerMemory): string => `${view.state}: ${reasonWords(view)}`
/** What is wrong with the first of these moments with which something is. */
const firstWrong = (seen: ReadonlyArray<Seen>, wrong: (one: Seen) => boolean): string | null => {
  const one = seen.find(wrong)
  return one === undefined ? null : told(one)
}

const without = (left: ReadonlyArray<StepName>) => names.filter((name) => !left.includes(name))
/** What says or shows that the CLI works, or begins to. */
export const works: ReadonlyArray<StepName> = [
  "boxTitleWork",
  "working",
  "workingTitle",
  "retrying",
  "interruptedWork",
  "enter",
  "leapEnter",
  "send",
  "started",
  "ownTurn",
  "compact",
  "ownWork",
  "toldWork"
]
/** What the CLI itself says of its work, or of a question. */
export const words: ReadonlyArray<StepName> = ["toldWork", "toldBlocked", "toldAuth", "ownWork", "ownAsks", "ownDialog"]

/** What a CLI lives through that says nothing of itself. */
const silent = names.filter((name) => !/^(?:own|told)[A-Z]/.test(name))

/** Since when the CLI itself has said that it rests; null where it does not. */
export const restTold = ({ facts }: Tracker.TrackerMemory): number | null => {
  const root = rootRecord(facts.records)
  if (root !== null)
    return root.state === "working" || (root.state === "blocked" && root.kind !== "auth") ? null : facts.reportedSince
  return facts.ownStatus?.phase === "rest" ? facts.ownStatus.since : null
}

/** One life gives the same views each time that it is lived: there is neither clock nor chance in them. */
export const sameAgain = lawOfLives("the same life gives the same views", names, (subject, life, modes) => {
  const [one, other] = [lived(subject, life, modes), lived(subject, life, modes)]
  const at = one.findIndex((seen, i) => !isDeepStrictEqual(seen, other[i]))
  return at < 0 ? null : `${told(one[at]!)}, and the other time ${told(other[at]!)}`
})

/**
 * Nothing is ready over a dialog, a picker, unsent text, work on the screen or no box. Behind a turn's end, a sign of
 * work that stays is a picture of one after a while.
 */
export const notReadyOver = lawOfLives(
  "nothing is ready over a dialog, a picker, unsent text, work on the screen or no box",
  names,
  (subject, life, modes) =>
    firstWrong(
      lived(subject, life, modes),
      ({ facts, shown, shownAt, view }) =>
        view.ready &&
        (shown.dialog !== null ||
          shown.picker ||
          facts.screen.working ||
          (shown.working && facts.at - shownAt < 1_500) ||
          shown.box?.draft !== "" ||
          !(view.state === "idle" || (view.state === "churning" && modes.churn === "send")))
    )
)

/**
 * A dialog that can be read stays until it leaves the screen, however it was answered; only a minute of the CLI's own
 * word that it rests takes it for a quotation.
 */
export const dialogAsks = lawOfLives("a dialog on screen is never at rest", names, (subject, life, modes) =>
  firstWrong(lived(subject, life, modes), (seen) => {
    const { dialogSince, facts, view } = seen
    if (dialogSince === null || facts.torn !== null || view.state === "exited") return false
    const rest = restTold(seen)
    const settling = facts.at - dialogSince < 1_500
    const quotation = rest !== null && facts.at - Math.max(rest, dialogSince) >= 60_000
    return view.ready || (!settling && !quotation && !asks(view.state) && view.state !== "running")
  })
)

/** Nothing is running where neither screen nor CLI gives a sign of work. */
export const runsOnSignOnly = lawOfLives(
  "nothing is running without a sign of work",
  without(works),
  (subject, life, modes) => firstWrong(lived(subject, life, modes), ({ view }) => view.state === "running")
)

/** These steps, each so long after the one before. */
const paced = (...list: ReadonlyArray<readonly [wait: Life[number]["wait"], step: StepName]>): Life =>
  list.map(([wait, step]) => ({ wait, step }))

/** A turn runs for as long as its work is on the screen, of a CLI that tells nothing by itself. */
export const workIsSeen = lawOfLives(
  "a turn runs for as long as its work is on the screen",
  silent,
  (subject, life, modes) => {
    if (stepsOf(subject, ["working"]).length === 0) return null
    const frames = Array.from({ length: 4 }, () => [2_100, "working"] as const)
    const seen = lived(
      subject,
      paced([0, "send"], [40, "working"], ...frames),
      modes,
      lastOf(lived(subject, life, modes))
    )
    return firstWrong(seen.slice(1), ({ view }) => view.state !== "running" && !asks(view.state))
  }
)

/** A screen at rest ends a turn within five seconds, where no word of the CLI's says otherwise. */
export const restEndsTurn = lawOfLives(
  "a screen at rest ends a turn within five seconds",
  without(words),
  (subject, life, modes) => {
    const rest = stepsOf(subject, ["boxRest", "box"])[0]
    if (rest === undefined) return "its box is never seen"
    const end = lastOf(lived(subject, paced([0, rest], [5_010, rest]), modes, lastOf(lived(subject, life, modes))))
    return end.view.state === "running" ? told(end) : null
  }
)

/** A session with its queue, at a CLI that behaves. */
const hosted = ({ provider, sees }: Subject): SimulatedHost => {
  const host = new SimulatedHost(seeingBrain({ provider, sees, modes: defaultModes }))
  host.run(4_000)
  return host
}
const Message = Schema.Struct({
  text: Schema.Literals(["do it", "do it.\nand then\nmore", "日本 é", "  two  blanks"]),
  span: Schema.Literals([0, 50, 300, 900]),
  overlay: Schema.Literals(["none", "dialog", "picker"])
})
const Messages = Arbitrary.array(Arbitrary.schema(Message), { minLength: 3, maxLength: 8 })
const textOf = (text: string, n: number) => `${n}. ${text}`
/** How long a CLI with these messages may take at most. */
const enough = 150_000

/** Each queued message is sent once, whole and in its order, behind the end of the turn before it. */
export const allGoOut = law(
  "each message is sent once, whole and in its order, behind the turn before it",
  () => Messages,
  (subject, messages) => {
    const host = hosted(subject)
    messages.forEach(({ span, text }, n) => {
      host.add(`m${n}`, textOf(text, n))
      host.run(span)
    })
    host.run(enough)
    const sent = host.allPrompts().map(({ text }) => text)
    const wanted = messages.map(({ text }, n) => textOf(text, n))
    if (!isDeepStrictEqual(sent, wanted)) return `sent ${JSON.stringify(sent)}: ${host.why}`
    return host.allPrompts().some(({ busy }) => busy) ? "a message was sent while a turn ran" : null
  }
)

/** No key of leap's goes into a dialog or a picker that is on the screen. */
export const nothingIntoDialogs = law(
  "no key of leap's goes into a dialog or a picker that is on the screen",
  () => Messages,
  (subject, messages) => {
    const host = hosted(subject)
    const overlays = { dialog: stepsOf(subject, ["dialog"]), picker: stepsOf(subject, ["picker"]) }
    messages.forEach(({ overlay, span, text }, n) => {
      host.add(`m${n}`, textOf(text, n))
      host.run(span)
      // a picker is opened by a key of the user's, which would be held while leap types
      if (overlay !== "none" && overlays[overlay].length > 0 && !(overlay === "picker" && host.keysHeld))
        host.cli.raise(overlay)
      host.run(span * 12)
      host.cli.lower()
    })
    host.run(enough)
    const wrong = host.written.find(({ overlaid }) => overlaid !== null && overlaid > SimulatedCli.look)
    return wrong === undefined ? null : `${wrong.purpose} ${wrong.overlaid} ms after it had come up`
  }
)

/** All of them. */
export const laws: ReadonlyArray<Law> = [
  sameAgain,
  notReadyOver,
  dialogAsks,
  runsOnSignOnly,
  workIsSeen,
  restEndsTurn,
  allGoOut,
  nothingIntoDialogs
]
