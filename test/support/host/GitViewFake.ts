import { Context, Effect, Layer } from "effect"
import { GitView } from "../../../src/services/GitView.ts"

/** A repository that every directory is in but those of `others`; without a branch it is none. */
export class GitViewFake extends Context.Service<
  GitViewFake,
  { branch: string | null; readonly others: Map<string, string> }
>()("leap/test/support/host/GitViewFake") {}

export const layer: Layer.Layer<GitViewFake | GitView> = Layer.effectContext(
  Effect.sync(() => {
    const repository: GitViewFake["Service"] = { branch: null, others: new Map() }
    return Context.make(GitViewFake, repository).pipe(
      Context.add(GitView, {
        look: () => Effect.sync(() => (repository.branch === null ? null : { branch: repository.branch, changed: 0 })),
        branch: (directory) => Effect.sync(() => repository.others.get(directory) ?? repository.branch)
      })
    )
  })
)
