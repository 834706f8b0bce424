import { assert, it } from "@effect/vitest"
import { lockTrouble } from "../../../../src/domain/words/reading/lockTrouble.ts"

// SQLITE_BUSY; SQLITE_PERM, SQLITE_PROTOCOL, SQLITE_IOERR_UNLOCK, _RDLOCK, _CHECKRESERVEDLOCK, _LOCK; SQLITE_IOERR,
// SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOLFS, SQLITE_NOTADB
it.each([
  ["busy", [5]],
  ["none", [3, 15, 2058, 2314, 3594, 3850]],
  ["other", [10, 13, 14, 22, 26]]
] as const)("what SQLite says of a lock that cannot be taken: %s", (trouble, codes) => {
  for (const errcode of codes) assert.strictEqual(lockTrouble(Object.assign(new Error(""), { errcode })), trouble)
  assert.strictEqual(lockTrouble(new Error("ENOENT")), "other")
})
