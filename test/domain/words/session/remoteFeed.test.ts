import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { type FeedEvent, type FeedSession, fold } from "../../../../src/domain/words/session/Feed.ts"
import { heard, lost } from "../../../../src/domain/words/session/remoteFeed.ts"
import { isHere, remoteName, remoteTag } from "../../../../src/domain/words/session/RemoteHost.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const session = (tag: string): FeedSession => ({ link: "live", status: sessionStatus({ tag, ready: true }) })

const names = Schema.Literals(["a", "b", "c"])
const step = Schema.Struct({
  host: Schema.Literals(["box", "far"]),
  what: Schema.Union([
    Schema.TaggedStruct("Snapshot", { tags: Schema.Array(names) }),
    Schema.TaggedStruct("Changed", { tag: names }),
    Schema.TaggedStruct("Gone", { tag: names }),
    Schema.TaggedStruct("Lost", {})
  ])
})

const eventOf = (what: Exclude<(typeof step.Type)["what"], { readonly _tag: "Lost" }>): FeedEvent =>
  what._tag === "Snapshot"
    ? { _tag: "Snapshot", sessions: [...new Set(what.tags)].map(session) }
    : what._tag === "Changed"
      ? { _tag: "Changed", session: session(what.tag) }
      : what

describe("the feeds of other machines", () => {
  it.prop(
    "a reader knows each machine's sessions under their names, however the machines come and go",
    [Arbitrary.schema(Schema.Array(step).check(Schema.isMaxLength(20)))],
    ([steps]) => {
      let known: ReadonlyMap<string, FeedSession> = new Map()
      let read: ReadonlyMap<string, FeedSession> = new Map([["own", session("own")]])
      // what each machine says of its own, without the other
      const truth = new Map<string, ReadonlyMap<string, FeedSession>>()
      const silent = new Set<string>()
      for (const { host, what } of steps) {
        if (what._tag !== "Lost") truth.set(host, fold(truth.get(host) ?? new Map(), eventOf(what)))
        const taken = what._tag === "Lost" ? lost(known, host, "no route") : heard(known, host, eventOf(what))
        known = taken.known
        read = taken.events.reduce(fold, read)
        if (what._tag === "Lost") for (const tag of truth.get(host)?.keys() ?? []) silent.add(`${host}/${tag}`)
        else if (what._tag === "Snapshot") for (const tag of what.tags) silent.delete(`${host}/${tag}`)
        else silent.delete(`${host}/${what.tag}`)
        const expected = [...truth].flatMap(([name, all]) =>
          [...all.keys()].map((tag) => remoteName({ host: name, tag }))
        )
        assert.sameMembers([...read.keys()], ["own", ...expected])
        assert.deepStrictEqual(new Map([...read].filter(([name]) => name !== "own")), new Map(known))
        for (const [name, { link, status }] of read) {
          assert.strictEqual(status.tag, name)
          assert.strictEqual(link, silent.has(name) ? "silent" : "live", name)
          if (silent.has(name)) assert.deepInclude(status, { ready: false, reason: "no route" })
        }
      }
    }
  )

  it("a name says where its session is", () => {
    assert.isTrue(isHere("api"))
    assert.isFalse(isHere("box/api"))
    assert.deepStrictEqual(remoteTag(remoteName({ host: "box.2", tag: "api" })), { host: "box.2", tag: "api" })
  })
})
