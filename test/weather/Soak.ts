import { join } from "node:path"
import { endless, type RealCli, type Session, sleep } from "../real/hosted.ts"
import type { Status } from "../real/leap.ts"
import { type Exchange, type Reply, say } from "../real/model/FakeModel.ts"
import type { randomBy } from "../support/policy/shellLines.ts"
import { replyOf } from "./Fault.ts"
import type { Figures } from "./Figures.ts"
import type { Front } from "./Front.ts"
import type { Kind } from "./kinds/Kind.ts"

type Random = ReturnType<typeof randomBy>

/** When the weather comes: to what is not yet sent, to a reply that streams, behind a tool's result, to a queue. */
const moments = ["before", "stream", "tools", "queue"] as const
type Moment = (typeof moments)[number]

interface Message {
  readonly text: string
  readonly status: string
  readonly outcome?: string
  readonly why: string | null
}

interface Reasons {
  readonly decided: { readonly reason: string }
  readonly ready: boolean
  readonly holds: ReadonlyArray<{ readonly why: string }>
}

/** How long leap may take for what takes seconds, on a machine that does much else. */
const patience = 150_000

const isRetriedByLeap = ({ right }: Kind, { problem }: Status) =>
  right === "network" || right === "overloaded" || (right === "rate_limited" && problem?.until === null)

const fault = (kind: Kind): Reply | null => {
  if ("way" in kind.injected) return null
  const reply = replyOf(kind.injected.fault)
  return kind.right === null && "by" in reply ? { ...reply, answers: true } : reply
}

/** Weather over one session: pieces of it one after another, each with messages of its own. */
export class Soak {
  private readonly cli: RealCli
  private readonly front: Front
  private readonly session: Session
  private readonly random: Random
  private readonly figures: Figures
  private rounds = 0
  private breaches = 0
  /** Messages in whose turns the user pressed a key, or answered, that may stop them. */
  private readonly stopped = new Set<string>()

  constructor(cli: RealCli, front: Front, session: Session, random: Random, figures: Figures) {
    this.cli = cli
    this.front = front
    this.session = session
    this.random = random
    this.figures = figures
  }

  /**
   * One piece of weather, met by so many messages. `alone`: where leap tries again by itself nobody says that it may,
   * and what it takes until the next message is that.
   */
  async piece(kind: Kind, many: number, alone: boolean): Promise<void> {
    const { api, tag } = this.session
    const moment = this.random.pick(moments)
    const name = `${++this.rounds} ${kind.name} (${moment})`
    const texts = Array.from({ length: many }, (_, index) => `weather ${this.rounds}, message ${index + 1} of ${many}`)
    const from = api.exchanges.length
    const connections = this.front.connections
    const main = () => api.exchanges.slice(from).filter((exchange) => exchange.kind === "main")
    // A reply that was out when its connection was cut need not have reached the CLI.
    const lag = "way" in kind.injected && kind.injected.way === "slow" ? 6_000 : 1_000
    const isSure = ({ endedAt }: Exchange) =>
      !this.front.cuts.some((cut) => cut >= (endedAt ?? 0) && cut - (endedAt ?? 0) < lag)
    const answered = () => answers(main(), texts)
    const surely = () => answers(main().filter(isSure), texts)
    this.figures.messages += many
    await this.sendInto(kind, moment, texts)
    // The weather lasts for some seconds after it was met.
    const lasts = 1_000 + this.random.below(5_000)
    const met = () => main().some(({ failed }) => failed === true) || this.front.connections > connections
    await this.holds(() => met() || answered().length === many, 30_000)
    await this.waits(lasts, () => answered().length === many)
    const before = await this.settled(name, texts, answered)
    if (before.pause !== null && kind.right !== null && before.pause.kind !== kind.right)
      this.figures.toldAs.set(
        kind.name,
        `${before.pause.kind} (${before.status.problem?.message ?? before.pause.text})`
      )
    if (met()) this.figures.kinds.add(kind.name)

    const returned = Date.now()
    api.forget()
    api.otherwise = say("fine")
    await this.front.become("open")
    this.front.cut()
    const byItself = alone && before.pause?.until != null && isRetriedByLeap(kind, before.status)
    if (!byItself && before.pause !== null) await this.session.tryLeap(["queue", "retry", tag, "all"])
    await this.finished(name, texts, answered, byItself)
    const next = main().find(({ arrivedAt, failed }) => failed !== true && arrivedAt >= returned)
    if (next !== undefined && before.pending > 0)
      (byItself ? this.figures.byItself : this.figures.afterWord).push(next.arrivedAt - returned)
    const unnamed = main().filter((exchange) => isAnswer(exchange) && !texts.includes(last(exchange))).length
    await this.judge(name, kind, texts, answered(), surely(), unnamed)
  }

  /** Sets the weather at its moment, and sends the messages. */
  private async sendInto(kind: Kind, moment: Moment, texts: ReadonlyArray<string>): Promise<void> {
    const { api, leap, tag } = this.session
    const send = async (list: ReadonlyArray<string>) => {
      for (const text of list) await leap(["send", tag, text])
    }
    const bad = fault(kind)
    const comes = async () => {
      if (bad !== null) api.otherwise = bad
      else if ("way" in kind.injected) await this.front.become(kind.injected.way)
    }
    const seen = api.main.length
    const began = () => this.holds(() => api.main.length > seen, 60_000)
    switch (moment) {
      case "before":
        await comes()
        return send(texts)
      case "stream": {
        // What streams is cut; what is tried then meets the weather.
        if (bad !== null) {
          api.script(replyOf({ how: "reset-in-body" }))
          await comes()
          return send(texts)
        }
        const turn = endless("This goes on")
        api.script(turn.reply)
        await send(texts)
        await began()
        await comes()
        return turn.end()
      }
      case "tools":
        api.script(this.cli.look("README.md"))
        if (bad !== null) {
          await comes()
          return send(texts)
        }
        await send(texts.slice(0, 1))
        await began()
        await comes()
        return send(texts.slice(1))
      case "queue": {
        const turn = endless("This goes on")
        const good = this.random.below(Math.min(3, texts.length - 1))
        api.script(turn.reply, ...Array.from({ length: good }, () => say("fine")))
        await send(texts.slice(0, 1))
        await began()
        await send(texts.slice(1))
        if (bad !== null) await comes()
        turn.end()
        if (bad !== null) return
        await this.holds(() => api.main.filter(({ endedAt }) => endedAt !== null).length > seen + good, 60_000)
        return comes()
      }
    }
  }

  private async queue(): Promise<ReadonlyArray<Message>> {
    const { leap, tag } = this.session
    const { queue, recent } = JSON.parse(await leap(["queue", "show", tag, "--json"])) as {
      readonly queue: ReadonlyArray<Message>
      readonly recent: ReadonlyArray<Message>
    }
    return [...queue, ...recent]
  }

  /**
   * Looks at what waits in the weather: each message stands somewhere, and what waits says why. What is told a moment
   * later than it is seen is looked for again.
   */
  private async settled(name: string, texts: ReadonlyArray<string>, answered: () => ReadonlyArray<string>) {
    const { leap, tag } = this.session
    for (let left = 20; ; left--) {
      const status = await this.session.status()
      const why = JSON.parse(await leap(["why", tag, "--json"])) as Reasons
      const messages = (await this.queue()).filter(({ text }) => texts.includes(text))
      const pending = messages.filter((message) => message.status !== "done" && !answered().includes(message.text))
      const silent = pending.filter(
        (message) => message.why == null && status.pause == null && status.problem === null && why.holds.length === 0
      )
      const turnFailed = status.state === "idle" && status.pause == null && status.problem === null
      const unsettled = pending.length > 0 && (silent.length > 0 || turnFailed)
      if (!unsettled || left === 0) {
        if (unsettled)
          this.figures.unexplained.push(
            `${name}: ${JSON.stringify({ pending, state: status.state, holds: why.holds, reason: why.decided.reason })}`
          )
        const lost = texts.filter((text) => !messages.some((message) => message.text === text))
        const missing = lost.filter((text) => !answered().includes(text))
        if (missing.length > 0) this.figures.burnt.push(`${name}: ${missing.join("; ")} stand nowhere`)
        return { pause: status.pause ?? null, pending: pending.length, status }
      }
      await sleep(700)
    }
  }

  /** Waits until all is delivered; says that messages may go wherever leap waits for that. */
  private async finished(
    name: string,
    texts: ReadonlyArray<string>,
    answered: () => ReadonlyArray<string>,
    alone: boolean
  ): Promise<void> {
    const { leap, tag, tryLeap } = this.session
    /** What a user says who has just looked: by then it may be over, which a refusal says. */
    const says = (...words: ReadonlyArray<string>) => tryLeap(words)
    const deadline = Date.now() + patience
    const pauses: Array<string> = []
    const seen = () => this.session.api.exchanges.length
    const stops = ({ queue }: Status) => {
      for (const { status, text } of queue) if (status === "started" || status === "submitted") this.stopped.add(text)
    }
    let progress = { seen: seen(), at: Date.now() }
    /** The dialog that a key did not close, and how often that was tried. */
    let asked = { title: "", times: 0 }
    let now: Status
    for (;;) {
      now = await this.session.status()
      const waiting = now.queue.filter(({ status, text }) => status !== "done" && texts.includes(text))
      if (waiting.length === 0 && now.state === "idle" && now.ready) return
      if (Date.now() > deadline) break
      if (seen() > progress.seen) progress = { seen: seen(), at: Date.now() }
      // What a user does who comes back: no to what the CLI asks because of the weather
      // and to its own continuation, and a stop to its own long waits.
      const goesOn = /goes on by itself/.test(now.night?.text ?? "")
      if (now.state === "needs_input" || now.state === "needs_permission" || goesOn) {
        const title = now.question?.title ?? ""
        asked = { title, times: asked.title === title ? asked.times + 1 : 1 }
        const last = now.question?.options.at(-1)
        stops(now)
        // One that no key closes is answered by its last option, which is the way out of it.
        if (asked.times > 3 && last !== undefined) await says("answer", tag, last.label)
        else await says("keys", tag, "Esc")
      } else if (now.state === "interrupted") {
        // Nothing goes out by itself behind an interrupt: the next one is sent by hand.
        const next = now.queue.find(({ status }) => status === "queued" || status === "held")
        if (next !== undefined) await says("queue", "force", tag, next.id)
      } else if (now.state === "running" && Date.now() - progress.at > 40_000) {
        progress = { seen: seen(), at: Date.now() }
        stops(now)
        await says("interrupt", tag)
      }
      if (now.pause != null && (!alone || now.pause.until === null)) {
        pauses.push(now.pause.text)
        await says("queue", "retry", tag, "all")
      }
      await sleep(answered().length < texts.length ? 1_500 : 500)
    }
    const why = await leap(["why", tag])
    const screen = await leap(["screen", tag])
    this.figures.stalled.push(
      `${name}: ${answered().length} of ${texts.length} answered; ${JSON.stringify({ pauses, pause: now.pause, state: now.state, queue: now.queue })}\n${why}\n${screen}`
    )
    // What comes next is not to suffer from it.
    await leap(["interrupt", tag]).catch(() => {})
    await leap(["queue", "release", tag]).catch(() => {})
    await this.waits(20_000, () => answered().length === texts.length)
  }

  private async judge(
    name: string,
    kind: Kind,
    texts: ReadonlyArray<string>,
    answered: ReadonlyArray<string>,
    surely: ReadonlyArray<string>,
    unnamed: number
  ): Promise<void> {
    const { figures } = this
    const all = await this.queue()
    const ended = (outcome: string) =>
      texts.filter(
        (text) =>
          !answered.includes(text) && all.some((message) => message.text === text && message.outcome === outcome)
      )
    const own = ended("failed")
    // A CLI that makes room in the middle of a turn goes on with words of its own.
    const taken = kind.ends === true ? ended("completed") : ended("completed").slice(0, unnamed)
    const waits = all.filter(({ status }) => status !== "done").map(({ text }) => text)
    const stopped = ended("interrupted").filter((text) => this.stopped.has(text))
    const accounted = new Set([...answered, ...own, ...taken, ...waits, ...stopped])
    const lost = texts.filter((text) => !accounted.has(text))
    const seen = () => JSON.stringify(all.filter(({ text }) => texts.includes(text)))
    if (lost.length > 0) figures.burnt.push(`${name}: ${lost.join("; ")}; ${seen()}`)
    if (own.length > 1) figures.burnt.push(`${name}: one failure used up ${own.length}: ${own.join("; ")}`)
    const twice = surely.filter((text, index) => surely.indexOf(text) !== index)
    if (twice.length > 0) figures.doubled.push(`${name}: ${twice.join("; ")}; ${seen()}`)
    const order = texts.filter((text) => answered.includes(text))
    const once = answered.filter((text, index) => answered.indexOf(text) === index)
    if (order.join("\n") !== once.join("\n")) figures.outOfOrder.push(`${name}: ${once.join("; ")}`)
    figures.answered += once.length
    figures.own += own.length
    figures.taken += taken.length
    figures.stopped += stopped.length
    if (figures.breaches.length > this.breaches) await this.keep(name)
    this.breaches = figures.breaches.length
  }

  /** Keeps what was recorded of a session that broke the law. */
  private async keep(name: string): Promise<void> {
    const folder = process.env["LEAP_REAL_RECORDS"]
    if (folder === undefined) return
    const { tag, tryLeap } = this.session
    await tryLeap(["record", tag, "--past", join(folder, `${tag}-${name.replaceAll(/\W+/g, "-")}.cast`)])
  }

  private async waits(ms: number, isOver: () => boolean): Promise<void> {
    const end = Date.now() + ms
    while (!isOver() && Date.now() < end) await sleep(100)
  }

  private async holds(what: () => boolean, ms: number): Promise<void> {
    await this.waits(ms, what)
  }
}

/** It is the end of a turn that the model answered. */
const isAnswer = ({ aborted, endedAt, failed, goesOn }: Exchange) =>
  failed !== true && goesOn !== true && !aborted && endedAt !== null

/** What the user said last. */
const last = ({ conversation }: Exchange) => conversation.at(-1) ?? ""

/** The messages whose turns the model answered, in the order in which it did. */
const answers = (main: ReadonlyArray<Exchange>, texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  main
    .filter(isAnswer)
    .map(last)
    .filter((text) => texts.includes(text))
