import { Context, Effect, Layer } from "effect"
import type { Moment } from "../../../src/domain/store/worktrees/moments.ts"
import { GitChanges, GitChangesError } from "../../../src/services/GitChanges.ts"
import { GitView } from "../../../src/services/GitView.ts"

/** A repository that every directory is in but those of `others`; without a branch it is none. */
export class GitViewFake extends Context.Service<
  GitViewFake,
  {
    branch: string | null
    readonly others: Map<string, string>
    readonly noted: Array<{ readonly directory: string; readonly moment: Moment; readonly began: number }>
    /** What a note takes. */
    noting: Effect.Effect<void>
  }
>()("leap/test/support/host/GitViewFake") {}

export const layer: Layer.Layer<GitViewFake | GitView | GitChanges> = Layer.effectContext(
  Effect.sync(() => {
    const repository: GitViewFake["Service"] = { branch: null, others: new Map(), noted: [], noting: Effect.void }
    return Context.make(GitViewFake, repository).pipe(
      Context.add(GitChanges, {
        look: (directory, against) =>
          repository.branch === null
            ? Effect.fail(new GitChangesError({ message: `${directory} is in no git work tree` }))
            : Effect.succeed({
                directory,
                against: { name: against ?? "the last commit", commit: "c0ffee0000" },
                files: [{ path: "a.ts", from: null, kind: "changed" as const, added: 1, removed: 0 }],
                patch: "diff --git a/a.ts b/a.ts\n@@ -1 +1,2 @@\n a\n+b\n",
                unlisted: 0,
                unshown: 0
              }),
        note: (directory, _place, moment, began) =>
          Effect.suspend(() => {
            repository.noted.push({ directory, moment, began })
            return repository.noting
          }),
        count: () => Effect.sync(() => (repository.branch === null ? null : 0))
      }),
      Context.add(GitView, {
        branch: (directory) => Effect.sync(() => repository.others.get(directory) ?? repository.branch)
      })
    )
  })
)
