import { effectsOf } from "./commandEffects.ts"
import { rowsOf, setOf } from "./knownPrograms/Program.ts"
import { inputRunners, shells, wrappers } from "./knownPrograms/shellPrograms.ts"
import { commandName, innerOf } from "./InnerCommands.ts"
import { isSure, type ShellCommand } from "./ShellWords.ts"

/**
 * Closed lists of the commands for which leap may propose a rule. `?` is one plain word, `$` the end. They exclude what
 * installs, deletes, publishes, uses a network, or takes code or another program as an argument.
 */
const lists = (...lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  rowsOf(...lines).map((words) => words.split(" "))

/** With any further arguments. They open no named files, or only as the project's own tools do. */
const families = lists(
  "git status · git log · git shortlog · git describe · git rev-parse · git rev-list · git ls-files · git merge-base",
  "git branch --list · git stash list · git worktree list · npm test · npm run ? · npm ls · npm outdated · npm why",
  "pnpm test · pnpm run ? · yarn test · yarn run ? · bun test · cargo test · cargo check · cargo clippy · cargo build",
  "cargo tree · docker ps · docker images · docker logs · gh pr view · gh pr list · gh pr diff · gh pr checks",
  "gh issue view · gh issue list · gh run view · gh run list · gh repo view",
  "ls · pwd · du · df · stat · basename · dirname · realpath · readlink · which · echo · printf · date · seq",
  "sleep · true · false · : · expr · uname · nproc · free · ps · pgrep · tr · test · ["
)

/** The same, if other rules protect secrets: these programs print the files that are named to them. */
const readers = lists(
  "cat · head · tail · wc · nl · tree · grep · egrep · fgrep · rg · cut · paste · comm · column · diff · cmp · jq · sort",
  "md5sum · sha1sum · sha256sum · git diff · git show · git blame · git grep"
)

/** Only exactly as requested. */
const exactly = lists(
  "git branch $ · git branch -a $ · git branch -v $ · git branch --show-current · git tag $ · git tag --list · git tag -l",
  "git remote $ · git remote -v $ · git fetch · git add · git commit · git switch · git stash $ · git pull · git reflog $",
  "git cat-file · git config --get · git config --list · npm ci $ · npm run $ · npm view · tsc · eslint · prettier · vitest",
  "jest · oxlint · oxfmt · biome · pytest · python -m pytest · python3 -m pytest · python -m unittest · python3 -m unittest",
  "python -m mypy · python3 -m mypy · python --version $ · python3 --version $ · node --version $ · npm --version $",
  "node --test $ · ruff · black --check · mypy · tox · cargo fmt · cargo doc · cargo bench · cargo nextest run",
  "cargo --version $ · rustc --version $ · rustfmt · go build · go test · go vet · go fmt · go list · go version · go env $",
  "go mod tidy · gofmt · golangci-lint run · make · just · cmake · ninja · ctest · gradle · ./gradlew · mvn · ./mvnw",
  "bundle exec rspec · rspec · rake · dotnet build · dotnet test · swift build · swift test · mix test · composer test",
  "shellcheck · terraform fmt · terraform validate · docker compose ps · docker compose logs · find · fd · sed · awk",
  "uniq $ · uniq -c $ · uniq -d $ · uniq -u $ · file · fold · od · hexdump · strings · base64 · rev · tac · mkdir · touch",
  "type · command -v · whoami · id · hostname $ · uptime · lsof · ss · tput · locale · getconf · bc $ · exit · set · wait · cd",
  "pip list · pip show · pip freeze"
)

const isPlain = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z_][\w:.@-]*$/.test(word)

const formIn = (list: ReadonlyArray<ReadonlyArray<string>>) => (words: ReadonlyArray<string>) =>
  list.find((form) =>
    form.every((one, i) => (one === "$" ? words.length === i : one === "?" ? isPlain(words[i]) : one === words[i]))
  ) ?? null
const familyOf = formIn(families)
const readerOf = formIn(readers)
const exactOf = formIn(exactly)

export const printsFiles = (words: ReadonlyArray<string>): boolean => readerOf(words) !== null

/** Verbs of package managers and similar programs that add, remove or publish. */
const grave =
  /^(?:add|apply|approve|create|deploy|destroy|delete|dlx|down|drop|dump|edit|exec|force|format|import|i|install|kill|link|login|merge|migrate|mv|prod|production|prune|publish|purge|push|put|release|remove|reset|restore|rm|rotate|send|set|start|stop|submit|sync|truncate|uninstall|unlink|update|upgrade|upload|wipe|write|x)$/i

/** Programs that take code or another program as an argument, delete, or use a network. */
const never = setOf(
  "node nodejs deno bun tsx python pypy perl ruby php lua luajit r rscript julia osascript tclsh expect gdb lldb ghci irb",
  "npx pnpx bunx uvx pipx uv nix nix-shell direnv dotenvx cross-env dotenv concurrently watchexec entr watch parallel",
  "rm rmdir unlink shred dd mkfs fdisk parted mount umount truncate chmod chown chgrp chattr setfacl ln mv cp install tee",
  "kill pkill killall systemctl service launchctl crontab at reboot shutdown halt useradd usermod passwd visudo",
  "curl wget http nc ncat netcat socat ssh scp sftp rsync ftp telnet aria2c rclone mail sendmail dig nslookup",
  "docker podman kubectl helm terraform tofu ansible ansible-playbook vagrant aws gcloud az heroku flyctl vercel netlify",
  "gh glab git hg svn npm pnpm yarn pip cargo gem go brew apt apt-get dnf yum pacman snap flatpak leap vim vi nano emacs less",
  "more man psql mysql sqlite3 mongo redis-cli tmux screen script eval source . export alias trap sudo doas su pkexec busybox"
)

/** Options of git that discard or overwrite something. */
const forced = /^-(?:[A-Za-z]*[dDfC])$|^--(?:delete|force|discard-changes|hard|amend|no-verify|prune)/

const isGrave = (word: string): boolean => word.split(/[^A-Za-z]+/).some((part) => grave.test(part))

export interface Ordinary {
  readonly exact: boolean
  /** The first words of a pattern for it with any further arguments; null for none. */
  readonly family: ReadonlyArray<string> | null
}

const neither: Ordinary = { exact: false, family: null }

/** `trusted`: the user allowed it personally, so an unknown program may be proposed exactly as it was. */
export const ordinary = ({ input, words }: ShellCommand, loops: ReadonlySet<string>, trusted: boolean): Ordinary => {
  const [head] = words
  if (head === undefined || !isSure(head)) return neither
  const program = commandName(head.text)
  if (shells.has(program) || (wrappers.has(program) && program !== "command") || inputRunners.has(program))
    return neither
  const inner = innerOf(program, words, input)
  if (inner.unclear !== null || inner.commands.length + inner.scripts.length > 0) return neither
  // An exact rule would name the option in its pattern, and so allow its effect.
  const places = effectsOf(words, input, "", loops)
  if (places === null || places.some(({ optional }) => optional === true)) return neither
  const unsure = words.findIndex((word) => !isSure(word))
  const known = (unsure < 0 ? words : words.slice(0, unsure)).map(({ text }) => text)
  const whole = unsure < 0
  const family = familyOf(known) ?? readerOf(known)
  if (family !== null) {
    const script = family.includes("?") ? (known[family.length - 1] ?? "") : ""
    if (isGrave(script) || never.has(commandName(script)) || shells.has(commandName(script))) return neither
    return { exact: whole, family: known.slice(0, family.length) }
  }
  if (!whole) return neither
  const listed = exactOf(known)
  if (listed === null) return { ...neither, exact: trusted && !never.has(program) && !known.some(isGrave) }
  const given = known.slice(listed.length)
  return { ...neither, exact: !given.some((word) => grave.test(word) || (program === "git" && forced.test(word))) }
}
