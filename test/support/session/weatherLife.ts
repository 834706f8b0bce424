import { deliveryWords } from "../../../src/domain/words/wording/deliveryWords.ts"
import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { doubtOf } from "../../../src/domain/engine/queue/Leftovers.ts"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"
import type { Signal } from "../../../src/domain/words/session/Signal.ts"
import { machineWith } from "../brains.ts"
import { SimulatedHost } from "../SimulatedHost.ts"
import { failed, minute } from "./failures.ts"
import { rowsOf } from "../data/fields.ts"

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const kinds = ["rate_limited", "auth", "overloaded", "model", "context", "refused", "network", "unknown"] as const
const acts = ["send", "send", "send", "force", "retry", "release", "prompt", "interrupt", "wait"] as const
const events = [
  "none",
  "none",
  "kill",
  "killWithin",
  "killBack",
  "killLater",
  "sleep",
  "full",
  "says",
  "goesOn",
  "cancels",
  "clear",
  "compact",
  "ownTurn"
] as const
const weather = {
  kind: Schema.Literals(["none", "none", ...kinds]),
  /** For a limit: whether its end is told, and by how many minutes wrong. */
  told: Schema.Boolean,
  wrong: int(3),
  seconds: int(2_400),
  act: Schema.Literals(acts)
}
/** Weather alone. */
export const CalmSpell = Schema.Struct(weather)
/** Weather that ends by itself. */
export const PatientSpell = Schema.Struct({
  ...weather,
  kind: Schema.Literals(["none", "rate_limited", "rate_limited", "overloaded", "network"]),
  act: Schema.Literals(["send", "send", "prompt", "wait"])
})
export const Spell = Schema.Struct({
  ...weather,
  event: Schema.Literals(events),
  hookDelay: Schema.Literals([0, 100, 700, 3000]),
  tellsTwice: Schema.Boolean,
  closes: Schema.Boolean,
  /** Failures are told by a way of their own, as by a transcript, so many milliseconds late; null where hooks do. */
  transcript: Schema.NullOr(Schema.Literals([0, 100, 700])),
  /** What is never told of turns: of the user's own, or of messages'. */
  loses: Schema.Literals(["none", "none", "none", "ownStart", "ownEnd", "start", "end"]),
  /** Hooks tell of a prompt that was typed ahead when its turn begins. */
  aheadLate: Schema.Boolean
})
export type Spell = typeof Spell.Type

const quiet = {
  event: "none",
  hookDelay: 0,
  tellsTwice: false,
  closes: false,
  transcript: null,
  loses: "none",
  aheadLate: false
} as const
/** Nothing but the weather changes: hosts live, and hooks tell all in time. */
export const calm = (spell: Partial<Spell> & Pick<Spell, "kind" | "seconds" | "act">): Spell => ({
  told: false,
  wrong: 0,
  ...quiet,
  ...spell
})
const isCalm = (spell: Spell) =>
  Object.entries(quiet).every(([name, value]) => spell[name as keyof typeof quiet] === value) &&
  spell.act !== "force" &&
  spell.act !== "interrupt"

interface Life {
  /** What is told of messages in other words. */
  readonly reworded?: (why: string) => string
  /** In every so manieth spell the model calls a tool in each turn; 0: in none. */
  readonly works?: number
  /** All goes in the end without a word of the user's. */
  readonly alone?: boolean
}

/** How a turn ended, in order, or what the user did meanwhile. `touched`: a limit without an end, behind a tool. */
type Past =
  | { readonly _tag: "word" | "otherFailure" }
  | { readonly _tag: "answered" | "touched" | "untouched"; readonly prompt: string }

/** A session of many hosts, with what is known of each message from outside. */
const liveThrough = (
  spells: ReadonlyArray<Spell>,
  night: boolean,
  { alone = false, reworded = (why) => why, works = 0 }: Life
) => {
  const past: Array<Past> = []
  // What a CLI tells twice it always does.
  const tellsTwice = spells.some((spell) => spell.tellsTwice)
  const tellsByTranscript = spells.some((spell) => spell.transcript !== null)
  const closes = spells.some((spell) => spell.closes)
  // a session that was stopped is the user's to go on with, until that turn's end is told
  const isStopped = spells.some(({ act }) => act === "interrupt")
  const aheadLate = spells.some((spell) => spell.aheadLate)
  // A hook tells that a turn is over, and the transcript behind it that it failed: a host that dies in between has not
  // heard that. CLIs that go on by themselves after a limit tell all by hooks.
  const isInOrder = !tellsByTranscript || !closes
  const sent: Array<string> = []
  /** What the last turn of a message failed of, and how often the user let go what may have been sent before. */
  const failedOf = new Map<string, string>()
  const excused = new Map<string, number>()
  // Ends are told in order, and not of which turn: behind a lost one a failure can be taken for an answer.
  let hasLost = false
  let wentOn = false
  // Whether a turn of background work is the CLI's continuation cannot be told where the user has taken that back.
  let hasSaid = false
  let now: Pick<Spell, "kind" | "told" | "wrong" | "hookDelay" | "transcript" | "loses"> & {
    readonly n: number
    readonly end: number
  } = {
    n: 0,
    kind: "none",
    told: false,
    wrong: 0,
    hookDelay: 0,
    transcript: null,
    loses: "none",
    end: 0
  }
  const weather = (at: number, prompt: string): Signal | null => {
    const { end, kind, told, wrong } = now
    const isFine = kind === "none" || (kind === "rate_limited" && at > end + wrong * minute)
    if (!isFine) failedOf.set(prompt.slice("message ".length), kind)
    if (isFine && prompt === "continue") wentOn = true
    const isEndless = kind === "rate_limited" && !told
    const sentAt = host.cli.prompts.findLast(({ text }) => text === prompt)?.at ?? -Infinity
    const isTouched = host.cli.worked.some(({ at, text }) => text === prompt && at >= sentAt)
    if (isFine) past.push({ _tag: "answered", prompt })
    else past.push(isEndless ? { _tag: isTouched ? "touched" : "untouched", prompt } : { _tag: "otherFailure" })
    return isFine ? null : failed(kind, told && kind === "rate_limited" ? end : null)
  }
  const configure = (cli: SimulatedHost["cli"]) => {
    cli.weather = weather
    // beyond that the end of one turn is told behind the next one's
    cli.hookDelay = tellsByTranscript ? Math.min(now.hookDelay, 100) : now.hookDelay
    cli.failsAtOnce = tellsByTranscript
    cli.transcriptDelay = tellsByTranscript ? (now.transcript ?? 0) : null
    cli.tellsTwice = tellsTwice
    cli.closes = closes
    const spell = now.n
    cli.works = () => works > 0 && spell % works === 0
    cli.tellsAheadLate = aheadLate
    cli.loses = ({ _tag }, prompt) => {
      const what = _tag === "TurnStarted" ? "start" : _tag === "TurnEnded" || _tag === "TurnFailed" ? "end" : null
      const lost = { ownStart: "start", ownEnd: "end", start: "start", end: "end", none: "none" }[now.loses]
      const isLost = what === lost && now.loses.startsWith("own") === (prompt === "mine")
      hasLost ||= isLost
      return isLost
    }
  }
  const host = new SimulatedHost(machineWith({ modes: { night: night ? "on" : "off" } }), configure)
  host.reworded = reworded
  const hear = (signal: Signal) => host.tell({ _tag: "Signal", at: host.now, source: "hook", signal })
  /** The user lets messages go: those of which leap does not know whether they were sent may be answered twice. */
  const letGo = (of: (at: number) => ReturnType<typeof Queue.retry>) => {
    past.push({ _tag: "word" })
    for (const message of Queue.messages(host.queue)) {
      const { id, outcome, status } = message
      if (outcome !== "failed" && (status === "failed" || (status === "held" && doubtOf(message) !== "")))
        excused.set(id, (excused.get(id) ?? 0) + 1)
    }
    host.change(of(host.now))
  }
  const act = (n: number, { act }: Spell) => {
    if (act === "send" || act === "force")
      for (const part of ["x", "y"]) {
        const id = `m${String(n).padStart(2, "0")}${part}`
        if (!host.add(id, `message ${id}`, { force: act === "force" })) continue
        sent.push(id)
      }
    if (act === "retry") letGo((at) => Queue.retry(host.queue, null, at))
    if (act === "release") letGo((at) => Queue.release(host.queue, null, at))
    if (act === "prompt") for (const key of ["mine", "\r"]) host.press(key)
    if (act === "interrupt") host.press("\u001b")
  }
  const kill = (event: Spell["event"]) => {
    if (event === "kill") host.kill()
    if (event === "killWithin") host.killIn = 3
    if (event === "killBack") host.kill(-180 * minute)
    if (event === "killLater") host.kill(180 * minute)
  }
  const happen = ({ event }: Spell) => {
    host.diskFull = event === "full"
    if (event.startsWith("kill") && isInOrder) kill(event)
    if (event === "sleep") host.sleep(200 * minute)
    if (event === "says") host.cli.say("at 1:57pm")
    if (event === "cancels") host.cli.say(null)
    if (event === "goesOn" && isInOrder && host.cli.isIdle && host.cli.draft === "") host.cli.goOn()
    if (event === "clear") hear({ _tag: "SessionStarted", source: "clear", sessionId: null, transcriptPath: null })
    if (event === "compact") hear({ _tag: "CompactEnded" })
    if (event === "says") hasSaid = true
    if (event === "ownTurn" && !hasSaid) host.cli.ownTurn()
  }
  // clocks that are set back stay behind the epoch
  host.sleep(4_000 * minute)
  host.run(5_000)
  host.add("first", "message first")
  host.run(5_000)
  for (const [n, spell] of spells.entries()) {
    const loses = isStopped ? "none" : spell.loses
    now = { ...spell, n, loses, end: host.now + spell.seconds * 1_000 }
    configure(host.cli)
    act(n, spell)
    host.run((spell.seconds * 1_000) / 2)
    happen(spell)
    host.run((spell.seconds * 1_000) / 2)
  }
  const clearUp = () => {
    host.diskFull = false
    host.killIn = null
    now = { ...now, kind: "none", hookDelay: 0, transcript: null, loses: "none" }
    configure(host.cli)
    host.cli.say(null)
    // what is still on its way
    host.run(30_000)
    if (!alone) {
      letGo((at) => Queue.retry(host.queue, null, at))
      letGo((at) => Queue.release(host.queue, null, at))
    }
    host.run(240 * minute)
  }
  return {
    host,
    sent,
    past,
    failedOf,
    hasLost: () => hasLost,
    excused: (id: string) => excused.get(id) ?? 0,
    answered: (id: string) => host.allAnswered().filter(({ text }) => text === `message ${id}`).length,
    hasWentOn: () => wentOn,
    clearUp
  }
}

const goneOn = deliveryWords(["gone-on"])

/**
 * Lives through these spells of weather, and holds each message to the law: answered once, or in the queue with its
 * reason; and in the end answered. Where nothing but the weather changes, each is answered once and in its order. What a
 * limit without an end has cut off behind a tool is not sent again without a reason.
 */
export const holdsLaw = (spells: ReadonlyArray<Spell>, night: boolean, life: Life = {}): void => {
  const { reworded = (why) => why } = life
  const session = liveThrough(spells, night, life)
  const { host, sent } = session
  const check = () => {
    for (const id of sent) {
      const entry = Queue.find(host.queue, id)
      const times = session.answered(id)
      assert.isAtMost(times, 1 + session.excused(id), `${id} is answered too often`)
      if (times > 0 || entry === null) continue
      const { outcome, status, why } = entry.message
      if (status === "started" || status === "submitted" || outcome === "interrupted") continue
      if (status === "done" && (outcome === undefined || session.hasLost())) continue
      if (status === "done" && why === reworded(goneOn)) {
        assert.isTrue(session.hasWentOn(), `${id}: nothing went on`)
        assert.strictEqual(session.failedOf.get(id), "rate_limited", `${id} was not cut off by a limit`)
        continue
      }
      const isListed = Queue.messages(host.queue).some((listed) => listed.id === id)
      assert.isTrue(isListed, `${id} is neither answered nor in the queue: ${status}, ${why}`)
      assert.notStrictEqual(why ?? host.why, "", `${id} waits for nothing that is said`)
    }
  }
  const checkTouched = () => {
    const { past } = session
    for (const [n, one] of past.entries()) {
      if (one._tag !== "touched" || !one.prompt.startsWith("message ") || session.hasLost()) continue
      const again = past.findIndex((other, at) => at > n && "prompt" in other && other.prompt === one.prompt)
      const isExcused = past
        .slice(n + 1, Math.max(again, n + 1))
        .some(({ _tag }) => _tag === "word" || _tag === "otherFailure" || _tag === "answered")
      assert.isTrue(again < 0 || isExcused, `'${one.prompt}' was sent again, though a tool had run in its turn`)
    }
  }
  while (host.cli.unread > 0) host.run(100)
  check()
  checkTouched()
  session.clearUp()
  check()
  const left = Queue.messages(host.queue).filter(
    ({ id }) =>
      session.answered(id) === 0 && !(session.hasLost() && Queue.find(host.queue, id)?.message.status === "done")
  )
  assert.deepStrictEqual(rowsOf(left, "id", "status", "why"), [], `all go in the end: ${host.why}`)
  if (!spells.every(isCalm)) return
  const answered = host.allAnswered().map(({ text }) => text.slice("message ".length))
  const own = answered.filter((id) => sent.includes(id))
  // one that was refused, or is not understood, is passed by what the human lets go before it
  const isPassed = spells.some(({ kind }) => kind === "refused" || kind === "unknown")
  assert.deepStrictEqual(isPassed ? own.toSorted() : own, sent)
}
