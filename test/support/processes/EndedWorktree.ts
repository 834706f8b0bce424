import { Effect } from "effect"
import * as path from "node:path"
import { aRepository } from "./Repository.ts"
import { endsWell, makeRoom } from "./Room.ts"

/** A session 'fix' that has ended in a worktree of its own, `place`, of a repository that somebody may commit in. */
export const anEndedWorktree = Effect.gen(function* () {
  const room = yield* makeRoom("0.1")
  const repository = yield* aRepository
  const { git, main, root } = repository
  for (const name of ["name", "email"]) git(main, "config", `user.${name}`, "t@example.com")
  yield* endsWell(room.leap(["fix", "--cli", "demo", "-d", "--cwd", main, "--worktree"]))
  yield* endsWell(room.leap(["stop", "fix"]))
  return { ...repository, place: path.join(root, "proj.worktrees", "fix"), room }
})
