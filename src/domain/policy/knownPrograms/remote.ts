import { isSure } from "../ShellWords.ts"
import {
  allLike,
  type Given,
  forEachName,
  type Program,
  type Target,
  targets,
  unlessLike,
  working,
  works
} from "./Program.ts"

/** Programs whose work is elsewhere: on other machines, in containers, on a forge. */

const reading = (options: string): Program => ({ options })

const compose = (options: string, first = false): Program => ({ options, first, does: works })
const logs = "-ft -n: follow tail: since: until: timestamps"
const docker: Program = {
  obeys: true,
  options: "-v debug -D log-level:",
  commands: {
    build: {
      options: "-q -tf: tag: file: build-arg: target: pull progress: platform: label: rm force-rm load cache-from:",
      does: working()
    },
    ...forEachName("ps ls", reading("-aqls -nf: latest size last: filter: format:")),
    image: { commands: forEachName("ls inspect history", reading("-aq -f: format: filter: digests")) },
    ...forEachName("images history", reading("-aqH -f: digests filter: format: human tree")),
    logs: reading(`${logs} details`),
    ...forEachName(
      "inspect version info port top diff stats events",
      reading("-sa -f: size type: format: since: until: filter:")
    ),
    compose: {
      options:
        "-f:stay -p: file:stay project-name: profile: env-file:stay ansi: progress: project-directory:at compatibility parallel:",
      forms: { "f file": /^(?!\w+:)/ },
      commands: {
        up: compose(
          "-d -t: detach build force-recreate remove-orphans wait wait-timeout: scale: pull: quiet-pull timeout: abort-on-container-exit attach: timestamps watch"
        ),
        down: compose("-t: remove-orphans timeout: rmi:"),
        ...forEachName(
          "ps ls images top port config version events stats",
          compose("-aq -f: filter: format: services status: orphans volumes profiles hash: resolve-image-digests")
        ),
        logs: compose(`${logs} index:`),
        build: compose("-q -m: pull progress: build-arg: with-dependencies memory:"),
        ...forEachName(
          "start stop restart pause unpause create pull",
          compose("-q -t: timeout: build force-recreate ignore-pull-failures include-deps")
        ),
        exec: compose("-Tdit -uew: detach tty user: env: workdir: index:", true)
      }
    }
  }
}

const kubectlShowing = (options: string): Program => ({
  options: `-nlv: -h namespace: context: selector: request-timeout: all-* ${options}`,
  does: working()
})
const kubectl: Program = {
  options: "-n: namespace: context: cluster: request-timeout: -v:",
  commands: {
    rollout: {
      options: "-n: namespace:",
      commands: forEachName("status history", reading("-wn: namespace: revision: timeout: watch"))
    },
    logs: kubectlShowing("-f follow previous tail: since*: timestamps prefix container: -c: -p"),
    ...forEachName(
      "get describe diff top version explain api-resources api-versions cluster-info events",
      kubectlShowing(
        "-f: filename: -olL: -AwR output: watch* show-* sort-by: field-selector: ignore-not-found containers client api-*: for: types:"
      )
    )
  }
}

/** A repository on the host that gh is meant for: to another one it may send a token. */
const repository = /^[\w.-]+\/[\w.-]+$/
// `-w` opens a browser, and `-a` has no value to some
const ghReading = forEachName("view list diff checks status", {
  options:
    "-RqtLsalSjibHBuemAO: -c repo: json: jq: template: limit: state: author: assignee: label: search: job: interval: branch: workflow: head: base: user: event: status: commit: attempt: milestone: comments log* exit-status watch patch color: -v fail-fast required draft -d order: sort:",
  forms: { "R repo": repository, a: /^[\w@-]+$/ },
  does: unlessLike(/:\/\/(?!github\.com\/)/)
})
const ghRepository: Program = { ...ghReading["view"], form: /^(?:https:\/\/github\.com\/)?[\w.-]+(?:\/[\w.-]+)?$/ }
const inRepository = (commands: Readonly<Record<string, Program>>): Program => ({
  options: "-R: repo:",
  forms: { "R repo": repository },
  commands
})
const gh = inRepository({
  ...forEachName("pr issue run release workflow label", inRepository(ghReading)),
  repo: inRepository(forEachName("view list", ghRepository)),
  ...ghReading
})

/** A value of curl's options that names no file: `@` and `<` begin the name of one, and `%output{` precedes it. */
const noFile = /^(?![@<])(?!.*%output\{)[^]*$/
const curl: Program = {
  options:
    "-sSfLvkiIGNg46 -XHdmwAeur: -o:write show-error fail fail-with-body location insecure include head get compressed ipv4 ipv6 retry-connrefused request: header: data*: json: max-time: connect-timeout: write-out: user-agent: retry*: output:write url:",
  does: ({ operands, options }) => {
    const valuesOf = (names: RegExp) => [...options].flatMap(([name, values]) => (names.test(name) ? values : []))
    return allLike(valuesOf(/^(?!(?:o|output|url)$)/), noFile) &&
      // there a file may also be named as `name@file`
      allLike(valuesOf(/^data-u/), /^(?:[^@]*=|[^@]*$)/) &&
      !operands.some(({ text }) => /^[-@]/.test(text))
      ? []
      : null
  }
}

const isRemote = (text: string): boolean => /^[^/]*:/.test(text)
/** The last operand, where it is on this machine. */
const copied = ({ operands }: Given): ReadonlyArray<Target> | null => {
  const to = operands.at(-1)
  if (!operands.every((word) => isSure(word) && !word.text.startsWith("-"))) return null
  return to === undefined || isRemote(to.text) ? [] : targets("fill", [to])
}

const planning: Program = {
  single: true,
  options:
    "-recursive -check -diff -write: -list: -no-color -json -input: -lock: -refresh: -refresh-only -target: -var*: -out:write -parallelism: -detailed-exitcode -destroy -compact-warnings -raw -upgrade -backend: -lock-timeout:",
  does: works
}

export const remote: Readonly<Record<string, Program>> = {
  docker,
  kubectl,
  gh,
  curl,
  ssh: { obeys: true, options: "-46ACKNnqTtVvXxYf -ilpbcmQ:", first: true },
  scp: { options: "-346BCpqrv -ilPc:", does: copied },
  rsync: {
    options:
      "-avzrlptgoDnPhcuqHAXSRxkLmiW archive compress recursive delete* stats human-readable checksum update itemize-changes partial exclude*: include*: max-*: bwlimit: timeout: links perms times size-only ignore-existing existing",
    does: copied
  },
  terraform: {
    obeys: true,
    single: true,
    options: "-version -chdir:at",
    commands: {
      ...forEachName("fmt validate plan show output version graph init", planning),
      state: { commands: forEachName("list show pull", planning) },
      providers: { commands: { schema: planning } }
    }
  },
  openssl: {
    single: true,
    options: "",
    commands: {
      rand: { single: true, options: "-hex -base64" },
      ...forEachName("dgst x509 version", {
        single: true,
        options:
          "-sha256 -sha1 -md5 -sha512 -hex -r -in: -noout -text -dates -subject -issuer -fingerprint -serial -enddate -a -v"
      })
    }
  }
}
