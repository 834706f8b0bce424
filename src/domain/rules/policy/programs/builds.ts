import { isSure } from "../ShellWords.ts"
import { allLike, type Given, named, type Program, targets, works } from "./Program.ts"
import { installing } from "./packages.ts"

/** Programs that build and test by what the project says, where options would name another program, agent or place. */

/** All words by one form, but for the values of these options. */
const worded =
  (form: RegExp, valued: RegExp) =>
  (given: Given): ReturnType<typeof works> | null =>
    given.operands.every(
      (word, i) => isSure(word) && (form.test(word.text) || valued.test(given.operands[i - 1]?.text ?? ""))
    )
      ? works(given)
      : null
const wordsLike = (form: RegExp, valued = /(?!)/): Program => ({ options: "*", does: worded(form, valued) })
const operandsLike = (options: string, form: RegExp): Program => ({
  options,
  does: (given) => (allLike(given.operands, form) ? works(given) : null)
})

/** Not the ways to another program, or to a place of its own. */
const property = String.raw`(?![\w.-]*(?:jvm|agent|argline|exec|java\.home|class\.?path|ext\.|launcher|script))[\w.-]+(?:=(?!-)[\w.,:*#+!-]*)?`

const gradle = wordsLike(
  new RegExp(
    `^(?:(?:[\\w-]*:)*(?!publish|upload|deploy|closeAndRelease|releaseRepo)[\\w-]+|-[qisdwSatm]|-[DP]${property.replace("exec|", "")}|[\\w-]*:|-[xDP]|--(?:info|debug|stacktrace|full-stacktrace|no-daemon|daemon|offline|(?:no-)?parallel|rerun-tasks|rerun|refresh-dependencies|continue|continuous|dry-run|(?:no-)?build-cache|(?:no-)?configuration-cache|quiet|all|status|stop|profile|write-locks|version|fail-fast|no-rebuild|tests|configuration|console|warning-mode|max-workers|exclude-task|gradle-version|dependency|args|group)(?:=[^/]*)?)$`,
    "i"
  ),
  /^--(?:tests|configuration|args|dependency|gradle-version|group)$/
)
const mvn = wordsLike(
  new RegExp(
    `^(?:-(?:[qBUXeoNVCv]|ntp|am|amd|fae|ff|fn|nsu|pl|rf|[TPD])|-D${property}|-P[\\w,!-]+|-T[\\d.]+C?|--(?:batch-mode|quiet|offline|no-transfer-progress|also-make|update-snapshots|fail-at-end|version|errors|projects|threads|activate-profiles|show-version)(?:=[\\w,:!-]*)?|clean|validate|compile|test|test-compile|package|verify|install|site|(?:generate|process)-[\\w-]+|dependency:(?:tree|analyze|list|resolve|go-offline|sources)|(?:spotless|surefire|failsafe|checkstyle|jacoco|pmd|spotbugs|fmt|enforcer|compiler|help|formatter|sonar|flyway|liquibase):(?!exec)[\\w-]+|(?:spring-boot|quarkus|jetty):(?:run|dev)|versions:display-[\\w-]+)$`,
    "i"
  ),
  /^-(?:pl|rf|T|P)$|^--(?:projects|threads|activate-profiles)$/
)
/** Its own options come first; what follows the class or archive is the program's. */
const jvmWord =
  /^(?:-(?:cp|classpath|-class-path|jar|version|-version|ea|esa|da|server|showversion|help|-enable-preview|-source|-add-(?:opens|exports|modules)(?:=.*)?|X(?:m[nsx]|ss)\w+|Xshare:\w+|Xlint\S*|D[\w.-]+(?:=.*)?|XX:[+-]Use\w+|XX:[+-]HeapDumpOnOutOfMemoryError|XX:(?:Max|Min|Initial|New|Reserved|Soft)\w+=[\w.]+))$/s
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
    const done = worded(
      /^(?:-(?:d|cp|classpath|-class-path|sourcepath|g|g:\w+|parameters|-release|source|target|encoding|nowarn|deprecation|Werror|verbose|version|-version|proc:none|implicit:\w+|-enable-preview|Xlint\S*|Xdoclint\S*)|[^-@].*)$/s,
      /(?!)/
    )({ ...given, operands: operands.map((word) => (word.globs ? { ...word, sure: word.text.length } : word)) })
    const to = operands.filter((_, i) => operands[i - 1]?.text === "-d")
    return done?.concat(targets("fill", to)) ?? null
  }
}

/** What runs in a project's environment is looked at by itself. */
const running = (options: string): Program => ({ options, first: true, does: works })
const fetching = (options: string): Program => ({ options, does: installing })
const plainly = /^(?:[\w@./*:,+~^<>=![\]-]+)$/
const plain = (options: string): Program => operandsLike(options, plainly)

const deno =
  "-rq -c: reload? no-check? check config: lock? unstable cached-only watch? allow-read? allow-write? allow-net? allow-env? allow-run? allow-sys? allow-ffi? allow-import? allow-all -AREWNS env-file? import-map: node-modules-dir? parallel coverage? filter: fail-fast? doc ignore: permit-no-files shuffle?"
/** Of the project, not from an address. */
const denoFile = /^(?!(?:https?|npm|jsr|data):)[\w@./*-]+$/
const dotnet =
  "-cfrv: configuration: framework: runtime: verbosity: nologo filter: project: collect: results-directory:write settings: -o:fill output:fill self-contained? launch-profile: list-tests force interactive verify-no-changes include: exclude: severity: version: prerelease outdated include-transitive name: -n: context: blame diag:write -t -m"

/** Programs that build, by name. */
export const builds: Readonly<Record<string, Program>> = {
  ...named("gradle gradlew", gradle),
  ...named("mvn mvnw", mvn),
  java,
  javac,
  ninja: {
    options: "-vnh -jkldtw: -f:stay -C:at",
    does: (given) =>
      allLike(
        given.options.get("t") ?? [],
        /^(?:clean|cleandead|compdb|commands|targets|deps|graph|query|list|inputs|rules|recompact|restat|missingdeps)$/
      ) && allLike(given.operands, /^[\w./^:+-]+$/)
        ? works(given)
        : null
  },
  ctest: operandsLike(
    "-VNFQU -CRELI: -j? test-dir:stay output-on-failure extra-verbose rerun-failed timeout: parallel: build-config: tests-regex: exclude-regex: label-regex: label-exclude: repeat: repeat-until-fail: stop-on-failure no-tests: schedule-random preset: list-presets progress show-only? print-labels output-junit:write -O:write output-log:write",
    /^\d+$/
  ),
  mypy: {
    options:
      "-pm: -v strict ignore-missing-imports follow-imports: config-file: show-error-codes pretty package: module: exclude: python-version: platform: cache-dir:write namespace-packages explicit-package-bases check-untyped-defs disallow-untyped-defs warn-unused-ignores warn-unreachable show-column-numbers show-error-context html-report:fill junit-xml:write disable-error-code: enable-error-code: sqlite-cache allow-redefinition scripts-are-modules",
    does: works
  },
  tox: operandsLike(
    "-qvrpl -e: -f: recreate parallel? skip-missing-interpreters? notest sitepackages listenvs result-json:write workdir:write skip-pkg-install develop -a ",
    /^(?!exec$|e$|devenv$|d$)[\w./:=,[\]-]+$/
  ),
  deno: {
    options: "-q",
    commands: {
      ...named("run serve", {
        options: deno,
        first: true,
        does: (given) => (allLike(given.operands.slice(0, 1), denoFile) ? works(given) : null)
      }),
      ...named(
        "test bench check fmt lint cache info doc compile coverage task types outdated",
        operandsLike(
          `${deno} fix json html lcov output:write rules-tags: line-width: indent-width: single-quote use-tabs`,
          denoFile
        )
      ),
      ...named("install i add remove", fetching("-gqDf dev entrypoint frozen? lock?"))
    }
  },
  uv: {
    options: "-qvn offline color: directory:at project:at",
    commands: {
      run: running(
        "-qvn -mp: with: extra: all-extras group: only-group: no-group: dev frozen locked isolated active exact python: module: package: all-packages env-file: script directory:at project:at offline reinstall upgrade refresh with-requirements: with-editable:"
      ),
      ...named("sync lock add remove tree export venv init version build python", {
        ...fetching(
          "-qvUp -rcn: dev extra: all-extras group: only-group: no-group: all-groups frozen locked upgrade upgrade-package: python: package: all-packages optional: editable active check depth: outdated invert format: -o:write output-file:write seed clear name: lib app bare wheel sdist out-dir:fill bump: short offline inexact reinstall refresh raw requirements:"
        ),
        does: (given) =>
          allLike(given.options.get("p") ?? [], /^[\d.]+$/) && allLike(given.options.get("python") ?? [], /^[\d.]+$/)
            ? installing(given)
            : null
      }),
      pip: {
        options: "",
        commands: named(
          "install list show freeze compile sync uninstall tree check",
          fetching(
            "-qvUrecy: -o:write output-file:write upgrade system requirement: editable: constraint: outdated format: all-extras extra: pre reinstall strict generate-hashes universal python-version: annotate"
          )
        )
      },
      tool: { options: "", commands: named("list dir", plain("-q")) },
      cache: { options: "", commands: named("dir prune", plain("-q")) }
    }
  },
  poetry: {
    options: "-nqv ansi -C:at directory:at -P:at project:at",
    commands: {
      run: running("-qv"),
      ...named(
        "install add remove update lock show check build sync init",
        fetching(
          "-nqvlaoDT -EG: with: without: only: only-root all-extras extras: all-groups sync lock group: dev optional regenerate tree latest outdated top-level why format: strict name: python: allow-prereleases -e: editable clean output:fill compile"
        )
      ),
      version: plain("-s short"),
      export: plain("-f: format: -o:write output:write without-hashes with: only: without: all-extras dev"),
      env: { options: "", commands: named("info list activate", plain("-p path full-path")) }
    }
  },
  bundle: {
    options: "",
    commands: {
      exec: running(""),
      ...named(
        "install add update remove check list show info outdated lock clean package cache doctor pristine audit licenses platform",
        fetching(
          "-j: jobs: local retry: path:write without: with: deployment redownload group: -g: all conservative patch minor major strict name-only paths path parseable add-platform: skip-install version: update? full-index force"
        )
      )
    }
  },
  composer: {
    options: "-nqv ansi -d:at working-dir:at",
    commands: {
      ...named(
        "install i update u upgrade require remove dump-autoload dumpautoload show info outdated validate why depends licenses check-platform-reqs audit fund status suggests diagnose normalize",
        fetching(
          "-nqvoaDtliswWP -f: prefer-dist prefer-source dev optimize-autoloader optimize classmap-authoritative ignore-platform-reqs ignore-platform-req: ansi with-all-dependencies with-dependencies apcu direct latest installed tree strict minor-only format: locked lock working-dir:at -d:at prefer-stable prefer-lowest interactive sort-packages"
        )
      )
    },
    // its own scripts
    scripts: [
      /^(?:test|lint|format|fmt|fix|cs|stan|phpstan|analy[sz]e|check|build|dev|start|serve|run-script|run|ci|pint|rector|coverage|psalm|types|docs)(?:[:-][\w:-]+)?$/,
      { options: "*", does: works }
    ]
  },
  dotnet: {
    options: "info list-sdks list-runtimes -h",
    commands: {
      ...named(
        "build test run restore clean format watch pack publish sln list new tool",
        operandsLike(dotnet, /^(?!(?:exec|install|update)$)(?![\w-]+:)[\w./*-]+$/)
      ),
      add: operandsLike(dotnet, /^[\w./-]+$/),
      ...named(
        "ef",
        operandsLike(dotnet, /^(?:migrations|database|dbcontext|add|list|remove|script|update|info|[A-Z]\w+)$/)
      )
    }
  },
  swift: {
    options: "",
    commands: named(
      "build test run package",
      operandsLike(
        "-cvq -j: configuration: filter: skip: parallel enable-code-coverage product: target: package-path:at show-bin-path skip-build num-workers: static-swift-stdlib list-tests jobs: xunit-output:write sanitize: arch: triple: skip-update very-verbose",
        /^(?!plugin$)[\w./-]+$/
      )
    )
  }
}
