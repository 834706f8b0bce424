import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { doubtOf, holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import * as QueueLines from "../../../../src/domain/engine/queue/QueueLines.ts"
import { needsOf } from "../../../../src/domain/words/attention/needsOf.ts"
import { MessageCause } from "../../../../src/domain/words/session/MessageCause.ts"
import type { QueuedMessage } from "../../../../src/domain/words/session/Message.ts"
import { causeWords } from "../../../../src/domain/words/wording/causeWords.ts"
import { queueOf } from "../../../support/data/queueFixtures.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

type Told = Partial<Pick<QueuedMessage, "cause" | "outcome">> & {
  readonly status: "held" | "done"
  readonly why: string
}

/** What logs say that were written before causes stood in them, and what that meant. */
const former: ReadonlyArray<readonly [Told, MessageCause | undefined]> = [
  [{ status: "held", why: "you held it" }, { _tag: "HeldByUser" }],
  [{ status: "held", why: "left over from an earlier run" }, { _tag: "LeftOver" }],
  [
    { status: "held", why: "it waits behind a turn that failed" },
    { _tag: "BehindFailure", problem: "unknown" }
  ],
  ...(
    [
      ["the usage limit is reached", "rate_limited"],
      ["the service fails", "overloaded"],
      ["the service cannot be reached", "network"],
      ["the account is refused (login, credit or rights)", "auth"],
      ["the conversation is full", "context"],
      ["the model, or a tool of the session's, is refused", "model"],
      ["message after message is refused", "refused"],
      ["the CLI crashed", "crashed"],
      ["the session is stuck", "stuck"],
      ["words of a leap in between", "unknown"]
    ] as const
  ).map(([words, problem]): readonly [Told, MessageCause] => [
    { status: "held", why: `it waits behind a turn that failed: ${words}` },
    { _tag: "BehindFailure", problem }
  ]),
  [
    { status: "held", why: "its turn failed: API Error: 529\nlater", outcome: "failed" },
    { _tag: "TurnFailed", failure: "API Error: 529\nlater" }
  ],
  [
    { status: "done", why: "its turn failed: too long", outcome: "failed" },
    { _tag: "TurnFailed", failure: "too long" }
  ],
  // nothing depends on these
  [{ status: "held", why: "the message before it is held (AB12C)" }, undefined],
  [{ status: "held", why: "leap ended while it was being typed; it may have been sent" }, undefined],
  [{ status: "held", why: "no hook of its CLI calls leap, and your rules rest on them" }, undefined],
  [{ status: "done", why: "its turn failed: in words of the user's", outcome: "completed" }, undefined],
  [{ status: "done", why: "you held it" }, undefined],
  // a cause that stands there is it, whatever the words say
  [{ status: "held", why: "you held it", cause: { _tag: "LeftOver" } }, { _tag: "LeftOver" }]
]

describe("the cause of a message in a log without causes is what its words meant", () => {
  const entries = former.map(([told], at): Queue.QueueEntry => ({
    message: { ...queueOf(`m${at}`).entries[0]!.message, ...told },
    attempts: 0,
    attempting: false,
    at: 5
  }))
  const isOver = ({ message }: Queue.QueueEntry) => message.status === "done"
  const logs: ReadonlyArray<readonly [string, ReadonlyArray<Queue.QueueRecord>]> = [
    [
      "told as it came",
      former.flatMap(([told], at): ReadonlyArray<Queue.QueueRecord> => {
        const { message } = queueOf(`m${at}`).entries[0]!
        return [
          { _tag: "Accepted", v: 1, at: 1, message, front: false },
          { _tag: "StatusChanged", v: 1, at: 5, id: message.id, ...told }
        ]
      })
    ],
    ["compacted", entries.map((entry): Queue.QueueRecord => ({ _tag: "Kept", v: 1, entry }))],
    [
      "restated",
      [
        {
          _tag: "Restated",
          v: 1,
          entries: entries.filter((entry) => !isOver(entry)),
          finished: entries.filter(isOver)
        }
      ]
    ]
  ]
  it.each(logs)("%s", (_, records) => {
    const queue = Queue.replayLog(QueueLines.parse(QueueLines.format(records)).records)
    assert.deepStrictEqual(
      former.map((_, at) => Queue.find(queue, `m${at}`)?.message.cause),
      former.map(([, cause]) => cause)
    )
  })

  it("also of one that went back into the queue", () => {
    const records: ReadonlyArray<Queue.QueueRecord> = [
      { _tag: "Accepted", v: 1, at: 1, message: queueOf("a").entries[0]!.message, front: false },
      { _tag: "Requeued", v: 1, at: 5, id: "a", counted: false, why: "its turn failed: full", outcome: "failed" }
    ]
    const queue = Queue.replayLog(QueueLines.parse(QueueLines.format(records)).records)
    assert.deepStrictEqual(Queue.find(queue, "a")?.message.cause, { _tag: "TurnFailed", failure: "full" })
  })
})

describe("a cause that this leap does not know", () => {
  const causes: ReadonlyArray<unknown> = [
    { _tag: "OfALaterLeap", until: 5 },
    { _tag: "BehindFailure", problem: "a later kind" },
    { _tag: "BehindFailure" },
    "words",
    null
  ]
  const { message } = queueOf("a").entries[0]!
  const why = "as a later leap says it"
  /** The records as another leap writes them. */
  const queueWith = (...records: ReadonlyArray<object>) =>
    Queue.replayLog(QueueLines.parse(QueueLines.format(records as unknown as ReadonlyArray<Queue.QueueRecord>)).records)
  it.each(causes)("costs no message, and nothing goes out that was held: %j", (cause) => {
    const held = { ...message, status: "held", why, cause }
    const entry = { message: held, attempts: 0, attempting: false, at: 5 }
    const logs = [
      [
        { _tag: "Accepted", v: 1, at: 1, message, front: false },
        { _tag: "StatusChanged", v: 1, at: 5, id: "a", status: "held", why, cause }
      ],
      [{ _tag: "Kept", v: 1, entry }],
      [{ _tag: "Restated", v: 1, entries: [entry], finished: [] }]
    ]
    for (const log of logs)
      assert.deepStrictEqual(Queue.messages(queueWith(...log)), [{ ...message, status: "held", why }])
  })
})

describe("what is told of a message decides nothing", () => {
  const Held = Schema.Struct({
    status: Schema.Literals(["queued", "held", "done", "failed"]),
    cause: Schema.UndefinedOr(MessageCause),
    failed: Schema.Boolean,
    words: Schema.Literals(["", "you held it", "left over from an earlier run", "it waits behind a turn that failed"])
  })
  it.prop("words that say otherwise change no operation, no need and no doubt", [Schema.Array(Held)], ([drawn]) => {
    const queueIn = (wordsOf: (one: (typeof drawn)[number]) => string): Queue.QueueState => {
      const entries = drawn.map((one, at): Queue.QueueEntry => {
        const { cause, failed, status } = one
        const message = {
          ...queueOf(`m${at}`).entries[0]!.message,
          status,
          why: wordsOf(one),
          ...(cause === undefined ? {} : { cause }),
          ...(failed ? ({ outcome: "failed" } as const) : {})
        }
        return { message, attempts: 0, attempting: false, at }
      })
      const isOver = ({ message: { status } }: Queue.QueueEntry) => status === "done" || status === "failed"
      return { entries: entries.filter((entry) => !isOver(entry)), finished: entries.filter(isOver) }
    }
    const decided = (queue: Queue.QueueState) => ({
      retried: Queue.retry(queue, null, 9),
      released: Queue.release(queue, null, 9),
      left: holdLeftovers(queue, 9),
      needs: needsOf(sessionStatus({ state: "idle", queue: Queue.messages(queue) })).map(({ kind, offers }) => [
        kind,
        offers
      ]),
      doubts: Queue.messages(queue).map((message) => doubtOf(message) !== "")
    })
    const told = queueIn(({ cause }) => (cause === undefined ? "it may have been sent" : causeWords(cause)))
    assert.deepStrictEqual(decided(queueIn(({ words }) => words)), decided(told))
  })
})
