import { assert, it } from "@effect/vitest"
import { parentOf } from "../../../../src/domain/words/text/paths.ts"
import {
  asidePath,
  journalPath,
  keyOf,
  keyOfJournal,
  stagingPath
} from "../../../../src/domain/store/relocation/Names.ts"

it("a journal's name tells its session, and no other file's does", () => {
  const key = keyOf({ cli: "cursor-agent", sessionId: "0b9f-1" })
  const name = journalPath("/j", key).slice("/j/".length)
  assert.strictEqual(keyOfJournal(name), key)
  for (const other of ["x.journal", "a.b.c.journal", "../a.b.journal", ".journal", "a.b.lock", "a.b.journal.tmp"])
    assert.isNull(keyOfJournal(other))
})

it("names of a move are beside what they stand for, short, hidden, and of one move alone", () => {
  const long = `/p/${"n".repeat(255)}`
  assert.strictEqual(parentOf(stagingPath("1", 0, long)), "/p")
  const names = ["1", "2"].flatMap((id) => [0, 1].flatMap((n) => [stagingPath(id, n, long), asidePath(id, n, long)]))
  assert.strictEqual(new Set(names).size, 8)
  for (const name of names) {
    assert.match(name, /^\/p\/\.leap-/)
    assert.notMatch(name, /\.jsonl?$/)
  }
  assert.strictEqual(parentOf("/x"), "/")
})
