import { isSure, plainWord } from "../ShellWords.ts"
import { allLike, type Given, matching, forEachName, type Program, type Target, targets } from "./Program.ts"

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

/** What a list of branches, tags and the like may be told. */
const listing = "sort: format: points-at: merged? no-merged? contains? no-contains? column? abbrev? omit-empty"
const merging = "-nqve -m: -S? edit commit signoff continue message: allow-empty strategy-option: gpg-sign? stat"

/** What a branch is moved to, or deleted by, without a question: `+a:b`, `:b`. */
const noForce = ({ operands }: Given) => (operands.some(({ text }) => /^\+?:.|^\+|^[\w-]+::/.test(text)) ? null : here)

const formats =
  "oneline pretty? format: date: abbrev*? decorate*? notes? mailmap relative-date parents children left-right graph boundary source expand-tabs?"
/** Without what runs another program, or writes to a file. */
const diffing =
  "-pusRabwzWcq0123456789 -UGSOl: -MCBDX? patch* unified? raw stat? numstat shortstat dirstat? cumulative summary name-status compact-summary minimal patience histogram anchored: indent-heuristic find-*? rename* break-rewrites? diff-*: pickaxe-* relative? text ignore-*? ignore-matching-lines: function-context exit-code submodule? src-prefix: dst-prefix: default-prefix word-diff*? color*? ws-error-highlight: full-index binary check cc combined-all-paths remerge-diff dd"
const refs = "branches? tags? remotes? glob: exclude:"
const walking = `-iEFPgmtr -nL: max-*: min-*: skip: since*: after: until: before: author: committer: grep*: all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges first-parent not ${refs} reflog single-worktree bisect stdin cherry* left-only right-only walk-reflogs merge simplify-* show-pulls full-* dense ancestry-path? date-order author-date-order topo-order no-walk? do-walk follow log-size end-of-options`
const reading = (options: string): Program => ({ options })
const shown = reading(`${formats} ${diffing} ${walking}`)

/** Commands of git that only read. */
const readers: Readonly<Record<string, Program>> = {
  ...forEachName("log show whatchanged reflog", {
    ...shown,
    does: ({ operands: [verb] }) => (verb !== undefined && /^(?:expire|delete|drop|write)$/.test(verb.text) ? null : [])
  }),
  ...forEachName(
    "diff diff-tree diff-index diff-files range-diff",
    reading(
      `${diffing} -t -r cached staged merge-base base ours theirs root always pretty? format: oneline stdin creation-factor: left-only right-only -1 -2 -3`
    )
  ),
  "rev-list": reading(`${formats} ${diffing} ${walking} objects* disk-usage? header timestamp filter: object-names`),
  shortlog: reading(`${walking} -nsec0123456789 -w? numbered summary email committer group: format:`),
  status: reading(
    "-sbzv -u? short branch show-stash porcelain? untracked-files? ignore*? column? ahead-behind renames find-renames?"
  ),
  blame: reading(
    "-ltrsefnpcbwk -CM? -LS: root show-* date: porcelain line-porcelain incremental encoding: abbrev: ignore-rev*: color-* since: first-parent contents:"
  ),
  grep: reading(
    `-nivwhHEGPFlLczopWqraI0123456789 -efABCm: ${matching} show-function function-context and or not all-match cached untracked exclude-standard recurse-submodules recursive`
  ),
  "ls-files": reading(
    "-cdmoisukztvf -xX: cached deleted modified others ignored stage unmerged killed exclude*: exclude-standard error-unmatch full-name directory eol recurse-submodules deduplicate format: abbrev?"
  ),
  "ls-tree": reading("-drtlz name-status object-only full-name full-tree abbrev? format:"),
  "rev-parse": reading(
    `-q verify short? abbrev-ref? symbolic* show-* git-dir absolute-git-dir git-common-dir is-* ${refs} git-path: revs-only flags not since: until: path-format: default: end-of-options`
  ),
  describe: reading(
    "tags contains always dirty? broken? abbrev? candidates: exact-match match: exclude: first-parent debug"
  ),
  "cat-file": reading("-tsepzZ batch*? buffer unordered"),
  ...forEachName(
    "name-rev merge-base count-objects cherry var version help check-ignore check-attr verify-commit verify-tag fsck",
    reading(
      "-avHqznps tags refs: exclude: always stdin independent is-ancestor fork-point human-readable abbrev? non-matching build-options full unreachable dangling"
    )
  ),
  ...forEachName("for-each-ref show-ref ls-remote show-branch", {
    options: `-dhtqs -n: ${listing} count: exclude: heads branches tags head dereference hash? verify exists refs symref exit-code get-url current remotes topics independent merge-base sha1-name more:`,
    does: ({ operands }) => (operands.some(({ text }) => /^[\w-]+::/.test(text)) ? null : [])
  }),
  config: {
    options: "-lz get* show-* null global local system worktree type: bool* int path default: includes regexp",
    does: ({ has, operands }) =>
      operands.length <= 1 ||
      has("get", "get-all", "get-regexp", "get-urlmatch") ||
      /^(?:get|list)$/.test(operands[0]!.text)
        ? []
        : null
  }
}

/** Commands of git. Those that change something lack what throws away work that no commit holds. */
const commands: Readonly<Record<string, Program>> = {
  ...readers,
  checkout: {
    options: "-qdlt -b: detach track? guess orphan:",
    does: ({ has, operands }) =>
      !has("--") && (has("b", "orphan") || (operands.length <= 1 && allLike(operands, revision))) ? here : null
  },
  switch: {
    options: "-qdt -c: detach track? guess create: orphan:",
    does: changes
  },
  restore: {
    options: "-Sq -s: staged source:",
    does: ({ has }) => (has("S", "staged") ? here : null)
  },
  reset: { options: "-qN soft mixed intent-to-add", does: changes },
  clean: { options: "-ndxXq -e: exclude:", does: ({ has }) => (has("n", "dry-run") ? [] : null) },
  stash: {
    options: "-ukaqp -m: include-untracked keep-index message: staged -S index patch stat oneline format:",
    does: verbs(/^(?:push|save|pop|apply|list|show|branch)$/)
  },
  branch: {
    options: `-avrdmqilt -u: ${listing} remotes delete move show-current track? set-upstream-to: unset-upstream`,
    does: changes
  },
  tag: {
    options: `-als -n? -mF: ${listing} annotate sign message: file: verify`,
    does: changes
  },
  worktree: {
    options: "-v porcelain -z detach track guess-remote lock checkout -d -q -b: reason: expire: -n",
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
    options: "first-parent term-old: term-new: term-good: term-bad:",
    does: verbs(/^(?:start|good|bad|new|old|skip|reset|log|terms)$/)
  },
  remote: {
    options: "-vnq push",
    does: ({ operands: [verb, ...rest] }) =>
      verb === undefined || (isSure(verb) && /^(?:show|get-url)$/.test(verb.text) && allLike(rest, /^[\w-][\w.-]*$/))
        ? []
        : null
  },
  apply: {
    options:
      "-3vRqN -pC: check stat numstat summary index cached 3way reject whitespace: recount apply intent-to-add exclude: include: ignore-whitespace ignore-space-change unidiff-zero allow-empty binary",
    does: changes
  },
  rm: {
    options: "-rqn cached ignore-unmatch",
    does: ({ has, operands }) =>
      has("no-cache") ? null : has("cached", "n", "dry-run") ? here : targets("remove", operands)
  },
  mv: { options: "-knv", does: ({ operands }) => targets("remove", operands) },
  init: {
    options: "-q -b: initial-branch: bare",
    does: ({ operands }) => (operands.length === 0 ? here : targets("write", operands))
  },
  clone: {
    options:
      "-qvnsl -boj: bare mirror depth: branch: single-branch shallow-submodules filter: origin: jobs: shallow-since: sparse local",
    does: ({ operands: [from, to] }) =>
      from !== undefined && isSure(from) && !/^[\w-]+::/.test(from.text)
        ? to === undefined
          ? here
          : targets("write", [to])
        : null
  },
  add: {
    options: "-AunvfpiN update force patch intent-to-add ignore-errors refresh renormalize sparse chmod:",
    does: changes
  },
  commit: {
    options:
      "-aqvseopz -Su? -mFCc: message: file: amend edit signoff allow-empty allow-empty-message fixup: squash: author: date: reset-author short porcelain only include gpg-sign? trailer: cleanup: status branch",
    does: changes
  },
  merge: {
    options: `${merging} -X: -F: ff ff-only squash log? autostash allow-unrelated-histories file: into-name: quit`,
    does: changes
  },
  rebase: {
    options:
      "-iqvk -X: onto: continue edit-todo quit keep-base root autostash autosquash stat signoff update-refs rebase-merges? strategy-option: fork-point empty:",
    does: changes
  },
  "cherry-pick": {
    options: `${merging} -xs -X: mainline: ff quit keep-redundant-commits empty: skip`,
    does: changes
  },
  revert: { options: `${merging} -s -X: mainline: reference quit skip`, does: changes },
  fetch: {
    options:
      "-apqvtn4 -j: prune tags depth: deepen: unshallow multiple jobs: recurse-submodules? shallow-since: update-shallow set-upstream porcelain auto-gc ipv4 ipv6 -6",
    does: noForce
  },
  pull: {
    options: `${merging} -rap -X: rebase? ff ff-only prune tags autostash depth: unshallow squash recurse-submodules? allow-unrelated-histories jobs: -j: set-upstream`,
    does: noForce
  },
  push: {
    options:
      "-uvqn46 set-upstream tags follow-tags branches porcelain atomic verify signed? recurse-submodules? -o: push-option:",
    does: noForce
  },
  submodule: { options: "-q cached recursive summary-limit: -n", does: verbs(/^(?:status|summary)$/) },
  notes: { options: "ref:", does: verbs(/^(?:list|show)$/) },
  archive: {
    options: "-lvo:write format: prefix: output:write worktree-attributes mtime: -0123456789",
    does: () => []
  },
  "format-patch": {
    options: `${diffing} -nNkqs1 -v: stdout cover-letter signoff thread? subject-prefix: start-number: numbered in-reply-to: base? root zero-commit -o:fill output-directory:fill`,
    does: ({ has }) => (has("stdout", "o", "output-directory") ? [] : here)
  },
  gc: { options: "-q auto", does: changes },
  "hash-object": { options: "-t: stdin stdin-paths", does: () => [] }
}

/** Settings by which git only shows in another way. */
const shows =
  /^(?:color\.[\w.]+|advice\.\w+|core\.(?:quotepath|abbrev|precomposeunicode|longpaths)|log\.\w+|diff\.(?:noprefix|mnemonicprefix|renames|renamelimit|context|algorithm|colormoved)|user\.(?:name|email)|init\.defaultbranch|commit\.gpgsign|tag\.gpgsign|column\.\w+|blame\.\w+|grep\.linenumber|status\.\w+|rebase\.autosquash|pull\.rebase|merge\.(?:conflictstyle|ff)|protocol\.version|gc\.auto|(?:core\.)?pager(?:\.\w+)?=(?:cat)?$)(?:=[\w.@ +-]*)?$/i

export const git: Program = {
  options: "-Pv -C:in -c: literal-pathspecs",
  commands,
  always: targets("obey", [plainWord(".")]),
  forms: { c: shows }
}

/** Names that no alias of git's can have: of its own commands but the rarest, and of what is often installed beside it. */
export const gitCommands: ReadonlySet<string> = new Set([
  ...Object.keys(commands),
  ..."am difftool filter-branch for-each-repo lfs maintenance mergetool prune repack rerere send-email sparse-checkout symbolic-ref update-index update-ref".split(
    " "
  )
])
