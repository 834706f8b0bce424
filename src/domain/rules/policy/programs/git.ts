import { isSure, plainWord } from "../ShellWords.ts"
import { allLike, type Given, type Program, type Target, targets } from "./Program.ts"

/** They change the repository that they are in. */
const here = targets("stay", [plainWord(".")])
const changes = () => here

/** A commit, a branch or a remote. Any other name may be a file's, which then loses what was changed in it. */
const revision =
  /^(?:-|(?:main|master|develop|trunk|staging|HEAD|[\da-f]{7,40}|v?\d+(?:\.\d+)+(?:-\w+(?:\.\d+)?)?|(?:origin|upstream|feature|feat|fix|bugfix|hotfix|chore|refactor)\/[\w/-]+)(?:[~^]\d*|@\{[-\w]+\})*)$/

const verbs =
  (known: RegExp) =>
  ({ operands: [verb] }: Given): ReadonlyArray<Target> | null =>
    verb === undefined || (isSure(verb) && known.test(verb.text)) ? here : null

const merging =
  "-nqve -m: -S? --edit --no-edit --no-commit --commit --signoff --continue --message: --allow-empty --strategy-option: --gpg-sign? --quiet --verbose --stat --no-stat --progress --no-verify"

/** What a branch is moved to without a question: `+a:b`. */
const noForce = ({ operands }: Given) => (operands.some(({ text }) => /^\+|^ext::/.test(text)) ? null : here)

/** Commands of git that change something, without what throws work away that no commit holds. */
export const git: Readonly<Record<string, Program>> = {
  checkout: {
    options: "-qdlt -b: --quiet --detach --track? --no-track --guess --no-guess --progress --no-progress --orphan:",
    does: ({ has, operands }) =>
      !has("--") && (has("b", "orphan") || (operands.length <= 1 && allLike(operands, revision))) ? here : null
  },
  switch: {
    options: "-qdt -c: --quiet --detach --track? --no-track --guess --no-guess --progress --create: --orphan:",
    does: changes
  },
  restore: {
    options: "-Sq -s: --staged --source: --quiet",
    does: ({ has }) => (has("S", "staged") ? here : null)
  },
  reset: { options: "-qN --soft --mixed --quiet --intent-to-add", does: changes },
  clean: { options: "-ndxXq -e: --dry-run --quiet --exclude:", does: ({ has }) => (has("n", "dry-run") ? [] : null) },
  stash: {
    options:
      "-ukaqp -m: --include-untracked --keep-index --no-keep-index --all --quiet --message: --staged -S --index --patch --stat --oneline --format:",
    does: verbs(/^(?:push|save|pop|apply|list|show|branch)$/)
  },
  branch: {
    options:
      "-avrdmqilt -u: --all --remotes --delete --move --verbose --list --show-current --merged? --no-merged? --contains --no-contains --sort: --format: --track? --no-track --set-upstream-to: --unset-upstream --points-at: --quiet --column? --no-column --color? --no-color --abbrev? --ignore-case --omit-empty",
    does: changes
  },
  tag: {
    options:
      "-als -n? -mF: --annotate --list --sign --message: --file: --sort: --format: --contains --no-contains --merged? --no-merged? --points-at: --column? --color? --verify --ignore-case",
    does: changes
  },
  worktree: {
    options:
      "-v --porcelain --verbose -z --detach --track --no-track --guess-remote --lock --no-checkout --checkout --quiet -d -q -b: --reason: --expire: -n --dry-run",
    does: ({ operands: [verb, ...rest] }) =>
      verb === undefined || !isSure(verb)
        ? null
        : /^(?:list|prune|lock|unlock)$/.test(verb.text)
          ? here
          : verb.text === "add"
            ? targets("write", rest.slice(0, 1))
            : /^(?:remove|move)$/.test(verb.text)
              ? targets("remove", rest)
              : null
  },
  bisect: {
    options: "--first-parent --no-checkout --term-old: --term-new: --term-good: --term-bad:",
    does: verbs(/^(?:start|good|bad|new|old|skip|reset|log|terms)$/)
  },
  remote: {
    options: "-vnq --verbose --push --all",
    does: ({ operands: [verb, ...rest] }) =>
      verb === undefined || (isSure(verb) && /^(?:show|get-url)$/.test(verb.text) && allLike(rest, /^[\w-][\w.-]*$/))
        ? []
        : null
  },
  apply: {
    options:
      "-3vRqN -pC: --check --stat --numstat --summary --index --cached --3way --reject --reverse --verbose --quiet --whitespace: --recount --apply --intent-to-add --exclude: --include: --ignore-whitespace --ignore-space-change --unidiff-zero --allow-empty --binary",
    does: changes
  },
  rm: {
    options: "-rqn --cached --quiet --dry-run --ignore-unmatch",
    does: ({ has, operands }) => (has("cached", "n", "dry-run") ? here : targets("remove", operands))
  },
  mv: { options: "-knv --dry-run --verbose", does: ({ operands }) => targets("remove", operands) },
  init: {
    options: "-q -b: --quiet --initial-branch: --bare",
    does: ({ operands }) => (operands.length === 0 ? here : targets("write", operands))
  },
  clone: {
    options:
      "-qvnsl -boj: --quiet --verbose --no-checkout --bare --mirror --depth: --branch: --single-branch --no-single-branch --no-tags --shallow-submodules --filter: --progress --origin: --jobs: --shallow-since: --sparse --local",
    does: ({ operands: [from, to] }) =>
      from !== undefined && isSure(from) && !/^ext::/.test(from.text)
        ? to === undefined
          ? here
          : targets("write", [to])
        : null
  },
  add: {
    options:
      "-AunvfpiN --all --update --dry-run --verbose --force --patch --interactive --intent-to-add --ignore-errors --refresh --no-all --renormalize --sparse --chmod:",
    does: changes
  },
  commit: {
    options:
      "-aqvsneopz -Su? -mFCc: --all --message: --file: --amend --no-edit --edit --quiet --verbose --signoff --no-verify --allow-empty --allow-empty-message --fixup: --squash: --author: --date: --reuse-message: --reedit-message: --reset-author --dry-run --short --porcelain --only --include --gpg-sign? --no-gpg-sign --trailer: --cleanup: --status --no-status --branch",
    does: changes
  },
  merge: {
    options: `${merging} -X: -F: --ff --no-ff --ff-only --squash --no-squash --log? --autostash --no-autostash --allow-unrelated-histories --file: --into-name: --quit`,
    does: changes
  },
  rebase: {
    options:
      "-iqvk -X: --onto: --interactive --continue --edit-todo --show-current-patch --quit --keep-base --root --autostash --no-autostash --autosquash --no-autosquash --quiet --verbose --stat --signoff --update-refs --no-update-refs --rebase-merges? --strategy-option: --fork-point --no-fork-point --empty: --committer-date-is-author-date --reset-author-date --reapply-cherry-picks --no-verify --no-keep-empty",
    does: changes
  },
  "cherry-pick": {
    options: `${merging} -xs -X: --mainline: --ff --quit --keep-redundant-commits --empty: --skip`,
    does: changes
  },
  revert: { options: `${merging} -s -X: --mainline: --reference --quit --skip`, does: changes },
  fetch: {
    options:
      "-apqvtn4 -j: --all --prune --quiet --verbose --tags --no-tags --depth: --deepen: --unshallow --multiple --jobs: --progress --no-progress --dry-run --recurse-submodules? --no-recurse-submodules --shallow-since: --update-shallow --set-upstream --porcelain --auto-gc --ipv4 --ipv6 -6",
    does: noForce
  },
  pull: {
    options:
      "-qvrapn -X: -S? --quiet --verbose --rebase? --no-rebase --ff --no-ff --ff-only --all --prune --tags --no-tags --autostash --no-autostash --depth: --unshallow --no-edit --edit --commit --no-commit --squash --stat --no-stat --progress --signoff --no-verify --recurse-submodules? --no-recurse-submodules --allow-unrelated-histories --strategy-option: --jobs: -j: --set-upstream --gpg-sign?",
    does: noForce
  }
}
