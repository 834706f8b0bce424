import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take longest, longest first: by their names, wherever they stand. */
const longest = [
  "finishWorktree.live",
  "lostSocket.live",
  "resume.live",
  "WorktreesGit.live",
  "overlay.live",
  "door.live",
  "likeMacOS.live",
  "attach.live",
  "e2e/host.live",
  "e2e/web.live",
  "headless/headless.live",
  "queueClient.live",
  "e2e/worktrees.live",
  "telemetry.live",
  "HookReply.live",
  "AgentProviderCli.live",
  "sessionRecords.live",
  "finishKills.live",
  "e2e/queue.live",
  "e2e/out.live",
  "GitChangesGit.live",
  "shellsAllowed.thorough",
  "shellsDenied.thorough",
  "programs.thorough",
  "policy/lint",
  "policy/reach",
  "weatherHost.prop",
  "invariants",
  "Delivery.prop",
  "policy/tools",
  "suggestRules",
  "CLIProvider",
  "weatherLives",
  "host.night",
  "Notifier"
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
