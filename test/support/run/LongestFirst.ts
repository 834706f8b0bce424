import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, longest first: by their names, wherever they stand. */
const longest = [
  "resume.live",
  "lostSocket.live",
  "door.live",
  "attach.live",
  "e2e/host.live",
  "overlay.live",
  "AgentProviderCli.live",
  "commands.live",
  "e2e/queue.live",
  "launch.live",
  "RecordStoreSqlite.live",
  "approvals.live",
  "HookReply.live",
  "withoutHost.live",
  "exec.live",
  "e2e/gate.live",
  "sendWait.live",
  "controlProtocol.live",
  "WorktreesGit.live",
  "duplicates.live",
  "shellsAllowed.thorough",
  "shellsDenied.thorough",
  "programs.thorough",
  "weatherHost.prop",
  "policy/reach",
  "Delivery.prop",
  "policy/lint",
  "CLIProvider",
  "weatherLives",
  "invariants",
  "Notifier",
  "host.night"
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
