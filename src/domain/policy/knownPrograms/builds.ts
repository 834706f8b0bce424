import { isSure } from "../ShellWords.ts"
import { allLike, isPlainly, forEachName, type Program, targets, tool, works } from "./Program.ts"
import { installing, scriptName } from "./packages.ts"

/**
 * Programs that build and test by the project's files. Some of their options would name another program, agent or
 * place.
 */

/** A tool whose operands, including the values of its loose options, have this form. */
const operandsLike = (options: string, form: RegExp, not?: RegExp): Program => ({ ...tool(options, not), form })

/** Excludes properties that name another program or a place. */
const property = String.raw`(?![\w.-]*(?:jvm|agent|argline|exec|java\.home|class\.?path|ext\.|launcher|script))[\w.-]+(?:=(?!-)[\w.,:*#+!-]*)?`

const gradle = operandsLike(
  "-qisdwSatmh -xDP: tests: args: configuration: build-cache daemon refresh-dependencies stop status info gradle-version: dependency stacktrace",
  // tasks by the words with which plugins begin their names; not those that publish
  /^(?:[\w-]*:)*(?!\w*(?:Publish|Upload|Deploy|Push|Hook))(?:assemble|boot(?:Run|Jar|War)|build|bundle|check|classes|clean|compile|dependenc|detekt|docs|dokka|format|functionalTest|generate|help|installDist|integration|jacoco|jar|java|ktlint|lint|package|pmd|process|projects|properties|run|spot|tasks|test|unit|verify|war|wrapper)\w*$/,
  new RegExp(`^--[DP]=(?!${property.replace("exec|", "")}$)`, "i")
)
const mvn: Program = {
  ...operandsLike(
    "q B U X e o N C v nt* am* fa* fn nsu pl: rf: T: T* P: P* D* batch-mode also-make* errors activate-profiles:",
    /^(?:clean|validate|compile|test|test-compile|package|verify|install|site|(?:generate|process)-[\w-]+|dependency:(?:tree|analyze|list|resolve)|(?:spotless|surefire|failsafe|checkstyle|jacoco|pmd|spotbugs|fmt|enforcer|compiler|help|formatter):(?:active-profiles|apply|check(?:style)?|compile|cpd|cpd-check|describe|effective-\w+|enforce|evaluate|format|help|integration-test|pmd|prepare-agent|report|spotbugs|test|testCompile|validate|verify)|(?:flyway|liquibase):(?:info|validate|migrate|status|update|updateSQL|diff|history)|(?:spring-boot|quarkus|jetty):(?:run|dev)|versions:display-[\w-]+)$/,
    new RegExp(`^--D(?!${property}$)`, "i")
  ),
  single: true
}
/** Its own options come first; what follows the class or archive belongs to the program. */
const jvmWord =
  /^(?:-(?:cp|classpath|-class-path|jar|version|-version|ea|esa|da|server|showversion|help|-enable-preview|-source|-add-(?:opens|exports|modules)(?:=.*)?|X(?:m[nsx]|ss)\w+|Xshare:\w+|Xlint\S*|D(?!com\.sun\.management|java\.rmi)[\w.-]+(?:=.*)?|XX:[+-]Use\w+|XX:[+-]HeapDumpOnOutOfMemoryError|XX:(?:Max|Min|Initial|New|Reserved|Soft)\w+=[\w.]+))$/s
const java: Program = {
  options: "*",
  does: (given) => {
    const { operands } = given
    const at = operands.findIndex(
      ({ text }, i) =>
        !text.startsWith("-") && !/^(?:-cp|-classpath|--class-path|--source)$/.test(operands[i - 1]?.text ?? "")
    )
    const own = operands.slice(0, at < 0 ? undefined : at).filter(({ text }) => text.startsWith("-"))
    return allLike(own, jvmWord) && operands[at]?.text.startsWith("@") !== true ? works(given) : null
  }
}
const javac: Program = {
  options: "*",
  does: (given) => {
    const { operands } = given
    const form =
      /^(?:-(?:d|cp|classpath|-class-path|sourcepath|g|g:\w+|parameters|-release|source|target|encoding|nowarn|deprecation|Werror|verbose|version|-version|proc:none|implicit:\w+|-enable-preview|Xlint\S*|Xdoclint\S*)|[^-@].*)$/s
    const to = operands.filter((_, i) => operands[i - 1]?.text === "-d")
    return operands.every((word) => (word.globs || isSure(word)) && form.test(word.text))
      ? works(given).concat(targets("fill", to))
      : null
  }
}

/** What runs in a project's environment is examined separately. */
const running = (options: string): Program => ({
  options,
  first: true,
  // an interpreter by its version
  forms: { "p python": /^[\d.]+$/ },
  does: works
})
const fetching = (options: string, not?: RegExp): Program => ({
  ...tool(options),
  does: (given) => (isPlainly(given, not) ? installing(given) : null)
})
const plainly = /^(?:[\w@./*:,+~^<>=![\]-]+)$/
const plain = (options: string): Program => operandsLike(options, plainly)

const deno =
  "-rqAREWNS -c: allow-r* allow-w* allow-n* allow-e* allow-sy* allow-f* allow-i* allow-all unstable import-map node-modules-dir permit-no-files filter: html lcov rules-tags"
/** Of the project, not from an address. */
const denoFile = /^(?!(?:https?|npm|jsr|data):)[\w@./*-]+$/
const dotnet = "-tmh -cfrvno: framework runtime filter: collect launch-profile blame diag"

const dotnetName = /^(?![\w-]+:)[\w./*-]+$/
const swift = operandsLike(
  "-cvq -j: product package-path:at arch triple sanitize xunit-output very-verbose",
  /^[\w./-]+$/,
  /^--disable-s/
)

export const builds: Readonly<Record<string, Program>> = {
  ...forEachName("gradle gradlew", gradle),
  ...forEachName("mvn mvnw", mvn),
  java,
  javac,
  ninja: {
    options: "-vnh -jkldtw: -f:stay -C:at",
    forms: {
      t: /^(?:clean|cleandead|compdb|commands|targets|deps|graph|query|list|inputs|rules|recompact|restat|missingdeps)$/
    },
    form: /^(?!(?:un)?install)[\w./^:+-]+$/,
    does: works
  },
  deno: {
    options: "-q",
    commands: {
      ...forEachName("run serve", {
        ...tool(deno),
        first: true,
        does: (given) => (allLike(given.operands.slice(0, 1), denoFile) && isPlainly(given) ? works(given) : null)
      }),
      ...forEachName(
        "test bench check fmt lint cache info doc compile coverage task types outdated",
        operandsLike(deno, denoFile)
      ),
      ...forEachName("install i add remove", fetching("-gqDf entrypoint"))
    }
  },
  uv: {
    options: "-qvn color: directory:at project:at",
    commands: {
      run: running(
        "-qvn -p: with: extra: all-extras group: only-group: dev frozen locked isolated active exact python: package: all-packages env-file: script directory:at project:at reinstall upgrade refresh with-requirements: with-editable:"
      ),
      ...forEachName(
        "sync lock add remove tree export venv init version build python",
        fetching(
          "-qvU -rcnpo: upgrade* python: editable active depth invert app lib bare wheel sdist bump short inexact reinstall refresh raw requirements",
          /^--p(?:ython)?=(?![\d.]+$)|^--o=\.?\/*$/
        )
      ),
      pip: {
        commands: forEachName(
          "install list show freeze compile sync uninstall tree check",
          fetching(
            "-qvU -recyo: upgrade system requirement editable constraint outdated pre reinstall generate-hashes universal annotate"
          )
        )
      },
      ...forEachName("tool cache", { commands: forEachName("list dir prune", plain("-q")) })
    }
  },
  poetry: {
    options: "-nqv ansi -C:at directory:at -P:at project:at",
    commands: {
      run: running("-qv"),
      ...forEachName(
        "install add remove update lock show check build sync init",
        fetching(
          "-nqvlaoDT -EGe: without sync regenerate tree latest outdated why python allow-prereleases editable compile"
        )
      ),
      ...forEachName("version export", plain("-s -fo: short without*")),
      env: { commands: forEachName("info list activate", plain("-p path")) }
    }
  },
  bundle: {
    commands: {
      exec: running(""),
      ...forEachName(
        "install add update remove check list show info outdated lock clean package cache audit platform",
        fetching(
          "-jg: path without deployment redownload conservative patch minor major paths parseable add-platform version"
        )
      )
    }
  },
  composer: {
    options: "-nqv ansi -d:at working-dir:at",
    commands: forEachName(
      "install i update u upgrade require remove dump-autoload dumpautoload show info outdated validate why check-platform-reqs audit status normalize",
      tool("-nqvoaDtliswWP -fd: ansi optimize* classmap-authoritative apcu latest installed tree")
    ),
    // Its own scripts.
    scripts: [scriptName, { options: "*", does: works }]
  },
  dotnet: {
    options: "info list-sdks list-runtimes -h",
    commands: {
      ...forEachName("build test run restore clean format pack publish sln list add", operandsLike(dotnet, dotnetName)),
      watch: { commands: forEachName("build run test", operandsLike(dotnet, dotnetName)) },
      tool: { commands: forEachName("list restore run", operandsLike(dotnet, dotnetName)) },
      new: operandsLike(
        dotnet,
        /^(?:list|search|sln|console|classlib|worker|grpc|mvc|web(?:api|app)?|[mnx]s?unit|mstest|(?:razor|blazor)\w*|gitignore|editorconfig|globaljson|tool-manifest)$/
      ),
      ef: operandsLike(dotnet, /^(?:migrations|database|dbcontext|add|list|remove|script|update|info|[A-Z]\w+)$/)
    }
  },
  swift: {
    commands: {
      ...forEachName("build test run", swift),
      package: {
        commands: forEachName("resolve update describe show-dependencies dump-package clean init reset", swift)
      }
    }
  }
}
