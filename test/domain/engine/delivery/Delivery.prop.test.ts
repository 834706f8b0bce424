import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { holds } from "./waits.ts"
import { isThorough, propertyTimeout } from "../../../support/run/thorough.ts"
import { senderAlone, watchedSender, wholeMachine } from "../../../support/brains.ts"
import { SimulatedCli } from "../../../support/session/SimulatedCli.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { each } from "../../../support/data/fields.ts"

const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const Span = int(900)

/** One thing that happens. Which, by weight; the other fields say how, where it matters. */
const Op = Schema.Struct({
  pick: int(103),
  kind: Schema.Literals(["line", "lines", "command", "picker", "unsettled"]),
  force: int(3),
  front: int(3),
  key: Schema.Literals(["x", "y", "\r", "\u001b", "\u0015"]),
  overlay: Schema.Literals(["dialog", "picker"]),
  change: Schema.Literals(["remove", "first", "edit", "clear"]),
  span: Span,
  times: int(7)
})
type Op = typeof Op.Type
const weights = {
  wait: 14,
  add: 22,
  rest: 10,
  key: 6,
  slip: 4,
  raise: 7,
  lower: 8,
  freeze: 6,
  lose: 3,
  fold: 3,
  late: 3,
  resize: 4,
  own: 3,
  diskFull: 2,
  diskFree: 3,
  kill: 2,
  exit: 1,
  release: 2,
  change: 1
} as const
type What = keyof typeof weights
const whats = Object.entries(weights).flatMap(([what, weight]) => Array.from({ length: weight }, () => what as What))
const whatOf = (op: Op): What => whats[op.pick] ?? "wait"
const Ops = Arbitrary.array(Arbitrary.schema(Op), { minLength: 40, maxLength: 60 })

/** Each message's text is its own, and nothing that a user types here is like it. */
const textOf = (kind: string, n: number) =>
  kind === "lines"
    ? `do ${n}.\nand then\nmore`
    : kind === "command"
      ? `/do ${n}.`
      : kind === "picker"
        ? `/picker ${n}.`
        : kind === "unsettled"
          ? `do ${n}. ${thai}`
          : `do ${n}.`
/** Of this the CLI leaves something on the screen where it takes its box for empty, and draws a part alone. */
const thai = "กำ น้ำ"
const countsOtherwise = (cli: SimulatedCli): void => {
  cli.draws = (text) => text.replace(thai, "กำ")
  cli.leaves = (text) => (text.includes(thai) ? "น้ำ" : "")
}
/** How often a prompt holds a message's text: keys of the user's may send two at once. */
const mentions = (text: string, n: number) => text.split(`do ${n}.`).length + text.split(`picker ${n}.`).length - 2
const numberIn = (text: string) =>
  Number(
    /do (\d+)\.|picker (\d+)\./
      .exec(text)
      ?.slice(1)
      .find((n) => n !== undefined) ?? NaN
  )

interface Run {
  readonly host: SimulatedHost
  readonly texts: ReadonlyArray<string>
  /** Messages whose place or text the user changed, or that went out of turn by the user's word. */
  readonly loose: ReadonlySet<number>
}

const play = (brain: typeof senderAlone, ops: ReadonlyArray<Op>, configure = countsOtherwise): Run => {
  const host = new SimulatedHost(brain, configure)
  const texts: Array<string> = []
  const loose = new Set<number>()
  const waiting = () => Queue.waiting(host.queue)
  host.run(1_000)
  for (const op of ops) {
    switch (whatOf(op)) {
      case "add": {
        const n = texts.length
        const text = textOf(op.kind, n)
        const more = { force: op.force === 3, front: op.front === 3 }
        if (host.add(`m${n}`, text, more)) texts.push(text)
        if (more.front || more.force) loose.add(n)
        break
      }
      case "wait":
        host.run(op.span)
        break
      case "rest":
        host.run(op.span * 12)
        break
      case "key":
        host.press(op.key)
        break
      case "slip":
        host.slip(op.key === "\r" ? "\r" : "x")
        break
      // A picker is opened by a key of the user's, and that would be held.
      case "raise":
        if (op.overlay === "dialog" || !host.keysHeld) host.cli.raise(op.overlay)
        break
      case "lower":
        host.cli.lower()
        break
      case "freeze":
        host.cli.freeze(op.span * (op.times + 1))
        break
      case "lose":
        host.cli.lose = op.times
        break
      case "fold":
        host.cli.foldNext = true
        break
      case "late":
        host.cli.startDelay = 120 + op.times * 500
        break
      case "resize":
        host.cli.resize(op.span * (op.times + 1))
        break
      case "own":
        host.cli.ownTurn()
        break
      case "diskFull":
        host.diskFull = true
        break
      case "diskFree":
        host.diskFull = false
        break
      case "kill":
        host.killIn = op.times
        break
      case "exit":
        host.cli.exit()
        break
      case "release": {
        for (const { message } of waiting()) if (message.status === "held") loose.add(numberIn(message.text))
        host.change(Queue.release(host.queue, null, host.now))
        break
      }
      case "change": {
        const id = waiting().at(-1)?.message.id
        if (op.change === "clear") host.change(Result.succeed(Queue.clear(host.queue, host.now)))
        else if (id !== undefined) {
          loose.add(Number(id.slice(1)))
          if (op.change === "remove") host.change(Queue.remove(host.queue, id, host.now))
          if (op.change === "first") host.change(Queue.move(host.queue, id, 1))
          if (op.change === "edit") host.change(Queue.edit(host.queue, id, textOf("line", Number(id.slice(1)))))
        }
      }
    }
    host.run(1)
  }
  // The world calms down: whatever can still come to an end does.
  host.diskFull = false
  host.killIn = null
  host.cli.lose = 0
  host.cli.startDelay = 120
  for (let round = 0; round < 30; round++) {
    host.run(5_000)
    host.cli.lower()
  }
  host.run(30_000)
  return { host, texts, loose }
}

const isExactly = (text: string, n: number) =>
  (["line", "lines", "command", "picker", "unsettled"] as const).some((kind) => textOf(kind, n) === text)

/** Its screen alone tells what it does. */
const tellsNothing = (cli: SimulatedCli): void => {
  countsOtherwise(cli)
  cli.hooks = false
}

/** A run in a line, for people. */
const tell = (ops: ReadonlyArray<Op>): string =>
  ops
    .map((op) => {
      switch (whatOf(op)) {
        case "add":
          return `add(${op.kind}${op.force === 3 ? ",force" : ""}${op.front === 3 ? ",front" : ""})`
        case "wait":
          return String(op.span)
        case "rest":
          return String(op.span * 12)
        case "key":
        case "slip":
          return `${whatOf(op)}(${JSON.stringify(op.key)})`
        case "raise":
          return `raise(${op.overlay})`
        case "freeze":
        case "resize":
          return `${whatOf(op)}(${op.span * (op.times + 1)})`
        case "lose":
        case "late":
        case "kill":
          return `${whatOf(op)}(${op.times})`
        case "change":
          return op.change
        default:
          return whatOf(op)
      }
    })
    .join(" ")

/** The run that `tell` told. */
const told = (words: string): ReadonlyArray<Op> =>
  words.split(" ").map((word) => {
    const [, name = "", args = ""] = /^([^(]+)(?:\((.*)\))?$/.exec(word) ?? []
    const [first = "", ...more] = args.split(",")
    const what = /^\d/.test(name) ? "wait" : name in weights ? (name as What) : "change"
    return {
      pick: whats.indexOf(what),
      kind: first as Op["kind"],
      force: more.includes("force") ? 3 : 0,
      front: more.includes("front") ? 3 : 0,
      key: what === "key" || what === "slip" ? (JSON.parse(first) as Op["key"]) : "x",
      overlay: first as Op["overlay"],
      change: name as Op["change"],
      span: Number(what === "wait" ? name : first),
      times: what === "freeze" || what === "resize" ? 0 : Number(first)
    }
  })

/** What was told, and what was done on it, from event to event: the way to the fault. */
const storyOf = (brain: typeof senderAlone, ops: ReadonlyArray<Op>, configure: (cli: SimulatedCli) => void): string => {
  const lines: Array<string> = []
  const listening: typeof senderAlone = (at, queue) => {
    const made = brain(at, queue)
    return {
      ...made,
      step: (event) => {
        const commands = made.step(event)
        lines.push(`${JSON.stringify(event)} => ${JSON.stringify(commands)}`)
        return commands
      }
    }
  }
  play(listening, ops, configure)
  return lines.join("\n")
}

/** What has to hold of every run, whatever happened in it. */
const check = ({ host, loose, texts }: Run, ops: ReadonlyArray<Op>): void => {
  const prompts = host.allPrompts()
  const ids = texts.map((_, n) => `m${n}`)

  // Nothing is written into a dialog or a picker but what no look at the screen could have kept back: the overlay's
  // frame had been on the terminal for no longer than the host takes to look at a frame.
  for (const write of host.written) {
    assert.isFalse(
      write.overlaid !== null && write.overlaid > SimulatedCli.look,
      `${write.purpose} at ${write.at}, ${write.overlaid} ms into an overlay`
    )
  }

  // No message reaches the CLI more often than the user has said.
  for (const id of ids) {
    const times = prompts.reduce((sum, prompt) => sum + mentions(prompt.text, Number(id.slice(1))), 0)
    assert.isAtMost(times, 1 + (host.allowed.get(id) ?? 0), `${id} was sent ${times} times`)
  }

  // leap's Enter sends a message and nothing else, whole. (Keys that slip past the host may come between look and
  // Enter.)
  if (!ops.some((op) => whatOf(op) === "slip")) {
    for (const { by, text } of prompts) {
      if (by === "leap") assert.isTrue(isExactly(text, numberIn(text)), `leap sent ${JSON.stringify(text)}`)
    }
  }

  // In the order in which they were accepted, but for those the user moved, forced, held up or let go.
  const inOrder = prompts
    .filter(({ by }) => by === "leap")
    .map(({ text }) => numberIn(text))
    .filter((n) => !loose.has(n))
  assert.deepStrictEqual(
    inOrder,
    [...inOrder].sort((a, b) => a - b)
  )

  const pickers = ops.some((op) => whatOf(op) === "raise" && op.overlay === "picker")
  // Each message is still there, with a status that fits what happened to it.
  for (const id of ids) {
    const status = host.status(id)
    const sent = prompts.some((prompt) => mentions(prompt.text, Number(id.slice(1))) > 0)
    const attempted = host.log.some((record) => record._tag === "Attempted" && record.id === id)
    assert.notStrictEqual(status, "lost", id)
    // A command may have opened the picker that came up after Enter: the receipt says then that no turn was seen.
    const unsure = pickers && texts[Number(id.slice(1))]?.startsWith("/") === true
    if (status === "done" && !unsure) assert.isTrue(sent, `${id} is done and was never sent`)
    if (sent) assert.isTrue(attempted, `${id} was sent with no attempt on disk`)
    // At rest, with an empty box, nothing is left half way. (After an interrupt the tracker wants the user to go on
    // first.)
    const stopped = host.why.startsWith("interrupted") && status === "queued"
    if (!host.cli.exited && host.cli.draft === "" && !stopped)
      assert.include(["done", "failed", "held", "removed"], status, `${id}; ${host.why}`)
  }

  assert.isFalse(host.keysHeld, "the user's keys are held for ever")
  assert.isAtMost(host.longestHold, 20_000)
  assert.deepStrictEqual(Queue.replayLog(host.log), host.queue, "the log does not say what is true")
}

/** Runs of which the law did not hold once, and why. */
const lives: ReadonlyArray<readonly [string, string]> = [
  [
    "Enter is lost, and a resize takes the box off the screen for longer than a CLI draws anew in",
    '6 add(lines,force) slip("\\u0015") 673 raise(dialog) 3 freeze(2538) add(picker,front) lose(2) fold 124 resize(2694)' +
      " 4 758 add(line) 475 add(command,front) add(line) add(unsettled,front) first 4320 816 356 add(lines)" +
      ' raise(dialog) slip("\\u001b") kill(4) add(unsettled,force) 688 add(line,front)'
  ],
  [
    "the same, with a key of the user's behind the text, which the screen shows as another",
    '3 key("y") 3 freeze(1760) 59 0 add(unsettled,force) add(picker) late(4) key("y") add(picker) freeze(762) 1008 2004' +
      ' diskFull add(command) freeze(7160) 508 108 add(lines) 894 slip("y") 506 freeze(4214) 603 raise(picker)' +
      " add(lines) resize(2274) 598 raise(picker) add(unsettled,front) 216 375 raise(dialog)"
  ],
  [
    "the same, where the screen shows it as another text",
    "add(unsettled) 317 191 lose(2) 1332 10056 4 clear add(line) add(unsettled) lower add(lines) add(unsettled)" +
      " late(2) raise(dialog) lower resize(6616) add(lines,front) add(lines,front) freeze(636)"
  ],
  [
    "both Enters are lost, and a resize adds its wait to those of one message",
    "freeze(1784) add(picker) add(line) add(command) add(lines) add(picker) add(line) 642 add(unsettled) 358" +
      " add(lines) release 315 freeze(2391) edit clear add(unsettled) add(lines,front) lose(1) 152 96 resize(18) 828 875" +
      " release add(command,front) release clear add(lines) 204 341 lose(5) 10548 resize(3600) add(command)"
  ],
  [
    "the user's Enter sends a text that leap takes out of the box, and a dialog has the keys for that",
    "8 add(lines) late(1) 883 69 add(lines) 898 892 685 0 add(picker) add(command) add(unsettled,force) own raise(dialog)" +
      " raise(dialog) add(picker,force) 392 own own raise(dialog) raise(dialog) 288 fold 402 3708 lower freeze(1)" +
      ' add(line) key("\\r") resize(1998) 236'
  ],
  [
    "leap's Enter sends it, and the CLI leaves a trace of it in the box behind a dialog",
    "add(unsettled) 443 0 0 raise(picker) 0 745 add(command) 726 1 raise(dialog) 80 add(command) lower 95 " +
      "244 add(lines,force,front) add(unsettled) freeze(4) 812 2592 clear lower add(unsettled) lower 10800 2 " +
      "kill(1) 60 kill(2) 7272 freeze(774) raise(dialog) resize(184) diskFree freeze(2691) lower 631 exit " +
      "lose(3)"
  ],
  [
    "the same, with a turn before it",
    "kill(0) 0 add(line) 4 600 0 0 release lower 565 add(unsettled,force,front) 48 lower 7116 " +
      "raise(dialog) release 2 add(line) release diskFree add(command) kill(2) 9 release freeze(258) release " +
      "371 4572 add(lines) raise(picker) lower lower raise(dialog) 557 add(unsettled,front) 817"
  ],
  [
    "leap's text shows late, and as another, and is taken for the user's",
    '2 add(unsettled,force) 0 308 resize(4991) 0 0 564 0 705 10704 key("\\r") add(command) 292 ' +
      'add(lines,front) 574 add(command,front) 164 lower slip("\\u0015") slip("\\r") late(2) add(line) ' +
      "add(command,force) add(lines,force,front) lower add(picker) 673 add(line,force,front) " +
      'add(picker,force,front) lower 9 release 827 diskFree 4 key("\\u001b") add(picker,front)'
  ],
  [
    "Enter is lost, a turn begins by itself, and a resize takes the box off the screen",
    "1 add(unsettled) 0 296 1 18 lose(1) 4 6576 own release freeze(2838) diskFree add(command) 350 481 own " +
      "release 912 7 raise(picker) lose(2) add(command) add(lines,front) add(command) 38 7 late(7) " +
      "freeze(1938) 24 diskFree add(unsettled) diskFull resize(3256)"
  ],
  [
    "Enter is lost, another turn works before and behind a dialog, and the user has another text in the box",
    '1 add(unsettled) 0 308 2 5 lose(2) 1476 30 own 55 1 fold add(unsettled) key("\\r") slip("y") add(line) ' +
      "104 diskFull add(lines,front) own 515 add(command) add(line) 247 add(command) " +
      'add(command,force,front) diskFree key("\\u0015") key("y") raise(dialog) slip("\\u001b") release 9180 ' +
      "5364 add(lines) raise(dialog)"
  ],
  [
    "the user's Enter sends it, and its turn comes and goes behind a dialog",
    'raise(dialog) 4 freeze(1989) add(line) own freeze(0) add(lines,force) 48 late(5) 381 key("x") 84 ' +
      'freeze(1784) lower 5256 freeze(16) 820 add(line) slip("\\r") resize(4480) lower 295 raise(dialog) ' +
      'slip("\\u0015") 8076 add(command) kill(0) 7 412 1 own add(line) 32 350 diskFree 3444'
  ],
  [
    "leap draws a trace anew, and then the user's Enter leaves one",
    "0 add(unsettled) 278 523 freeze(1704) 201 add(command) add(command) add(unsettled) raise(picker) 897 " +
      'clear 8 add(lines) slip("x") add(lines,force,front) 581 resize(528) raise(dialog) own 564 ' +
      "add(unsettled) 305 add(command,front) 892 freeze(2900) add(line,front) 5 835 add(picker,front) " +
      'release own add(picker,front) 113 10692 7512 kill(7) add(picker,front) slip("\\r") key("\\u001b")'
  ],
  [
    "both Enters are lost, and a turn begins by itself when the text has been taken out",
    "17 add(line) 318 lose(2) 590 3 add(picker,force) 205 249 lower 231 freeze(369) 543 7 late(2) release " +
      "diskFree raise(dialog) lower 10764 own diskFree 843"
  ],
  [
    "Enter is lost, a key of the user's empties the box behind a dialog, and another turn works",
    '2 kill(0) 0 add(unsettled) 4 293 add(unsettled) 0 622 0 5 187 release key("\\u0015") 294 freeze(1496) ' +
      'lower add(picker) 12 add(lines,force) raise(picker) fold 466 key("\\u001b") add(picker,force,front) ' +
      "fold 851 resize(1435) raise(dialog) lose(2) 279 0 add(command) own"
  ],
  [
    "a resize just before Enter takes the box away, Enter is read late, and another turn works",
    "add(command) 0 add(command) 2 add(lines) add(lines) 471 75 3996 897 late(5) 336 672 diskFree 113 6156 " +
      'slip("\\r") raise(dialog) add(picker) 635 own add(picker,front) freeze(190) key("x") add(lines,force) ' +
      'diskFull add(picker) lose(5) resize(5400) slip("\\u0015") 4896 401 9696 lose(0) 833 exit key("\\r") ' +
      'slip("\\u0015")'
  ],
  [
    "the user's Enter sends what leap has left in the box, and a frame of before is taken for their draft",
    'add(unsettled) 0 621 add(line) 521 5 add(lines) add(picker) 161 freeze(482) release slip("\\r") ' +
      'add(lines,force) 8748 key("\\r") lower resize(2100) 244 185 add(picker) freeze(1936) add(unsettled) ' +
      "6804 888 261 lower add(command,front) diskFull 10740 diskFree add(picker,force) lower 0 " +
      'add(line,front) key("\\u0015") freeze(35) 6 134 470 44'
  ],
  [
    "a frozen CLI has not drawn the user's key when leap types, and both are taken for the user's draft",
    '1 freeze(5520) add(unsettled) lower add(line) key("y") add(unsettled,force) 984 raise(picker) 7788 ' +
      'key("\\u001b") 424 1572 add(line,force) 619 diskFree 815 894 6816 fold 8088 add(picker) key("\\r") 7920 ' +
      "lower diskFull add(line,front) exit 254 kill(2) freeze(812) 290 839 734 raise(picker) 10704 late(1) " +
      'key("x") 1848'
  ],
  [
    "the user's Enter sends it, and its turn comes and goes while the CLI draws nothing",
    '8 freeze(496) add(lines) add(lines) add(lines) add(command) key("y") add(line,force,front) own 138 ' +
      "835 4 freeze(585) 896 own 615 add(lines,front) lose(0) 735 add(line) add(command,force) release lower " +
      'own slip("\\r") freeze(4465) 265 add(command,force) key("y") freeze(2523) add(line) own'
  ]
]

describe.each([
  ["the sender alone", senderAlone, 1000, countsOtherwise],
  ["the sender alone, where the screen alone tells", senderAlone, 300, tellsNothing],
  ["the whole machine", wholeMachine, 300, countsOtherwise]
] as const)("%s", (_, brain, runs, configure) => {
  const holdsOf = (ops: ReadonlyArray<Op>): void => {
    try {
      check(play(brain, ops, configure), ops)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${why}\nin: ${tell(ops)}\n${storyOf(brain, ops, configure)}`, { cause })
    }
  }

  it.prop(
    "whatever happens: nothing into dialogs, nothing twice, nothing out of order, nothing lost",
    [Ops],
    ([ops]) => holdsOf(ops),
    { arbitrary: { runs } }
  )

  it.each(lives)("the same where %s", (_, words) => assert.doesNotThrow(() => holdsOf(told(words))))

  const Calm = Arbitrary.array(
    Arbitrary.schema(
      Schema.Union([Schema.Struct({ kind: Schema.Literals(["line", "lines", "command", "unsettled"]), span: Span })])
    ),
    { minLength: 8, maxLength: 12 }
  )

  it.prop(
    "with a CLI that behaves, all are done, in order, each after the turn before it",
    [Calm],
    ([adds]) => {
      const host = new SimulatedHost(brain, configure)
      host.run(1_000)
      const texts = adds.map(({ kind, span }, n) => {
        host.add(`m${n}`, textOf(kind, n))
        host.run(span)
        return textOf(kind, n)
      })
      host.run(150_000)
      const prompts = host.allPrompts()
      assert.deepStrictEqual(each(prompts, "text"), texts)
      assert.isFalse(prompts.some(({ busy }) => busy))
      assert.deepStrictEqual(
        texts.map((_, n) => host.status(`m${n}`)),
        texts.map(() => "done")
      )
      assert.deepStrictEqual(host.cli.swallowed, [])
    },
    { arbitrary: { runs: 30 } }
  )
})

it.prop(
  "from every state, with time alone, each message comes to an end or says what it waits for, and no tick is missing",
  [Ops],
  ([ops]) => {
    let state = 0
    const sender = watchedSender((memory, view) => {
      // one in seven: a run has hundreds, and each is followed to its end
      if (state++ % 7 === 0) holds(memory, view)
    })
    try {
      play(sender, ops)
    } catch (cause) {
      throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\nin: ${tell(ops)}`, { cause })
    }
  },
  { arbitrary: { runs: isThorough ? 1000 : 60 }, timeout: propertyTimeout }
)
