import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that compute longest, longest first. */
const computing = [
  "test/domain/policy/shellsAllowed.thorough.test.ts",
  "test/domain/policy/shellsDenied.thorough.test.ts",
  "test/recordings.test.ts",
  "test/invariants/invariants.test.ts",
  "test/layers/providers/CLIProvider.test.ts"
]

/**
 * Files in the order in which a run ends soonest: the few that compute for long begin at once and run beside live
 * tests, which mostly wait.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = computing.findIndex((file) => moduleId.endsWith(file))
      return at < 0 ? computing.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
