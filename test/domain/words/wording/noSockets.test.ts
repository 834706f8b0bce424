import { assert, it } from "@effect/vitest"
import { noSockets } from "../../../../src/domain/words/wording/noSockets.ts"

it("a file system that keeps no sockets: what to set is said, and of no other trouble", () => {
  for (const code of ["EOPNOTSUPP", "EPERM", "ENOSYS"])
    assert.match(noSockets(code, "/mnt/share/s") ?? "", /\/mnt\/share\/s keeps no sockets: set LEAP_HOME/)
  for (const code of ["ENOSPC", "EADDRINUSE", "ENOENT", "EROFS", ""]) assert.isNull(noSockets(code, "/mnt/share/s"))
})
