import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, longest first: by their names, wherever they stand. */
const longest = [
  "duplicates.live",
  "resume.live",
  "overlay.live",
  "lostSocket.live",
  "launch.live",
  "withoutHost.live",
  "attach.live",
  "sendWait.live",
  "exec.live",
  "e2e/host.live",
  "controlProtocol.live",
  "WorktreesGit.live",
  "commands.live",
  "gate.live",
  "shellsAllowed.thorough",
  "shellsDenied.thorough",
  "programs.thorough",
  "test/recordings",
  "invariants",
  "CLIProvider"
].map((name) => `${name}.test.ts`)

/**
 * Files in the order in which a run ends soonest: the few that take long begin at once, and the others fill what is
 * left.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
