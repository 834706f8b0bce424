import { assert, describe, it } from "@effect/vitest"
import { gitComplaint } from "../../../../src/domain/store/worktrees/GitComplaint.ts"

const preparing = "Preparing worktree (new branch 'w1')\n"
const head = "HEAD is now at 0a24b76 one\n"
const lfs =
  "This repository is configured for Git LFS but 'git-lfs' was not found on your path. If you no longer wish to use " +
  "Git LFS, remove this hook by deleting the 'post-checkout' file in the hooks directory (set by 'core.hookspath'; " +
  "usually '.git/hooks')."

// as git 2.39 printed it
describe("the telling line of a git command that failed", () => {
  it.each<readonly [what: string, code: number | null, out: string, err: string, says: string]>([
    [
      "a hook that says several things",
      3,
      head,
      `${preparing}Installing dependencies\nnpm ERR! missing script: prepare\n`,
      "the post-checkout hook failed: npm ERR! missing script: prepare"
    ],
    [
      "a hook of references that says why it forbids it",
      128,
      "",
      "Branches are made by the bot\nerror: ask #infra\nfatal: ref updates aborted by hook\n",
      "Branches are made by the bot / ask #infra (ref updates aborted by hook)"
    ],
    [
      "the same, as later versions of git say it, and behind what git prepares",
      128,
      "",
      `${preparing}no branches today\nfatal: in 'prepared' phase, update aborted by the reference-transaction hook\n`,
      "no branches today (in 'prepared' phase, update aborted by the reference-transaction hook)"
    ],
    [
      "a hook of references that says much",
      128,
      "",
      `${"checking the names of all branches\n".repeat(9)}ERROR: the name is taken\nbye\nfatal: ref updates aborted by hook\n`,
      "ERROR: the name is taken (ref updates aborted by hook)"
    ],
    [
      "a hook of references that says nothing",
      128,
      "",
      "fatal: ref updates aborted by hook\n",
      "ref updates aborted by hook"
    ],
    ["a hook that says nothing", 1, head, preparing, "the post-checkout hook failed: it ended with code 1"],
    [
      "a hook that tells of trouble, and advises",
      1,
      head,
      `${preparing}error: dependencies are stale\nhint: run make deps\n\n`,
      "the post-checkout hook failed: dependencies are stale"
    ],
    [
      "a hook whose last word is no trouble",
      1,
      head,
      `${preparing}Error: no lock file\n    at main (hook.js:3)\nNode.js v24.0.0\n`,
      "the post-checkout hook failed: Error: no lock file"
    ],
    [
      "a hook whose interpreter is missing",
      127,
      head,
      `${preparing}/usr/bin/env: 'nope': No such file or directory\n`,
      "the post-checkout hook failed: /usr/bin/env: 'nope': No such file or directory"
    ],
    [
      "the hook of git-lfs without git-lfs",
      2,
      head,
      `${preparing}\n${lfs}\n\n`,
      `the post-checkout hook failed: ${lfs}`
    ],
    [
      "a filter of git-lfs without git-lfs",
      128,
      "",
      `${preparing}git-lfs filter-process: 1: git-lfs: not found\nerror: packet write with format failed\n` +
        "error: Could not write client identification\n" +
        "error: initialization for subprocess 'git-lfs filter-process' failed\nfatal: a.bin: smudge filter lfs failed\n",
      "git-lfs filter-process: 1: git-lfs: not found (a.bin: smudge filter lfs failed)"
    ],
    [
      "the same, a file at a time",
      128,
      "",
      `${preparing}git-lfs smudge -- 'a.bin': 1: git-lfs: not found\n` +
        "error: external filter 'git-lfs smudge -- %f' failed 127\n" +
        "error: external filter 'git-lfs smudge -- %f' failed\nfatal: a.bin: smudge filter lfs failed\n",
      "git-lfs smudge -- 'a.bin': 1: git-lfs: not found (a.bin: smudge filter lfs failed)"
    ],
    [
      "a branch that is checked out",
      128,
      "",
      "Preparing worktree (checking out 'main')\nfatal: 'main' is already checked out at '/r'\n",
      "'main' is already checked out at '/r'"
    ],
    [
      "a remote that is none",
      128,
      "",
      "fatal: 'nowhere' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n" +
        "Please make sure you have the correct access rights\nand the repository exists.\n",
      "'nowhere' does not appear to be a git repository"
    ],
    [
      "a lock that is held",
      128,
      "",
      "fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process seems to be running in this " +
        "repository, e.g.\nan editor opened by 'git commit'. Please make sure all processes\nare terminated then try " +
        "again. If it still fails, a git process\nmay have crashed in this repository earlier:\nremove the file manually " +
        "to continue.\n",
      "Unable to create '/r/.git/index.lock': File exists."
    ],
    ["progress", 1, "", "Updating files:  50% (1/2)\rUpdating files: 100% (2/2), done.\nno space\n", "no space"],
    ["nothing", 128, "", "", "it ended with code 128"],
    ["a kill", null, "", "", ""]
  ])("of %s", (_, code, out, err, says) => {
    assert.strictEqual(gitComplaint({ code, out, err }), says)
  })
})
