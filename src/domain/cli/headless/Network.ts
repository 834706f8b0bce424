import type { PolicyRule } from "../../store/settings/PolicySettings.ts"

/** A host, or with `*.` all below it; without a port, those of http and https alone. */
const host = /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i

/** What the value of a network restriction must be, for people. */
export const networkForms = "'none', 'any', or hosts such as example.com,*.example.org,localhost:8080"

const wordsOf = (network: string): ReadonlyArray<string> => network.split(",").map((word) => word.trim().toLowerCase())

export const isNetwork = (network: string): boolean => {
  const words = wordsOf(network)
  return words.every((word) => host.test(word) && (words.length === 1 || !/^(?:none|any)$/.test(word)))
}

/** The hosts that tools may reach, none for `none`; null: they may reach any. */
export const hostsIn = (network: string | undefined): ReadonlyArray<string> | null => {
  const words = network === undefined ? ["any"] : wordsOf(network)
  return words[0] === "any" ? null : words[0] === "none" ? [] : words
}

/** Programs that neither connect nor run what a file says: what else leap knows may do either. */
const staying = new Set(
  "ls cat less env join read head tail wc nl tac rev file stat du df tree pwd shuf grep egrep fgrep rg ag find fd xargs sort uniq cut tr paste comm column fold diff cmp jq yq sed awk od xxd hexdump strings md5sum sha1sum sha256sum base64 basename dirname realpath readlink which type command echo printf date seq expr bc true false : test [ sleep cd exit break continue set wait uname whoami id uptime free lscpu lsblk nproc ps pgrep pushd popd zcat zgrep size printenv tput locale getconf mkdir touch cp mv ln mktemp rmdir rm tee split gzip gunzip time".split(
    " "
  )
)
const stayingGit =
  /^git (?:status|diff|log|show|blame|grep|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|reflog|cat-file|name-rev|merge-base|count-objects|branch|tag|stash (?:list|show)|worktree list|check-ignore|for-each-ref)\b/

const stays = ({ command, kind, url }: PolicyRule): boolean =>
  command === undefined
    ? kind === "read" || kind === "edit"
    : url === undefined && (staying.has(command.split(" ", 1)[0]!) || stayingGit.test(command))

/** Of these rules that allow, those by which nothing reaches out, and what asks these hosts alone. */
export const reachingOnly = (
  hosts: ReadonlyArray<string>,
  rules: ReadonlyArray<PolicyRule>
): ReadonlyArray<PolicyRule> => [
  ...rules.filter(stays),
  ...hosts.flatMap((name) => ["http", "https"].map((scheme) => ({ command: "curl *", url: `${scheme}://${name}/**` })))
]

/** A host may lead on to another, and these files make curl ask through one. */
export const leadingOn: ReadonlyArray<PolicyRule> = [
  { command: "curl -L *" },
  { command: "curl --location *" },
  { kind: "edit", path: "/**/{.curlrc,_curlrc,.config/curlrc}" }
]
